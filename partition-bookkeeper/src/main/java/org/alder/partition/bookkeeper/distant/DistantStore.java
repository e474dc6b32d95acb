package org.alder.partition.bookkeeper.distant;

import java.io.IOException;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.ClusterService.Member;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.NeverWaits;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that other members hold: what is read of it is asked of one of them, and what is to be changed is handed on to whoever leads. A thread
 * asks that member for its newest state, again and again, which waits there until there is one; snapshots here share it, so that opening one asks
 * nobody. When the member does not answer, another one is asked, which shows no less; snapshots that are open are of no use then. What it shows never goes
 * back. Thread safe; its owner closes it.
 */
public final class DistantStore implements Store, CommitFeed, StoreMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(DistantStore.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** So long does the other one wait for something new. */
    private static final int WAIT_MILLIS = 1_000;
    static final long ANSWER_MILLIS = 5_000;
    /** Between two states where nobody waits for one. */
    private static final long PACE_MILLIS = 20;
    private static final long PAUSE_MILLIS = 200;
    /** The other one does not keep a state for ever. */
    private static final long RENEW_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Holders holders;
    private final String log;
    private final String label;
    private final UUID reader = UUID.randomUUID();
    private final Thread thread;
    private final long openedNanos = System.nanoTime();
    private final Set<DistantState> used = ConcurrentHashMap.newKeySet();
    private final List<Waiting> waiting = new ArrayList<>();
    private final DistantFollowers followers = new DistantFollowers(this);
    private final AsReplica replica = new AsReplica();
    private volatile EntryIndexer indexer;
    private volatile DistantState state;
    private volatile long stateNanos;
    private volatile long shown;
    private volatile Status status;
    private volatile long lookedNanos = System.nanoTime() - LOOK_NANOS;
    /** Null while the one that is asked answers. */
    private volatile StoreException problem;
    private volatile boolean closed;

    /** For a state that shows a transaction. */
    private record Waiting(long sequence, CompletableFuture<Boolean> shown) {
    }

    /** Why a member has not answered. */
    private static final class NoAnswerException extends Exception {
        private static final long serialVersionUID = 1L;

        NoAnswerException(String why) {
            super(why);
        }
    }

    private DistantStore(Holders holders, String log, String label, EntryIndexer indexer) {
        this.holders = holders;
        this.log = log;
        this.label = label;
        this.indexer = indexer;
        this.problem = away("no member that holds it has answered yet");
        this.thread = new Thread(this::run, "distant-" + log.substring(log.lastIndexOf('/') + 1));
        thread.setDaemon(true);
    }

    /**
     * @param log   the path of the log's znode, by which members know the store
     * @param label by which people know it
     */
    public static DistantStore open(Holders holders, String log, String label, EntryIndexer indexer) {
        DistantStore store = new DistantStore(holders, log, label, indexer);
        store.thread.start();
        return store;
    }

    private StoreException away(String why) {
        return new StoreException(StoreException.Kind.CLOSED, "this member does not hold the entries of " + label + ", and asks others for them: " + why
                + "; try again, or ask a member that holds them");
    }

    /** What is thrown where the answer of a member is none. */
    StoreException noAnswer(String holder, ProtocolException e) {
        return away(holder + " does not answer as expected: " + e.getMessage());
    }

    MessageWriter question(StoreQuestion.Kind kind) {
        return new StoreQuestion(kind, log, reader).write();
    }

    /** @throws StoreException where nobody may wait for the answer on this thread, or the member is known not to answer */
    CompletableFuture<byte[]> ask(String holder, byte[] question) {
        StoreException known = problem;
        if (known != null) {
            throw new StoreException(known.kind(), known.getMessage());
        }
        requireMayWait();
        return holders.ask(holder, question);
    }

    private void requireMayWait() {
        NeverWaits.requireOther("the entries of " + label + " are asked of another member");
    }

    /** @throws StoreException where there is none in time, or the member is known not to answer */
    byte[] await(String holder, CompletableFuture<byte[]> answer, long millis) {
        try {
            return answer(holder, answer, millis);
        } catch (NoAnswerException e) {
            throw away(e.getMessage());
        }
    }

    private static byte[] answer(String holder, CompletableFuture<byte[]> answer, long millis) throws NoAnswerException {
        try {
            return answer.get(millis, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NoAnswerException("the reader was interrupted");
        } catch (TimeoutException e) {
            throw new NoAnswerException(holder + " has not answered for " + millis / 1000 + " s");
        } catch (ExecutionException e) {
            // It says what holds for updates that are handed on the same way.
            boolean isLost = e.getCause() instanceof StoreException lost && lost.kind() == StoreException.Kind.OUTCOME_UNKNOWN;
            throw new NoAnswerException(holder + " does not answer: " + (isLost ? "the connection was lost" : e.getCause().getMessage()));
        }
    }

    private void run() {
        String holder = null;
        try {
            while (!closed) {
                holder = look(holder);
                if (holder == null) {
                    lost("none of them is here");
                    pause(PAUSE_MILLIS);
                } else if (!askForState(holder)) {
                    holder = null;
                    pause(PAUSE_MILLIS);
                }
            }
        } catch (InterruptedException e) {
            LOG.debug("{} is read no more", log);
        } finally {
            end();
        }
    }

    /** Who is asked next. @param last null where it did not answer, or nobody was asked yet */
    private String look(String last) {
        if (last == null || System.nanoTime() - lookedNanos >= LOOK_NANOS) {
            try {
                status = holders.look();
                lookedNanos = System.nanoTime();
            } catch (IOException | StoreException e) {
                LOG.debug("The members that hold {} are looked for later: {}", log, e.getMessage());
            }
        }
        Status now = status;
        if (last != null || now == null) {
            return last;
        }
        List<String> here = now.members().stream().filter(Member::isInStep).map(Member::name).filter(holders::mayBeAsked).toList();
        // So that readers are spread, and one that does not answer is not asked for ever.
        return here.isEmpty() ? null : here.get(ThreadLocalRandom.current().nextInt(here.size()));
    }

    private void pause(long millis) throws InterruptedException {
        synchronized (waiting) {
            if (!closed) {
                waiting.wait(millis);
            }
        }
    }

    /** False where it did not come. */
    private boolean askForState(String holder) throws InterruptedException {
        DistantState known = state;
        boolean isKnown = known != null && known.holder().equals(holder) && problem == null && System.nanoTime() - stateNanos < RENEW_NANOS;
        MessageWriter question = question(StoreQuestion.Kind.STATE).longNumber(isKnown ? known.number() : 0).longNumber(isKnown ? known.sequence() : 0)
                .longNumber(shown).number(WAIT_MILLIS).number(known == null ? 0 : known.indexes().hashCode());
        // The newest ones, and there is room for the next.
        List<DistantState> read = used.stream().filter(each -> each.holder().equals(holder)).sorted(Comparator.comparingLong(DistantState::sequence).reversed())
                .limit(StoreReader.MOST_STATES / 2).toList();
        question.number(read.size());
        read.forEach(each -> question.longNumber(each.number()));
        boolean follows = followers.write(question);
        try {
            byte[] answer = answer(holder, holders.ask(holder, question.toByteArray()), WAIT_MILLIS + ANSWER_MILLIS);
            if (take(holder, known, isKnown, follows, StoreAnswer.read(answer))) {
                rest();
            }
            followers.goOn();
            return true;
        } catch (ProtocolException e) {
            lost(holder + " does not answer as expected: " + e.getMessage());
        } catch (StoreException e) {
            lost(holder + ": " + e.getMessage());
        } catch (NoAnswerException e) {
            lost(e.getMessage());
        } catch (RuntimeException e) {
            LOG.error("What {} has answered about {} cannot be used", holder, log, e);
            lost(holder + " does not answer as expected: " + e);
        }
        return false;
    }

    /** States follow each other at once where somebody waits for one. */
    private void rest() throws InterruptedException {
        synchronized (waiting) {
            if (waiting.isEmpty() && !closed) {
                waiting.wait(PACE_MILLIS);
            }
        }
    }

    /**
     * @param follows whether it was asked for what was changed, too
     * @return whether it is another state
     */
    private boolean take(String holder, DistantState known, boolean isKnown, boolean follows, MessageReader in) throws ProtocolException {
        long number = in.longNumber();
        ChangeNotes.Told told = follows ? ChangeNotes.Told.read(in) : null;
        if (isKnown && number == known.number()) {
            if (follows) {
                followers.tell(known, known, told);
            }
            return false;
        }
        long sequence = in.longNumber();
        long timeMillis = in.longNumber();
        long entries = in.longNumber();
        List<IdSet> withIt = new ArrayList<>();
        for (int i = 0; i < DistantState.WITH_EACH_STATE.size(); i++) {
            withIt.add(in.idsOrNull());
        }
        IndexList indexes = in.octet() != 0 ? IndexList.read(in) : known == null ? null : known.indexes();
        if (indexes == null || sequence < shown) {
            throw new ProtocolException("transaction " + sequence + " where " + shown + " was shown, or no list of indexes");
        }
        DistantState next = new DistantState(holder, number, sequence, timeMillis, entries, indexes, indexer, known);
        for (int i = 0; i < withIt.size(); i++) {
            if (withIt.get(i) != null) {
                next.keep(HierarchyKeys.INDEX, DistantState.WITH_EACH_STATE.get(i), withIt.get(i));
            }
        }
        DistantState before = show(next);
        try {
            if (follows) {
                followers.tell(before, next, told);
            }
        } finally {
            leave(before);
        }
        return true;
    }

    /** @return what was shown before, which the caller has to {@link #leave}; null for nothing */
    private synchronized DistantState show(DistantState next) {
        used.add(next);
        DistantState before = state;
        state = next;
        stateNanos = System.nanoTime();
        shown = next.sequence();
        if (problem != null) {
            LOG.info("The entries of {}, which this member does not hold, are asked of {}, from {} on", label, next.holder(), shown);
            problem = null;
        }
        List<Waiting> done = new ArrayList<>();
        synchronized (waiting) {
            waiting.removeIf(each -> each.shown.isDone() || each.sequence <= next.sequence() && done.add(each));
            waiting.notifyAll();
        }
        done.forEach(each -> each.shown.complete(true));
        return before;
    }

    private void lost(String why) {
        if (problem == null) {
            LOG.warn("The entries of {}, which this member does not hold, cannot be read now: {}", label, why);
        }
        problem = away(why);
        // Of nobody who may come back as another one.
        used.removeIf(each -> each != state);
        lookedNanos = System.nanoTime() - LOOK_NANOS;
        followers.end();
    }

    /** @param left null for none */
    void leave(DistantState left) {
        if (left != null && left.leave()) {
            used.remove(left);
        }
    }

    private void end() {
        List<Waiting> left;
        synchronized (waiting) {
            closed = true;
            left = List.copyOf(waiting);
            waiting.clear();
        }
        left.forEach(each -> each.shown.complete(false));
        followers.end();
    }

    /** Asks nobody; where no member has answered yet, it waits for one a few seconds from when this was opened. */
    @Override
    public Snapshot snapshot() {
        long leftMillis = ANSWER_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - openedNanos);
        if (state == null && !closed && leftMillis > 0) {
            requireMayWait();
            awaitSequence(0, leftMillis).join();
        }
        while (true) {
            DistantState now = state;
            if (closed || now == null) {
                StoreException why = problem;
                throw new StoreException(StoreException.Kind.CLOSED, closed || why == null ? "the store of " + label + " is closed" : why.getMessage());
            }
            if (now.enter()) {
                used.add(now);
                return new DistantSnapshot(this, now);
            }
        }
    }

    @Override
    public long sequence() {
        return shown;
    }

    /** As {@link DistantSnapshot#systemRecords}. */
    @Override
    public SystemRecords systemRecords() {
        return SystemRecords.NONE;
    }

    @Override
    public EntryIndexer indexer() {
        return indexer;
    }

    @Override
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return CompletableFuture.failedFuture(replica.refusal());
    }

    @Override
    public CompletableFuture<Boolean> awaitSequence(long sequence, long timeoutMillis) {
        CompletableFuture<Boolean> result = new CompletableFuture<>();
        synchronized (waiting) {
            if (closed || state != null && shown >= sequence) {
                return CompletableFuture.completedFuture(!closed);
            }
            waiting.add(new Waiting(sequence, result));
            waiting.notifyAll();
        }
        return result.completeOnTimeout(false, timeoutMillis, TimeUnit.MILLISECONDS);
    }

    @Override
    public Replica replica() {
        return replica;
    }

    @Override
    public CommitFeed feed() {
        return this;
    }

    @Override
    public StoreMaintenance maintenance() {
        return this;
    }

    /** Waits until a holder notes what is changed. */
    @Override
    public Following follow(CommitFollower follower) {
        requireMayWait();
        snapshot().close();
        DistantFollowers.Followed own = followers.add(follower);
        boolean isBegun = false;
        try {
            wakeHolder();
            own.begun().get(ANSWER_MILLIS, TimeUnit.MILLISECONDS);
            isBegun = true;
            return own;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw away("the reader was interrupted");
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("Nobody notes what is changed in {}", log, e);
            throw away("none of them tells what is changed");
        } finally {
            if (!isBegun) {
                own.close();
            }
        }
    }

    /** It may wait for something new to tell, and does not know yet what it is to tell. Whether it answers matters to nobody. */
    private void wakeHolder() {
        DistantState now = state;
        if (now != null) {
            holders.ask(now.holder(), question(StoreQuestion.Kind.WAKE).toByteArray());
        }
        synchronized (waiting) {
            waiting.notifyAll();
        }
    }

    @Override
    public ChangeHistory changes(Csn since, Snapshot upTo) {
        if (upTo instanceof DistantSnapshot read) {
            return read.changes(since);
        }
        throw away("they were read here a moment ago");
    }

    /** Of its entries alone: all else is where they are. */
    @Override
    public StoreStatus status() {
        DistantState now = state;
        return new StoreStatus(now == null ? 0 : now.entries(), 0, shown, 0, 0, 0, -1, 0, 0, 0, 0, null, BackgroundStatus.NONE);
    }

    @Override
    public CacheStatus cacheStatus() {
        return new CacheStatus(List.of());
    }

    @Override
    public void flush() {
        // Nothing is here.
    }

    @Override
    public void compact() {
        // Nothing is here.
    }

    @Override
    public void clearCaches() {
        // There are none.
    }

    /** Those are used that a holder has complete. */
    @Override
    public void changeIndexes(EntryIndexer target) {
        synchronized (this) {
            indexer = target.built();
            DistantState now = state;
            if (now != null) {
                leave(show(now.by(indexer)));
            }
        }
    }

    @Override
    public void keepFingerprint() {
        // Nothing is kept here.
    }

    @Override
    public void close() {
        closed = true;
        synchronized (waiting) {
            waiting.notifyAll();
        }
        thread.interrupt();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What it is among the others: one that has nothing. */
    private final class AsReplica implements Replica {
        @Override
        public Role role() {
            return Role.ELSEWHERE;
        }

        @Override
        public StoreException refusal() {
            return holders.refusal(status);
        }

        @Override
        public long epoch() {
            Status now = status;
            return now == null ? 0 : now.epoch();
        }

        @Override
        public long behind() {
            return -1;
        }

        @Override
        public long behindMillis() {
            return -1;
        }

        @Override
        public long certainSequence() {
            return -1;
        }

        @Override
        public ClusterService.Status cluster() {
            return status;
        }

        @Override
        public StoreException problem() {
            return problem;
        }

        @Override
        public CompletableFuture<Long> promote(Consumer<StoreException> onLost) {
            return CompletableFuture.failedFuture(notHere());
        }

        @Override
        public CompletableFuture<Void> fail(StoreException why) {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> demote() {
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletableFuture<Void> resign(StoreException why) {
            return CompletableFuture.completedFuture(null);
        }

        private StoreException notHere() {
            return new StoreException(StoreException.Kind.REFUSED, "this member does not hold " + label + ", so it cannot lead it");
        }
    }
}
