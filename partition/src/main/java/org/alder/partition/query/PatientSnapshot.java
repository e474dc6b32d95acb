package org.alder.partition.query;

import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.Patience;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.SystemRecords;

/**
 * A snapshot for work whose length a client decides: whatever is looked up, {@link Patience} is asked each so many look-ups, and what
 * it says ends the work as a {@link GivenUpException}. A usual search takes fewer. One thread at a time; does not own the snapshot.
 */
public final class PatientSnapshot implements Snapshot {
    private static final int ASKED_EACH = 64;

    private final Snapshot inner;
    private final Patience patience;
    private int lookUps;

    private PatientSnapshot(Snapshot inner, Patience patience) {
        this.inner = inner;
        this.patience = patience;
    }

    /** The snapshot itself where the patience has no end. */
    public static Snapshot of(Snapshot snapshot, Patience patience) {
        return patience == Patience.ENDLESS ? snapshot : new PatientSnapshot(snapshot, patience);
    }

    private void count() {
        if (++lookUps % ASKED_EACH == 0) {
            patience.checkOrGiveUp();
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
    public EntryIndexer indexer() {
        return inner.indexer();
    }

    @Override
    public SystemRecords systemRecords() {
        return inner.systemRecords();
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
    public StoredName name(long id) {
        count();
        return inner.name(id);
    }

    @Override
    public EntryLookup lookup(IdSet expected) {
        return new Lookup(inner.lookup(expected));
    }

    @Override
    public IdSet ids(int index, byte[] key) {
        count();
        return inner.ids(index, key);
    }

    @Override
    public IdSet ids(int index, byte[] key, IdSet among) {
        count();
        return inner.ids(index, key, among);
    }

    @Override
    public long cardinality(int index, byte[] key) {
        count();
        return inner.cardinality(index, key);
    }

    @Override
    public KeyCursor keys(int index, KeyRange range) {
        count();
        return new Keys(inner.keys(index, range));
    }

    @Override
    public EntryCursor entries(long fromId) {
        return new Entries(inner.entries(fromId));
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

    private final class Lookup implements EntryLookup {
        private final EntryLookup entries;

        Lookup(EntryLookup entries) {
            this.entries = entries;
        }

        @Override
        public EntryRecord entry(long id) {
            count();
            return entries.entry(id);
        }

        @Override
        public StoredName name(long id) {
            count();
            return entries.name(id);
        }

        @Override
        public boolean mayMatch(long id, EntryProbe probe) {
            count();
            return entries.mayMatch(id, probe);
        }
    }

    private final class Entries implements EntryCursor {
        private final EntryCursor entries;

        Entries(EntryCursor entries) {
            this.entries = entries;
        }

        @Override
        public boolean next() {
            count();
            return entries.next();
        }

        @Override
        public long id() {
            return entries.id();
        }

        @Override
        public EntryRecord entry() {
            return entries.entry();
        }

        @Override
        public boolean mayMatch(EntryProbe probe) {
            return entries.mayMatch(probe);
        }

        @Override
        public void close() {
            entries.close();
        }
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
