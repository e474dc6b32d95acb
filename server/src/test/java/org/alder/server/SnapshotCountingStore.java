package org.alder.server;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.Transaction;

/** A store that knows how many of its snapshots were not closed. */
final class SnapshotCountingStore implements Store {
    private final Store inner;
    private final Map<Long, Set<String>> readers = new ConcurrentHashMap<>();
    private volatile boolean noting;
    private volatile boolean failing;
    private volatile long readingMillis;
    private final AtomicInteger records = new AtomicInteger();
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();

    SnapshotCountingStore(Store inner) {
        this.inner = inner;
    }

    Store inner() {
        return inner;
    }

    /** Notes from now on which threads read which entries. */
    void noteReaders() {
        noting = true;
    }

    /** Whether each look at an index fails from now on, as of a disk that cannot be read. */
    void failIndexes(boolean failing) {
        this.failing = failing;
    }

    /** Reading an entry takes so long from now on. */
    void readSlowly(long millis) {
        readingMillis = millis;
    }

    private void failIfAsked() {
        if (failing) {
            throw new StoreException(StoreException.Kind.IO, "injected fault");
        }
    }

    /** How often the record of an entry was read so far, and not its name alone. */
    int readRecords() {
        return records.get();
    }

    /** The names of the threads that have read an entry's record or name since. */
    Set<String> readersOf(long id) {
        return readers.getOrDefault(id, Set.of());
    }

    int openSnapshots() {
        return open.get();
    }

    /** So far. */
    int openedSnapshots() {
        return opened.get();
    }

    @Override
    public Snapshot snapshot() {
        Snapshot snapshot = new CountedSnapshot(inner.snapshot());
        open.incrementAndGet();
        opened.incrementAndGet();
        return snapshot;
    }

    @Override
    public long sequence() {
        return inner.sequence();
    }

    @Override
    public EntryIndexer indexer() {
        return inner.indexer();
    }

    @Override
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return inner.submit(transaction);
    }

    @Override
    public StoreMaintenance maintenance() {
        return inner.maintenance();
    }

    @Override
    public CommitFeed feed() {
        return new CommitFeed() {
            @Override
            public Following follow(CommitFollower follower) {
                open.incrementAndGet();
                Following following = inner.feed().follow(follower);
                AtomicBoolean ended = new AtomicBoolean();
                return () -> {
                    following.close();
                    if (ended.compareAndSet(false, true)) {
                        open.decrementAndGet();
                    }
                };
            }

            @Override
            public ChangeHistory changes(Csn since, Snapshot upTo) {
                return inner.feed().changes(since, upTo);
            }
        };
    }

    @Override
    public void close() {
        inner.close();
    }

    private final class CountedSnapshot implements Snapshot {
        private final Snapshot snapshot;
        private final AtomicBoolean closed = new AtomicBoolean();

        CountedSnapshot(Snapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public long sequence() {
            return snapshot.sequence();
        }

        @Override
        public EntryIndexer indexer() {
            return snapshot.indexer();
        }

        @Override
        public SystemRecords systemRecords() {
            return snapshot.systemRecords();
        }

        @Override
        public long timeMillis() {
            return snapshot.timeMillis();
        }

        private void note(long id) {
            if (noting) {
                readers.computeIfAbsent(id, key -> ConcurrentHashMap.newKeySet()).add(Thread.currentThread().getName());
            }
            if (readingMillis > 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(readingMillis));
            }
        }

        @Override
        public EntryRecord entry(long id) {
            note(id);
            records.incrementAndGet();
            return snapshot.entry(id);
        }

        @Override
        public StoredName name(long id) {
            note(id);
            return snapshot.name(id);
        }

        @Override
        public EntryLookup lookup(IdSet expected) {
            return new EntryLookup() {
                @Override
                public EntryRecord entry(long id) {
                    return CountedSnapshot.this.entry(id);
                }

                @Override
                public StoredName name(long id) {
                    return CountedSnapshot.this.name(id);
                }
            };
        }

        @Override
        public IdSet ids(int index, byte[] key) {
            failIfAsked();
            return snapshot.ids(index, key);
        }

        @Override
        public long cardinality(int index, byte[] key) {
            failIfAsked();
            return snapshot.cardinality(index, key);
        }

        @Override
        public KeyCursor keys(int index, KeyRange range) {
            failIfAsked();
            return snapshot.keys(index, range);
        }

        @Override
        public EntryCursor entries(long fromId) {
            return snapshot.entries(fromId);
        }

        @Override
        public DnMemo dnMemo() {
            return snapshot.dnMemo();
        }

        @Override
        public void close() {
            if (closed.compareAndSet(false, true)) {
                snapshot.close();
                open.decrementAndGet();
            }
        }
    }

    @Override
    public CompletableFuture<Boolean> awaitSequence(long sequence, long timeoutMillis) {
        return inner.awaitSequence(sequence, timeoutMillis);
    }

    @Override
    public Replica replica() {
        return inner.replica();
    }
}
