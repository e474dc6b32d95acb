package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import org.alder.partition.bookkeeper.distant.DistantStore;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.TunedStore;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.IndexBuild;
import org.alder.partition.store.IndexSize;
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
 * A member's store of a partition, which it holds itself, or reads from members that do, as the cluster says. A thread looks once a second what that is
 * now. Where it is to be held, a copy comes while reads are answered from elsewhere; where it is to be held no more, what is here is
 * deleted when all who are to hold it show as much. Those who follow its changes are ended at either. Thread safe; closed by its owner, as any
 * store.
 */
final class PlacedStore implements TunedStore, CommitFeed, StoreMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(PlacedStore.class);
    private static final long LOOK_MILLIS = 1_000;
    /** Until the next try where the store cannot be had, or not be left. */
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    /** What was shown before is to be shown again. */
    private static final long SHOW_MILLIS = 30_000;
    /** The same while readers wait for it. */
    private static final long CHANGE_MILLIS = 2_000;
    private static final String ABOUT_TO_CHANGE = "where the entries are read is about to change";

    private final SharedEngine engine;
    private final Path folder;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    private final StampedLock changing = new StampedLock();
    /** The last transaction that a follower was told of. */
    private final AtomicLong told = new AtomicLong();
    private volatile JdbmEngine settings;
    /** Null where this member does not hold it. */
    private volatile SharedEngine.Held held;
    private volatile Store current;
    private long notBeforeNanos = System.nanoTime();
    /** Up to there those have to show it that are to hold it, before this one leaves it; -1 where it does not. */
    private long leaveBehind = -1;

    private PlacedStore(SharedEngine engine, Path folder, SharedEngine.Held held, Store current) {
        this.engine = engine;
        this.folder = folder;
        this.settings = engine.alone();
        this.held = held;
        this.current = current;
        this.thread = new Thread(this::run, "placing-" + folder.getFileName());
        thread.setDaemon(true);
    }

    /** As the cluster says now. */
    static PlacedStore open(SharedEngine engine, Path folder, EntryIndexer indexer) throws IOException {
        boolean isHeld = engine.seats().isHeld();
        SharedEngine.Held held = isHeld ? engine.hold(folder, indexer, engine.alone()) : null;
        PlacedStore store = new PlacedStore(engine, folder, held, isHeld ? held.store() : engine.seats().elsewhere(indexer));
        store.thread.start();
        return store;
    }

    private void run() {
        try {
            while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                look();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() throws InterruptedException {
        if (System.nanoTime() - notBeforeNanos < 0) {
            return;
        }
        try {
            boolean isHeld = engine.seats().isHeld();
            if (isHeld && held == null) {
                take();
            } else if (!isHeld && held != null) {
                leave();
            } else if (!isHeld && engine.hasStore(folder) && engine.seats().isHeldBehind(0)) {
                // It was away when it was decided.
                engine.seats().left(folder);
            }
        } catch (IOException | RuntimeException e) {
            notBeforeNanos = System.nanoTime() + PAUSE_NANOS;
            if (closing.getCount() > 0) {
                LOG.warn("The store in {} stays {} for now: {}", folder, held == null ? "with other members" : "here", e.toString());
            }
        }
    }

    private void take() throws IOException, InterruptedException {
        LOG.info("This member is to hold the store in {}, and takes a copy of it", folder);
        SharedEngine.Held taken = engine.hold(folder, current.indexer().built(), settings);
        boolean done = false;
        try {
            awaitShown(taken.store(), current.sequence(), SHOW_MILLIS);
            done = show(taken, taken.store());
        } finally {
            if (!done) {
                // Else the store would not be closed whole.
                Thread.interrupted();
                taken.store().close();
                engine.seats().close(taken.seat());
            }
        }
        if (done) {
            LOG.info("This member holds the store in {} now, from {} on", folder, current.sequence());
        }
    }

    private void leave() throws IOException, InterruptedException {
        SharedEngine.Held left = held;
        // What others have told is a second old: where all the time something is written, they never show what this one shows now.
        leaveBehind = leaveBehind < 0 ? left.store().sequence() : leaveBehind;
        if (!engine.seats().isHeldBehind(leaveBehind)) {
            return;
        }
        leaveBehind = -1;
        DistantStore elsewhere = engine.seats().elsewhere(left.store().indexer().built());
        boolean done = false;
        try {
            awaitShown(elsewhere, left.store().sequence(), SHOW_MILLIS);
            done = show(null, elsewhere);
        } finally {
            if (!done) {
                Thread.interrupted();
                elsewhere.close();
            }
        }
        if (!done) {
            return;
        }
        left.store().retire();
        engine.seats().close(left.seat());
        engine.seats().left(folder);
        LOG.info("This member holds the store in {} no more: others do, and are asked for what is in it", folder);
    }

    private static void awaitShown(Store next, long sequence, long millis) throws InterruptedException {
        try {
            if (next.awaitSequence(sequence, millis).get(2 * millis, TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (ExecutionException | TimeoutException e) {
            LOG.debug("{} is not shown", sequence, e);
        }
        throw new StoreException(StoreException.Kind.CLOSED, "what takes its place does not show transaction " + sequence + " yet");
    }

    /**
     * Nobody opens a snapshot meanwhile: what was shown last is shown by what comes, too.
     *
     * @return false where this is closed, and nothing was done
     */
    private boolean show(SharedEngine.Held nextHeld, Store next) throws InterruptedException {
        Store before = current;
        long stamp = changing.writeLock();
        try {
            awaitShown(next, before.sequence(), CHANGE_MILLIS);
            synchronized (this) {
                if (closing.getCount() == 0) {
                    return false;
                }
                held = nextHeld;
                current = next;
                if (nextHeld != null) {
                    nextHeld.store().goBy(settings);
                }
            }
        } finally {
            changing.unlockWrite(stamp);
        }
        if (nextHeld != null) {
            before.close();
        }
        return true;
    }

    @Override
    public Snapshot snapshot() {
        long stamp = changing.tryOptimisticRead();
        if (stamp != 0) {
            try {
                Snapshot snapshot = current.snapshot();
                if (changing.validate(stamp)) {
                    return snapshot;
                }
                snapshot.close();
            } catch (StoreException e) {
                // It may just have been left.
                if (changing.validate(stamp)) {
                    throw e;
                }
            }
        }
        NeverWaits.requireOther(ABOUT_TO_CHANGE);
        long shared = changing.readLock();
        try {
            return current.snapshot();
        } finally {
            changing.unlockRead(shared);
        }
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
        return current.submit(transaction);
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

    /**
     * Who was told of what was here before, and begins anew, finds all of that in the next snapshot: what was here may have gone on telling while what takes its place
     * was found to show as much.
     */
    @Override
    public Following follow(CommitFollower follower) {
        Store now = current;
        Following following = now.feed().follow(new Noted(follower));
        boolean done = false;
        try {
            awaitTold(now);
            done = true;
            return following;
        } finally {
            if (!done) {
                following.close();
            }
        }
    }

    private void awaitTold(Store now) {
        long sequence = told.get();
        if (now.sequence() >= sequence) {
            return;
        }
        NeverWaits.requireOther(ABOUT_TO_CHANGE);
        try {
            awaitShown(now, sequence, CHANGE_MILLIS);
        } catch (StoreException e) {
            LOG.debug("A follower of {} begins before all that was told is shown", folder, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.CLOSED, "interrupted while what was told is shown", e);
        }
    }

    /** Keeps in mind how much anybody was told. */
    private final class Noted implements CommitFollower {
        private final CommitFollower follower;

        Noted(CommitFollower follower) {
            this.follower = follower;
        }

        @Override
        public void committed(Commit commit) {
            told.accumulateAndGet(commit.sequence(), Math::max);
            follower.committed(commit);
        }

        @Override
        public void missed() {
            follower.missed();
        }

        @Override
        public void told(long sequence) {
            follower.told(sequence);
        }

        @Override
        public void ended() {
            follower.ended();
        }
    }

    @Override
    public ChangeHistory changes(Csn since, Snapshot upTo) {
        return current.feed().changes(since, upTo);
    }

    @Override
    public StoreMaintenance maintenance() {
        return this;
    }

    @Override
    public StoreStatus status() {
        return current.maintenance().status();
    }

    @Override
    public CacheStatus cacheStatus() {
        return current.maintenance().cacheStatus();
    }

    @Override
    public void flush() {
        current.maintenance().flush();
    }

    @Override
    public void compact() {
        current.maintenance().compact();
    }

    @Override
    public void clearCaches() {
        current.maintenance().clearCaches();
    }

    @Override
    public void changeIndexes(EntryIndexer target) {
        current.maintenance().changeIndexes(target);
    }

    @Override
    public IndexBuild indexBuild() {
        return current.maintenance().indexBuild();
    }

    @Override
    public Map<String, IndexSize> indexSizes() {
        return current.maintenance().indexSizes();
    }

    @Override
    public void keepFingerprint() {
        current.maintenance().keepFingerprint();
    }

    @Override
    public synchronized void goBy(JdbmEngine other) {
        settings = other;
        if (held != null) {
            held.store().goBy(other);
        }
    }

    @Override
    public void close() {
        end(Store::close);
    }

    @Override
    public void retire() {
        end(Store::retire);
    }

    private void end(Consumer<Store> how) {
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
