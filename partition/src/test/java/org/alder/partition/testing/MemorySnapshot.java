package org.alder.partition.testing;

import java.util.Iterator;
import java.util.Map;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.Snapshot;

/** A {@link MemoryState} that is not changed until this is closed. */
final class MemorySnapshot implements Snapshot {
    private final MemoryState state;
    private final long sequence;
    private final Object identity;
    private final long timeMillis;
    private final MemoryDnMemo dns;
    private final Runnable onClose;
    private boolean closed;

    MemorySnapshot(MemoryState state, Runnable onClose) {
        this(state, state.sequence(), onClose);
    }

    /** @param identity see {@link Snapshot#identity} */
    MemorySnapshot(MemoryState state, Object identity, Runnable onClose) {
        this.state = state;
        this.sequence = state.sequence();
        this.identity = identity;
        this.timeMillis = state.timeMillis();
        this.dns = state.dns();
        this.onClose = onClose;
    }

    private MemoryState open() {
        if (closed) {
            throw new StoreException(StoreException.Kind.CLOSED, "the snapshot is closed");
        }
        return state;
    }

    @Override
    public Object identity() {
        return identity;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long timeMillis() {
        return timeMillis;
    }

    @Override
    public EntryRecord entry(long id) {
        return open().entries().get(id);
    }

    @Override
    public IdSet ids(int index, byte[] key) {
        return open().index(index).getOrDefault(key, IdSet.EMPTY);
    }

    @Override
    public long cardinality(int index, byte[] key) {
        return ids(index, key).cardinality();
    }

    @Override
    public KeyCursor keys(int index, byte[] fromKey) {
        return new Keys(open().index(index).tailMap(fromKey, true).entrySet().iterator());
    }

    @Override
    public EntryCursor entries(long fromId) {
        return new Entries(open().entries().tailMap(fromId, true).entrySet().iterator());
    }

    @Override
    public DnMemo dnMemo() {
        return dns;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            onClose.run();
        }
    }

    private static final class Keys implements KeyCursor {
        private final Iterator<Map.Entry<byte[], IdSet>> iterator;
        private Map.Entry<byte[], IdSet> current;

        Keys(Iterator<Map.Entry<byte[], IdSet>> iterator) {
            this.iterator = iterator;
        }

        @Override
        public boolean next() {
            current = iterator.hasNext() ? iterator.next() : null;
            return current != null;
        }

        @Override
        public byte[] key() {
            return current.getKey();
        }

        @Override
        public long cardinality() {
            return current.getValue().cardinality();
        }

        @Override
        public IdSet ids() {
            return current.getValue();
        }

        @Override
        public void close() {
            current = null;
        }
    }

    private static final class Entries implements EntryCursor {
        private final Iterator<Map.Entry<Long, EntryRecord>> iterator;
        private Map.Entry<Long, EntryRecord> current;

        Entries(Iterator<Map.Entry<Long, EntryRecord>> iterator) {
            this.iterator = iterator;
        }

        @Override
        public boolean next() {
            current = iterator.hasNext() ? iterator.next() : null;
            return current != null;
        }

        @Override
        public long id() {
            return current.getKey();
        }

        @Override
        public EntryRecord entry() {
            return current.getValue();
        }

        @Override
        public void close() {
            current = null;
        }
    }
}
