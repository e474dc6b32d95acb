package org.alder.partition.query.plan;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.Patience;
import org.alder.partition.store.Snapshot;

/**
 * The snapshot that a search is planned on: whatever is looked up, {@link Patience} is asked each so many look-ups. Planning a
 * usual search takes fewer. One thread.
 */
final class PatientSnapshot implements Snapshot {
    private static final int ASKED_EACH = 64;

    /** Ends the planning; nobody beside {@link QueryPlanner} sees it. */
    static final class Ended extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient DirectoryException result;

        Ended(DirectoryException result) {
            super(null, null, false, false);
            this.result = result;
        }

        DirectoryException result() {
            return result;
        }
    }

    private final Snapshot inner;
    private final Patience patience;
    private int lookUps;

    PatientSnapshot(Snapshot inner, Patience patience) {
        this.inner = inner;
        this.patience = patience;
    }

    private void count() {
        if (++lookUps % ASKED_EACH == 0) {
            try {
                patience.check();
            } catch (DirectoryException e) {
                throw new Ended(e);
            }
        }
    }

    @Override
    public long sequence() {
        return inner.sequence();
    }

    @Override
    public Object identity() {
        return inner.identity();
    }

    @Override
    public long timeMillis() {
        return inner.timeMillis();
    }

    @Override
    public EntryRecord entry(long id) {
        count();
        return inner.entry(id);
    }

    @Override
    public EntryLookup lookup(IdSet expected) {
        EntryLookup entries = inner.lookup(expected);
        return id -> {
            count();
            return entries.entry(id);
        };
    }

    @Override
    public IdSet ids(int index, byte[] key) {
        count();
        return inner.ids(index, key);
    }

    @Override
    public long cardinality(int index, byte[] key) {
        count();
        return inner.cardinality(index, key);
    }

    @Override
    public KeyCursor keys(int index, byte[] fromKey) {
        count();
        return new Keys(inner.keys(index, fromKey));
    }

    @Override
    public EntryCursor entries(long fromId) {
        return inner.entries(fromId);
    }

    @Override
    public DnMemo dnMemo() {
        return inner.dnMemo();
    }

    /** Does nothing: the snapshot is its opener's. */
    @Override
    public void close() {
        lookUps = 0;
    }

    private final class Keys implements KeyCursor {
        private final KeyCursor keys;

        Keys(KeyCursor keys) {
            this.keys = keys;
        }

        @Override
        public boolean next() {
            count();
            return keys.next();
        }

        @Override
        public byte[] key() {
            return keys.key();
        }

        @Override
        public long cardinality() {
            return keys.cardinality();
        }

        @Override
        public IdSet ids() {
            return keys.ids();
        }

        @Override
        public void close() {
            keys.close();
        }
    }
}
