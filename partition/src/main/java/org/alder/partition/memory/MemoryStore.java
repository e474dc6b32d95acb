package org.alder.partition.memory;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The simplest engine that keeps the contract of a store: everything is in memory, and nothing is anywhere else. For trials and
 * tests, which also compare other engines with it. Transactions run one at a time on their caller's thread; each makes a new
 * state, which shares with the one before what is the same. Thread safe.
 */
public final class MemoryStore implements Store, CommitFeed, StoreMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(MemoryStore.class);

    private final MemoryHistory history;
    private final List<Registration> followers = new CopyOnWriteArrayList<>();
    private final Consumer<MemoryState> onClose;
    private final String readOnlyReason;
    private final int runs;
    private volatile MemoryState state;
    private volatile boolean closed;
    private long transactions;

    /** Its own, so that the same follower may come twice. */
    private static final class Registration {
        private final CommitFollower follower;

        Registration(CommitFollower follower) {
            this.follower = follower;
        }
    }

    /** An empty one. */
    public MemoryStore(EntryIndexer indexer) {
        this(indexer, 1);
    }

    /**
     * An empty one that runs each transaction several times, each time against the same state: only the last run counts, as
     * {@link Transaction} says.
     */
    public MemoryStore(EntryIndexer indexer, int runs) {
        this(new MemoryState(indexer), runs, null, end -> { });
    }

    /**
     * @param readOnlyReason why nothing can be changed; null if it can be
     * @param onClose is given the last state
     */
    MemoryStore(MemoryState state, int runs, String readOnlyReason, Consumer<MemoryState> onClose) {
        this.state = state;
        this.runs = runs;
        this.readOnlyReason = readOnlyReason;
        this.onClose = onClose;
        this.history = new MemoryHistory(state.csn());
    }

    @Override
    public Snapshot snapshot() {
        checkOpen();
        return new MemorySnapshot(state);
    }

    @Override
    public long sequence() {
        return state.sequence();
    }

    @Override
    public EntryIndexer indexer() {
        return state.indexer();
    }

    @Override
    public synchronized <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        try {
            checkOpen();
            if (readOnlyReason != null) {
                throw new StoreException(StoreException.Kind.READ_ONLY, "the store is read-only: " + readOnlyReason);
            }
            return CompletableFuture.completedFuture(run(transaction));
        } catch (DirectoryException | RuntimeException | Error e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private <T> T run(Transaction<T> transaction) throws DirectoryException {
        T result = null;
        MemoryCommit commit = null;
        for (int run = 0; run < runs; run++) {
            MemoryWrites writes = new MemoryWrites(state);
            try {
                result = transaction.run(writes);
                commit = writes.commit();
            } finally {
                keepIds(writes.lastId());
            }
        }
        transactions++;
        if (commit != null) {
            // Known before it is shown: whoever has a snapshot of a commit may ask what led to it.
            history.add(commit);
            state = commit.stateAfter();
            tell(commit);
        }
        return result;
    }

    /** IDs are not given out twice, also where a transaction fails. */
    private void keepIds(long lastId) {
        if (lastId > state.lastId()) {
            MemoryState same = state.copy();
            same.setLastId(lastId);
            state = same;
        }
    }

    private void tell(MemoryCommit commit) {
        for (Registration each : followers) {
            if (!commit.changes().isEmpty()) {
                tell(each.follower, commit);
            }
            each.follower.told(commit.sequence());
        }
    }

    private static void tell(CommitFollower follower, MemoryCommit commit) {
        try {
            follower.committed(commit);
        } catch (RuntimeException | Error e) {
            LOG.error("A follower could not be told the commit {}", commit.sequence(), e);
            follower.missed();
        }
    }

    @Override
    public CommitFeed feed() {
        return this;
    }

    @Override
    public StoreMaintenance maintenance() {
        return this;
    }

    @Override
    public Following follow(CommitFollower follower) {
        Registration own = new Registration(follower);
        followers.add(own);
        return () -> followers.remove(own);
    }

    @Override
    public ChangeHistory changes(Csn since, Snapshot upTo) {
        return history.changes(since, upTo);
    }

    /** Forgets what was changed up to now. */
    public void forgetChanges() {
        history.forget(state.csn());
    }

    MemoryState newest() {
        return state;
    }

    /** Makes another state of the newest one, as no transaction could. */
    synchronized void alter(Consumer<MemoryState> change) {
        MemoryState altered = state.copy();
        change.accept(altered);
        state = altered;
    }

    @Override
    public synchronized StoreStatus status() {
        return new StoreStatus(state.entries().size(), state.lastId(), state.sequence(), 0, 0, 0, -1, 0, 0, 0, transactions, readOnlyReason,
                BackgroundStatus.NONE);
    }

    @Override
    public CacheStatus cacheStatus() {
        return new CacheStatus(List.of());
    }

    @Override
    public void flush() {
        checkOpen();
    }

    @Override
    public void compact() {
        checkOpen();
    }

    @Override
    public void clearCaches() {
        checkOpen();
        alter(MemoryState::forgetDns);
    }

    /** At once. */
    @Override
    public synchronized void changeIndexes(EntryIndexer target) {
        checkOpen();
        state = state.derivedAnew(target.built());
    }

    @Override
    public void keepFingerprint() {
        checkOpen();
    }

    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            onClose.accept(state);
        }
    }

    @Override
    public void retire() {
        close();
        followers.forEach(each -> each.follower.ended());
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreException(StoreException.Kind.CLOSED, "the memory store is closed");
        }
    }
}
