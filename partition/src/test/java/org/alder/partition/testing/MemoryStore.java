package org.alder.partition.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Csn;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/**
 * The simplest engine that keeps the store's contract: tests of the core run on it, and real engines are compared with it.
 * Transactions run one at a time on their caller's thread; a state that somebody may still read is copied before it is changed.
 */
public final class MemoryStore implements Store, CommitFeed, StoreMaintenance {
    private final EntryIndexer indexer;
    private MemoryState state;
    private int readersOfState;
    private long lastId;
    private long transactions;
    private boolean closed;
    private final List<CommitFollower> followers = new CopyOnWriteArrayList<>();
    private final List<Past> history = new ArrayList<>();
    private long forgottenUpTo;

    public MemoryStore(EntryIndexer indexer) {
        this.indexer = indexer;
        this.state = new MemoryState(indexer.indexes().size());
    }

    @Override
    public synchronized Snapshot snapshot() {
        checkOpen();
        readersOfState++;
        MemoryState read = state;
        return new MemorySnapshot(read, () -> release(read));
    }

    private synchronized void release(MemoryState read) {
        if (read == state) {
            readersOfState--;
        }
    }

    @Override
    public synchronized <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        try {
            checkOpen();
            Writes writes = new Writes();
            T result = transaction.run(writes);
            if (!writes.changes.isEmpty()) {
                MemoryState before = state;
                readersOfState += followers.isEmpty() ? 0 : 1;
                writes.apply();
                tell(before, writes);
            }
            transactions++;
            return CompletableFuture.completedFuture(result);
        } catch (DirectoryException | RuntimeException e) {
            return CompletableFuture.failedFuture(e);
        }
    }

    private record Past(Csn csn, List<Commit.Change> changes, List<byte[]> deleted) {
    }

    private void tell(MemoryState before, Writes writes) {
        history.add(new Past(new Csn(state.timeMillis(), state.sequence()), writes.changes, writes.deleted));
        for (CommitFollower follower : followers) {
            readersOfState++;
            follower.committed(new MemoryCommit(writes.changes, before, state));
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
    public void keepFingerprint() {
        checkOpen();
    }

    @Override
    public Following follow(CommitFollower follower) {
        // Each its own object, so that the same follower may come twice.
        CommitFollower own = follower::committed;
        followers.add(own);
        return () -> followers.remove(own);
    }

    /** Makes the store know no changes up to now. */
    public synchronized void forgetChanges() {
        forgottenUpTo = state.sequence();
    }

    @Override
    public synchronized ChangeHistory changes(Csn since, Snapshot upTo) {
        if (since.sequence() < forgottenUpTo) {
            return ChangeHistory.without(ChangeHistory.Answer.FORGOTTEN);
        }
        boolean known = since.equals(Csn.of(upTo)) || history.stream().anyMatch(commit -> since.equals(commit.csn()));
        if (!known) {
            return ChangeHistory.without(ChangeHistory.Answer.FOREIGN);
        }
        IdSet changed = IdSet.EMPTY;
        IdSet renamed = IdSet.EMPTY;
        List<byte[]> deleted = new ArrayList<>();
        for (Past commit : history) {
            if (commit.csn().sequence() > since.sequence() && commit.csn().sequence() <= upTo.sequence()) {
                deleted.addAll(commit.deleted());
                for (Commit.Change change : commit.changes()) {
                    IdSet one = IdSet.of(change.id());
                    boolean gone = change.kind() == Commit.Kind.DELETED;
                    changed = gone ? changed.andNot(one) : changed.or(one);
                    renamed = gone ? renamed.andNot(one) : change.kind() == Commit.Kind.RENAMED ? renamed.or(one) : renamed;
                }
            }
        }
        return new ChangeHistory(ChangeHistory.Answer.KNOWN, changed, renamed, deleted);
    }

    /** The state to change: a copy if a snapshot reads the present one. */
    private MemoryState writable() {
        if (readersOfState > 0) {
            state = state.copy();
            readersOfState = 0;
        }
        return state;
    }

    /** Damages the store: makes an index key's set what it should not be. */
    public synchronized void damageIndex(int index, byte[] key, IdSet ids) {
        writable().putIds(index, key, ids);
    }

    /** Damages the store: replaces or, with null, removes a record and leaves the indexes as they are. */
    public synchronized void damageRecord(long id, EntryRecord record) {
        writable().putRecord(id, record);
    }

    @Override
    public synchronized StoreStatus status() {
        return new StoreStatus(state.entries().size(), state.sequence(), 0, 0, 0, 0, 0, transactions, null,
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
    public synchronized void clearCaches() {
        checkOpen();
        state.forgetDns();
    }

    @Override
    public synchronized void close() {
        closed = true;
    }

    private synchronized void checkOpen() {
        if (closed) {
            throw new StoreException(StoreException.Kind.CLOSED, "the memory store is closed");
        }
    }

    /** Collects a transaction's writes and applies them together. */
    private final class Writes implements WriteContext {
        private final List<Consumer<MemoryState>> writes = new ArrayList<>();
        private final List<Commit.Change> changes = new ArrayList<>();
        private final List<byte[]> deleted = new ArrayList<>();
        private final long timeMillis = Math.max(System.currentTimeMillis(), state.timeMillis());
        private Snapshot before = new MemorySnapshot(state, new Object(), () -> { });
        /** The state with what the transaction wants to see of its writes; null for nothing. */
        private MemoryState shown;

        private void apply() {
            if (shown != null) {
                readersOfState = 0;
                state = shown;
            } else if (!writes.isEmpty()) {
                writable();
            } else {
                return;
            }
            state.commit(timeMillis());
            writes.forEach(write -> write.accept(state));
        }

        @Override
        public Snapshot state() {
            return before;
        }

        @Override
        public long sequence() {
            return before.sequence() + 1;
        }

        @Override
        public long timeMillis() {
            return timeMillis;
        }

        @Override
        public long heapLimitBytes() {
            return Long.MAX_VALUE;
        }

        @Override
        public void advance() {
            if (!writes.isEmpty()) {
                shown = shown == null ? state.copy() : shown.copy();
                writes.forEach(write -> write.accept(shown));
                writes.clear();
                before = new MemorySnapshot(shown, new Object(), () -> { });
            }
        }

        @Override
        public long allocateId() {
            return ++lastId;
        }

        @Override
        public void add(long id, EntryRecord record) {
            require(id > 0 && id <= lastId && before.entry(id) == null, id, "is in use or was not allocated");
            changes.add(new Commit.Change(id, Commit.Kind.ADDED));
            writes.add(target -> target.add(indexer, id, record));
        }

        @Override
        public void modify(long id, List<AttributeDelta> deltas) {
            changes.add(new Commit.Change(id, Commit.Kind.MODIFIED));
            replace(id, whole(id).apply(deltas));
        }

        @Override
        public void rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
            changes.add(new Commit.Change(id, Commit.Kind.RENAMED));
            replace(id, whole(id).moved(newParentId, rdn, deltas));
            writes.add(MemoryState::forgetDns);
        }

        private void replace(long id, EntryRecord changed) {
            writes.add(target -> {
                target.remove(indexer, id);
                target.add(indexer, id, changed);
            });
        }

        @Override
        public void delete(long id) {
            changes.add(new Commit.Change(id, Commit.Kind.DELETED));
            deleted.add(indexer.identity(existing(id)));
            writes.add(target -> {
                require(!target.hasChildren(id), id, "has children");
                target.remove(indexer, id);
            });
        }

        private EntryRecord whole(long id) {
            return new LargeValues(before, id).whole(existing(id));
        }

        private EntryRecord existing(long id) {
            EntryRecord record = before.entry(id);
            require(record != null, id, "does not exist");
            return record;
        }

        private void require(boolean condition, long id, String found) {
            if (!condition) {
                throw new IllegalArgumentException("entry " + id + " " + found);
            }
        }
    }
}
