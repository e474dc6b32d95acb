package org.alder.partition.bookkeeper.election;

import java.io.Closeable;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.Lease;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Store;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has one of the stores that share a log lead. Each has a thread, and all of a member one session of ZooKeeper; who gets the lock, an ephemeral znode, promotes
 * its store, and has it lead as long as its {@link #lease} is held. Nothing depends on the election but that somebody leads: two that
 * lead at once are kept apart by the log, which the second one has fenced. So no store is preferred for what it has, either: all have the log.
 * Thread safe; whoever starts it closes it, before the store.
 */
public final class Election implements Leadership, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(Election.class);
    private static final int BEATS_OF_A_SESSION = 6;
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);
    /** So long is the lock left to who is wanted. */
    private static final long MOVE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long LEAST_PAUSE_MILLIS = 200;
    static final long MOST_PAUSE_MILLIS = 1000;
    static final long FULL_DISK_PAUSE_MILLIS = 10_000;

    private final ElectionSessions sessions;
    private final ClusterSettings settings;
    private final String path;
    private final String name;
    private final Refusals updates;
    private final Supplier<String> ailment;
    private final Thread thread;
    private Store store;
    private String url;
    /** Null where this member has no lock. */
    private volatile SessionLease lease;
    private volatile Leader leader;
    private volatile long leaderSequence = -1;
    private final LeaderPositions leaderPositions = new LeaderPositions();
    private volatile boolean closing;
    private boolean woken;
    /** Of the lock that is held: completes when the store leads. Null where none is. */
    private CompletableFuture<Long> promotion;
    private volatile StoreException lost;
    private MemberState told;
    private long toldNanos;
    private String wanted;
    private long wantedNanos;
    private long notBeforeNanos = System.nanoTime();

    /**
     * Who leads, as far as is known here.
     *
     * @param url where it answers clients
     */
    public record Leader(String name, String url) {
        /** Of one, for messages. @param leader null while none is known */
        public static String words(Leader leader) {
            return leader == null ? "none is known now, try again in a few seconds" : "that is " + leader.name + " at " + leader.url;
        }
    }

    /** What those are told who want to change anything here while another member leads. */
    @FunctionalInterface
    public interface Refusals {
        /** Clients are referred to the leader. */
        Refusals REFERRING = (leader, message) -> new NotLeaderException(message, leader == null ? null : leader.url);

        /** @param leader null while none is known */
        StoreException of(Leader leader, String message);
    }

    /**
     * @param sessions of this member
     * @param path     of the log's znode
     * @param updates  what becomes of updates here while another member leads
     * @param ailment  what others are told of this member where its store applies the log; null for nothing
     */
    public Election(ElectionSessions sessions, String path, Refusals updates, Supplier<String> ailment) {
        this.sessions = sessions;
        this.settings = sessions.settings();
        this.name = sessions.name();
        this.updates = updates;
        this.ailment = ailment;
        this.path = path;
        this.thread = new Thread(this::run, "election-" + name);
        thread.setDaemon(true);
    }

    /** Stands for election from now on. Called once. @param clientUrl where this member answers clients */
    public void start(Store elected, String clientUrl) {
        store = elected;
        url = clientUrl;
        thread.start();
    }

    /** Of this member as the leader; one that is lost where it is not. */
    @Override
    public Lease lease() {
        SessionLease now = lease;
        return now == null ? Lease.LOST : now;
    }

    /** Null where nobody leads, or nobody is known to. */
    public Leader leader() {
        return leader;
    }

    @Override
    public StoreException notLeader() {
        Leader now = leader;
        Leader other = now == null || now.name.equals(name) ? null : now;
        return updates.of(other, "this replica takes no updates, only the leader does: " + Leader.words(other) + "; nothing was done");
    }

    @Override
    public long leaderSequence() {
        return leaderSequence;
    }

    @Override
    public long behindMillis(long sequence) {
        return leaderPositions.behindMillis(sequence, System.nanoTime());
    }

    private synchronized void wake() {
        woken = true;
        notifyAll();
    }

    /** All elections of a member have theirs at the same moments, so that what they tell and ask goes together. */
    private synchronized void awaitBeat() throws InterruptedException {
        if (!woken && !closing) {
            long beatMillis = Math.max(20, settings.sessionMillis() / BEATS_OF_A_SESSION);
            wait(beatMillis - Math.floorMod(TimeUnit.NANOSECONDS.toMillis(System.nanoTime()), beatMillis));
        }
        woken = false;
    }

    private void run() {
        try {
            while (!isOver()) {
                runSession();
                awaitBeat();
            }
        } catch (InterruptedException e) {
            LOG.debug("{} stands for election no more", name);
        } finally {
            giveUp();
        }
    }

    /** Also where the partition was taken out of the configuration while this member runs on: another store may stand under its name then. */
    private boolean isOver() {
        StoreException problem = store.replica().problem();
        return closing || problem != null && problem.kind() == StoreException.Kind.CLOSED;
    }

    /** Until the session ends, or cannot be relied on. */
    private void runSession() throws InterruptedException {
        ElectionSession session = null;
        try {
            session = sessions.current();
            try (ElectionNodes nodes = new ElectionNodes(session, path, name, settings.build(), this::wake)) {
                try {
                    serve(session, nodes);
                } finally {
                    giveUp();
                }
            }
        } catch (KeeperException | IOException e) {
            sessions.lost(session, e);
        }
    }

    private void serve(ElectionSession session, ElectionNodes nodes) throws KeeperException, InterruptedException {
        while (!isOver() && !nodes.enter(state())) {
            LOG.info("Another session of {} is not over yet", name);
            awaitBeat();
        }
        sessions.reached(session);
        while (!isOver() && beat(nodes)) {
            awaitBeat();
        }
        release(nodes);
    }

    /** Asks ZooKeeper whether the session lives, and does what is to be done. Whether it lives, as far as is known. */
    private boolean beat(ElectionNodes nodes) throws KeeperException, InterruptedException {
        SessionLease held = lease;
        try {
            if (held == null) {
                follow(nodes);
            } else {
                lead(nodes, held);
            }
            return true;
        } catch (KeeperException.ConnectionLossException | KeeperException.RequestTimeoutException e) {
            // It may come back before the session or the lease is over.
            return held == null || !held.isLost();
        }
    }

    private void follow(ElectionNodes nodes) throws KeeperException, InterruptedException {
        long sent = System.nanoTime();
        tell(nodes, false);
        String now = nodes.leader();
        if (now != null && !now.equals(name)) {
            MemberState state = nodes.member(now);
            leader = state == null ? null : new Leader(now, state.url());
            if (state != null && state.role() == Replica.Role.LEADER) {
                leaderSequence = state.sequence();
                leaderPositions.tell(state.sequence(), sent);
            }
            return;
        }
        leader = null;
        if (!isEligible()) {
            nodes.unlock();
        } else if (isMyTurn(nodes) && nodes.lock()) {
            lease = new SessionLease(sent, nodes.sessionMillis());
            lost = null;
            LOG.info("{} was elected, and has its store lead", name);
            promotion = store.replica().promote(this::lost);
        }
    }

    /** One that has no room on its disk cannot lead. */
    private boolean isEligible() {
        return store.replica().role() == Replica.Role.REPLICA && !isShortOfDisk(store.replica().problem()) && System.nanoTime() - notBeforeNanos >= 0;
    }

    private static boolean isShortOfDisk(Throwable problem) {
        return problem instanceof StoreException store && store.kind() == StoreException.Kind.DISK_FULL;
    }

    /**
     * So long it leaves the lock to others: for longer where it was short of disk, of which it may not know before it is to lead.
     *
     * @param failure why it could not lead; null where it could
     */
    static long pauseMillis(Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        return isShortOfDisk(cause) ? FULL_DISK_PAUSE_MILLIS : ThreadLocalRandom.current().nextLong(LEAST_PAUSE_MILLIS, MOST_PAUSE_MILLIS);
    }

    /** Somebody else may be wanted; for a while the others leave the lock to it. */
    private boolean isMyTurn(ElectionNodes nodes) throws KeeperException, InterruptedException {
        String next = nodes.wanted();
        if (next == null || next.equals(name)) {
            wanted = null;
            return true;
        }
        if (!next.equals(wanted)) {
            wanted = next;
            wantedNanos = System.nanoTime();
        }
        return System.nanoTime() - wantedNanos > MOVE_NANOS || nodes.member(next) == null;
    }

    /** Told on the writer's thread. */
    private void lost(StoreException reason) {
        lost = reason;
        wake();
    }

    private void lead(ElectionNodes nodes, SessionLease held) throws KeeperException, InterruptedException {
        long sent = System.nanoTime();
        // What is written most of ZooKeeper's servers have, where reading asks a single one.
        tell(nodes, true);
        if (nodes.isLocked()) {
            held.confirm(sent, nodes.sessionMillis());
        } else {
            held.lose();
        }
        if (held.isLost() || lost != null || promotion.isCompletedExceptionally()) {
            LOG.warn("{} gives its lock back: {}", name, why(held));
            Throwable failure = promotion.isCompletedExceptionally() ? promotion.handle((epoch, why) -> why).join() : null;
            notBeforeNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(pauseMillis(failure));
            release(nodes);
        } else if (promotion.isDone()) {
            leader = new Leader(name, url);
            handOver(nodes);
        }
    }

    private String why(SessionLease held) {
        if (held.isLost()) {
            return "ZooKeeper has not answered for two thirds of the session's time, or the lock was taken away";
        }
        try {
            promotion.join();
            return "" + lost.getMessage();
        } catch (CompletionException e) {
            return "" + e.getCause().getMessage();
        }
    }

    /** Where somebody else is wanted. */
    private void handOver(ElectionNodes nodes) throws KeeperException, InterruptedException {
        String next = nodes.wanted();
        if (next == null) {
            return;
        }
        MemberState state = next.equals(name) ? null : nodes.member(next);
        if (state == null || state.role() != Replica.Role.REPLICA) {
            nodes.forgetWanted();
            if (!next.equals(name)) {
                LOG.warn("{} leads on: {} was wanted to lead, and is {}", name, next,
                        state == null ? "not there" : "no replica that applies the log");
            }
            return;
        }
        LOG.info("{} hands over to {}", name, next);
        release(nodes);
    }

    /** The store follows, and then others may lead. */
    private void release(ElectionNodes nodes) throws KeeperException, InterruptedException {
        giveUp();
        nodes.unlock();
    }

    /** Has the store lead no more; it does not wait for others to do that. */
    private void giveUp() {
        SessionLease held = lease;
        if (held == null) {
            return;
        }
        try {
            // What was sent before is done while the lease is held.
            store.replica().demote().get(settings.sessionMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("The store of {} does not follow yet: {}", name, e.toString());
        }
        held.lose();
        lease = null;
        leader = null;
        promotion = null;
    }

    private MemberState state() {
        StoreException problem = store.replica().problem();
        return new MemberState(url, store.replica().role(), store.replica().epoch(), store.sequence(),
                problem == null ? ailment.get() : problem.getMessage());
    }

    /** @param always also what was told already */
    private void tell(ElectionNodes nodes, boolean always) throws KeeperException, InterruptedException {
        MemberState now = state();
        boolean isUrgent = told == null || told.role() != now.role();
        if (always || isUrgent || System.nanoTime() - toldNanos >= TELL_NANOS) {
            nodes.tell(now);
            told = now;
            toldNanos = System.nanoTime();
        }
    }

    /** The store leads no more when this returns, and others may. */
    @Override
    public void close() throws IOException {
        closing = true;
        wake();
        Deadline.join(thread);
    }
}
