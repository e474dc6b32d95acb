package org.alder.partition.memory;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.SystemRecords;

/** Shows a {@link MemoryState}. Thread safe. */
final class MemorySnapshot implements Snapshot {
    private final MemoryState state;
    private final Object identity;
    private final MemoryDnMemo dns;
    private volatile boolean closed;

    /** Of a committed state. */
    MemorySnapshot(MemoryState state) {
        this(state, state.sequence());
    }

    /** @param identity see {@link Snapshot#identity} */
    MemorySnapshot(MemoryState state, Object identity) {
        this.state = state;
        this.identity = identity;
        this.dns = state.dns();
    }

    private MemoryState open() {
        if (closed) {
            throw new StoreException(StoreException.Kind.CLOSED, "the snapshot is closed");
        }
        return state;
    }

    @Override
    public long sequence() {
        return state.sequence();
    }

    @Override
    public Object identity() {
        return identity;
    }

    @Override
    public EntryIndexer indexer() {
        return state.indexer();
    }

    @Override
    public SystemRecords systemRecords() {
        return state.systemRecords();
    }

    @Override
    public long timeMillis() {
        return state.timeMillis();
    }

    @Override
    public EntryRecord entry(long id) {
        return open().entries().get(id);
    }

    @Override
    public IdSet ids(int index, byte[] key) {
        IdSet ids = open().index(index).get(key);
        return ids == null ? IdSet.EMPTY : ids;
    }

    @Override
    public long cardinality(int index, byte[] key) {
        return ids(index, key).cardinality();
    }

    @Override
    public KeyCursor keys(int index, KeyRange range) {
        SortedTree.Cursor<byte[], IdSet> keys = open().index(index).from(range.from());
        return new KeyCursor() {
            @Override
            public boolean next() {
                open();
                return keys.next() && range.endsBehind(keys.key());
            }

            @Override
            public byte[] key() {
                return keys.key();
            }

            @Override
            public long cardinality() {
                return keys.value().cardinality();
            }

            @Override
            public IdSet ids() {
                return keys.value();
            }

            @Override
            public void close() {
                // The snapshot ends it.
            }
        };
    }

    @Override
    public EntryCursor entries(long fromId) {
        SortedTree.Cursor<Long, EntryRecord> entries = open().entries().from(fromId);
        return new EntryCursor() {
            @Override
            public boolean next() {
                open();
                return entries.next();
            }

            @Override
            public long id() {
                return entries.key();
            }

            @Override
            public EntryRecord entry() {
                return entries.value();
            }

            @Override
            public void close() {
                // The snapshot ends it.
            }
        };
    }

    @Override
    public DnMemo dnMemo() {
        return dns;
    }

    @Override
    public void close() {
        closed = true;
    }
}
