package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.TunedStore;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.IndexBuild;
import org.alder.partition.store.IndexSize;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member's store that takes a copy of another member's by itself, when what it holds keeps it from applying the log. It serves what it has until
 * the copy is whole; then whoever still reads that is ended, as in a store that is retired, and nobody reads it until what is behind
 * the copy is applied. Copies are a minute apart, and five minutes where it differed. It is flushed where the log needs that to stay short. Thread safe; closed by its owner, as any store.
 */
final class MendingStore implements TunedStore, CommitFeed, StoreMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(MendingStore.class);
    private static final long LOOK_MILLIS = 500;
    /** Until the next try where none came, until the next copy, until one is opened again that was put in place, and until the next flush for the log. */
    private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
    /** The same behind a copy that was taken since it differed: what makes it differ again may be this machine. */
    private static final long DIFFERING_PAUSE_NANOS = TimeUnit.MINUTES.toNanos(5);
    /** What was shown before is to be shown again, and nobody else may be here who has it. */
    private static final long SHOW_MILLIS = 30_000;

    private final SharedEngine members;
    private final SharedEngine.Seat seat;
    private final Path folder;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private volatile JdbmEngine engine;
    /** Has failed, and is retired, while {@link #isAway}. */
    private volatile JdbmStore current;
    private volatile boolean isAway;
    /** Of the store that is away. */
    private volatile StoreStatus lastStatus;
    private EntryIndexer lastIndexer;
    /** What was told of a copy that did not come; its cause is why one is needed. */
    private StoreException told;
    private long notBeforeNanos = System.nanoTime();
    private long flushNotBeforeNanos = System.nanoTime();

    private MendingStore(SharedEngine members, SharedEngine.Seat seat, Path folder, JdbmStore first) {
        this.members = members;
        this.seat = seat;
        this.folder = folder;
        this.engine = members.alone();
        this.current = first;
        this.thread = new Thread(this::run, "mending-" + folder.getFileName());
        thread.setDaemon(true);
    }

    /** @param first what it begins with, which is closed with it */
    static MendingStore start(SharedEngine members, SharedEngine.Seat seat, Path folder, JdbmStore first) {
        MendingStore store = new MendingStore(members, seat, folder, first);
        store.thread.start();
        return store;
    }

    private void run() {
        try {
            while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                StoreException why = problemThatACopyMends();
                if (why != null && System.nanoTime() - notBeforeNanos >= 0) {
                    mend(why);
                } else if (!isAway && seat.log().awaitsFlush() && System.nanoTime() - flushNotBeforeNanos >= 0) {
                    flushForTheLog();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void flushForTheLog() {
        flushNotBeforeNanos = System.nanoTime() + PAUSE_NANOS;
        try {
            current.flush();
        } catch (StoreException e) {
            LOG.info("The store in {} is not flushed now, for which the log with its many ledgers waits: {}", folder, e.getMessage());
        }
    }

    private StoreException problemThatACopyMends() {
        Replica replica = current.replica();
        StoreException problem = replica.problem();
        boolean isMended = problem != null && (problem.kind() == StoreException.Kind.OUTDATED || problem.kind() == StoreException.Kind.CORRUPT);
        return isMended && replica.role() == Replica.Role.FAILED ? problem : null;
    }

    private void mend(StoreException why) throws InterruptedException {
        boolean wasAway = isAway;
        notBeforeNanos = System.nanoTime() + (why.kind() == StoreException.Kind.CORRUPT ? DIFFERING_PAUSE_NANOS : PAUSE_NANOS);
        try {
            if (!wasAway) {
                LOG.warn("The store in {} takes a copy of another member's now, and shows what it has until that is here: {}", folder, why.getMessage());
                if (why.kind() == StoreException.Kind.CORRUPT) {
                    // A start in the middle of this would not find it by itself.
                    Differing.note(folder, why.getMessage());
                }
                members.copy(folder, seat.log(), this::leave);
            } else {
                members.mend(folder, seat.log());
            }
            show(members.open(folder, engine, lastIndexer, seat));
            LOG.info("The store in {} has a copy of another member's in its place, and applies the log again, from {} on", folder, current.sequence());
        } catch (IOException | StoreException e) {
            if (closing.getCount() > 0) {
                failed(why, e);
            }
        }
    }

    private void failed(StoreException why, Exception e) {
        LOG.warn("The store in {} has no copy of another member's yet: {}", folder, e.getMessage());
        notBeforeNanos = System.nanoTime() + PAUSE_NANOS;
        if (!isAway) {
            Throwable first = why == told ? told.getCause() : why;
            told = new StoreException(why.kind(), first.getMessage() + "; no copy came, and it is tried again every minute: " + e.getMessage(), first);
            current.replica().fail(told);
        }
    }

    /** The copy is whole, and its place is needed. Not while this is being closed, which would be interrupted. */
    private synchronized void leave() {
        requireOpen();
        lastStatus = current.status();
        lastIndexer = current.indexer().built();
        isAway = true;
        current.retire();
    }

    private void requireOpen() {
        if (closing.getCount() == 0) {
            throw new StoreException(StoreException.Kind.CLOSED, "the store in " + folder + " is closed");
        }
    }

    private void show(JdbmStore fresh) throws InterruptedException {
        boolean done = false;
        try {
            awaitShown(fresh);
            synchronized (this) {
                requireOpen();
                fresh.goBy(engine);
                current = fresh;
                isAway = false;
                done = true;
            }
        } finally {
            if (!done) {
                // Else the store would not be closed whole.
                Thread.interrupted();
                fresh.close();
            }
        }
        members.opened(folder, fresh);
    }

    private void awaitShown(JdbmStore fresh) throws InterruptedException {
        try {
            fresh.awaitSequence(current.sequence(), SHOW_MILLIS).get(2 * SHOW_MILLIS, TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException e) {
            LOG.info("The store in {} does not show yet what it has shown before: {}", folder, e.toString());
        }
    }

    private JdbmStore here() {
        if (isAway) {
            throw away();
        }
        return current;
    }

    private StoreException away() {
        return new StoreException(StoreException.Kind.CLOSED, "a copy of another member's data is being put in the place of what this member had: try again in a"
                + " few seconds, or ask another member");
    }

    @Override
    public Snapshot snapshot() {
        return here().snapshot();
    }

    @Override
    public long sequence() {
        return current.sequence();
    }

    @Override
    public SystemRecords systemRecords() {
        return current.systemRecords();
    }

    @Override
    public EntryIndexer indexer() {
        return current.indexer();
    }

    @Override
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return isAway ? CompletableFuture.failedFuture(current.replica().refusal()) : current.submit(transaction);
    }

    @Override
    public CompletableFuture<Boolean> awaitSequence(long sequence, long timeoutMillis) {
        return current.awaitSequence(sequence, timeoutMillis);
    }

    @Override
    public Replica replica() {
        return current.replica();
    }

    @Override
    public CommitFeed feed() {
        return this;
    }

    /** One that comes while the store is left is told nothing by anybody. */
    @Override
    public Following follow(CommitFollower follower) {
        JdbmStore followed = here();
        Following following = followed.follow(follower);
        if (isAway || followed != current) {
            following.close();
            throw away();
        }
        return following;
    }

    @Override
    public ChangeHistory changes(Csn since, Snapshot upTo) {
        return here().changes(since, upTo);
    }

    @Override
    public StoreMaintenance maintenance() {
        return this;
    }

    @Override
    public StoreStatus status() {
        try {
            return isAway ? lastStatus : current.status();
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.CLOSED && isAway) {
                return lastStatus;
            }
            throw e;
        }
    }

    @Override
    public CacheStatus cacheStatus() {
        return current.cacheStatus();
    }

    @Override
    public void flush() {
        here().flush();
    }

    @Override
    public void compact() {
        here().compact();
    }

    @Override
    public void clearCaches() {
        current.clearCaches();
    }

    @Override
    public void changeIndexes(EntryIndexer target) {
        here().changeIndexes(target);
    }

    @Override
    public IndexBuild indexBuild() {
        return current.indexBuild();
    }

    @Override
    public Map<String, IndexSize> indexSizes() {
        return isAway ? Map.of() : current.indexSizes();
    }

    @Override
    public void keepFingerprint() {
        here().keepFingerprint();
    }

    @Override
    public synchronized void goBy(JdbmEngine other) {
        engine = other;
        if (!isAway) {
            current.goBy(other);
        }
    }

    @Override
    public void close() {
        end(JdbmStore::close);
    }

    @Override
    public void retire() {
        end(JdbmStore::retire);
    }

    private void end(Consumer<JdbmStore> how) {
        synchronized (this) {
            closing.countDown();
            thread.interrupt();
        }
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        how.accept(current);
    }
}
