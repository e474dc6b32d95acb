package org.alder.partition.jdbm.state;

import java.util.function.Consumer;
import java.util.function.Function;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.SystemRecords;

/**
 * The layers read as of one sequence number. While it is open it keeps its segments open, and its memory layers in the heap; {@link
 * #expire} takes them back from a reader that keeps them too long, whose reads then fail with SNAPSHOT_EXPIRED. One that has ended
 * refers to no layer, nor does what was read of it step by step, whoever has it.
 */
public final class StoreSnapshot implements Snapshot, StateReader {
    private final long sequence;
    private final Object identity;
    private final long timeMillis;
    private final EntryIndexer indexer;
    private final BoundedDnMemo dnMemo;
    private final SystemRecords records;
    private final long openedNanos;
    private final Consumer<? super StoreSnapshot> onEnd;
    /** Null when it has ended. */
    private volatile LayerStack layers;
    /** Null where it is open, or was closed. */
    private volatile String takenBack;
    /** The newest of those that are open, which lead to the others. */
    private Reading<?> readings;

    /** Of a committed state. @param onEnd called once, when the snapshot is closed or expires: gives the layers back */
    public StoreSnapshot(StoreState state, Consumer<? super StoreSnapshot> onEnd) {
        this(state.sequence(), state.sequence(), state.timeMillis(), state.layers().at(state.sequence()), state.layers().indexer(),
                state.dnMemo(), state.records(), onEnd);
    }

    /** @param identity see {@link Snapshot#identity}  @param onEnd called once, as above */
    public StoreSnapshot(long sequence, Object identity, long timeMillis, LayerStack layers, EntryIndexer indexer,
            BoundedDnMemo dnMemo, SystemRecords records, Consumer<? super StoreSnapshot> onEnd) {
        this.records = records;
        this.indexer = indexer;
        this.sequence = sequence;
        this.identity = identity;
        this.timeMillis = timeMillis;
        this.layers = layers;
        this.dnMemo = dnMemo;
        this.openedNanos = System.nanoTime();
        this.onEnd = onEnd;
    }

    @Override
    public long openedNanos() {
        return openedNanos;
    }

    /** Reads, and says so where the snapshot has ended. */
    private <T> T read(Function<LayerStack, T> reading) {
        LayerStack from = layers;
        if (from == null) {
            throw ended();
        }
        try {
            return reading.apply(from);
        } catch (IllegalStateException e) {
            throw endedOr(e);
        }
    }

    /** A table that was closed under the read, because the snapshot ended on another thread; else the fault itself. */
    private RuntimeException endedOr(IllegalStateException fault) {
        return layers == null ? ended() : fault;
    }

    private StoreException ended() {
        return ended(sequence, takenBack);
    }

    /** @param why it was taken back; null if it was closed */
    static StoreException ended(long sequence, String why) {
        return why == null
                ? new StoreException(StoreException.Kind.CLOSED, "the snapshot of sequence " + sequence + " is closed")
                : new StoreException(StoreException.Kind.SNAPSHOT_EXPIRED, "what is read is the state of sequence " + sequence
                        + ", which was taken back: the search " + why);
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
    public EntryIndexer indexer() {
        return indexer;
    }

    @Override
    public SystemRecords systemRecords() {
        return records;
    }

    @Override
    public long timeMillis() {
        return timeMillis;
    }

    @Override
    public EntryRecord entry(long id) {
        EntryVersion version = read(from -> from.entry(id));
        return version == null ? null : version.record();
    }

    @Override
    public StoredName name(long id) {
        return read(from -> from.name(id));
    }

    @Override
    public EntryLookup lookup(IdSet expected) {
        return new Lookup(read(from -> from.finder(expected)));
    }

    @Override
    public IdSet ids(int index, byte[] key) {
        return read(from -> from.ids(index, key)).added();
    }

    @Override
    public IdSet ids(int index, byte[] key, IdSet among) {
        return read(from -> from.ids(index, key, among)).added();
    }

    @Override
    public long cardinality(int index, byte[] key) {
        return read(from -> from.netCardinality(index, key));
    }

    @Override
    public KeyCursor keys(int index, KeyRange range) {
        return new Keys(read(from -> from.keys(index, range)));
    }

    @Override
    public EntryCursor entries(long fromId) {
        return new Entries(read(from -> new ProbedEntries(from, fromId)));
    }

    @Override
    public DnMemo dnMemo() {
        return dnMemo;
    }

    @Override
    public void close() {
        end(null);
    }

    @Override
    public void expire(String why) {
        end(why);
    }

    /** @param why it is taken back; null if it is closed */
    void end(String why) {
        synchronized (this) {
            if (layers == null) {
                return;
            }
            takenBack = why;
            layers = null;
            for (Reading<?> reading = readings; reading != null; reading = reading.older) {
                reading.source = null;
            }
            readings = null;
        }
        onEnd.accept(this);
    }

    /** What reads the layers step by step, and forgets them when the snapshot ends. */
    private abstract class Reading<T> {
        /** Null when it has ended, or the snapshot. */
        private volatile T source;
        private Reading<?> older;
        private Reading<?> newer;

        Reading(T source) {
            synchronized (StoreSnapshot.this) {
                if (layers != null) {
                    this.source = source;
                    older = readings;
                    if (older != null) {
                        older.newer = this;
                    }
                    readings = this;
                }
            }
        }

        final T source() {
            T now = source;
            if (now == null) {
                throw ended();
            }
            return now;
        }

        public void close() {
            synchronized (StoreSnapshot.this) {
                if (source == null) {
                    return;
                }
                source = null;
                if (older != null) {
                    older.newer = newer;
                }
                if (newer == null) {
                    readings = older;
                } else {
                    newer.older = older;
                }
            }
        }
    }

    private final class Lookup extends Reading<EntryFinder> implements EntryLookup {
        Lookup(EntryFinder finder) {
            super(finder);
        }

        /** As {@link #read}, without making an object for each entry. */
        @Override
        public EntryRecord entry(long id) {
            EntryFinder finder = source();
            try {
                EntryVersion version = finder.entry(id);
                return version == null ? null : version.record();
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }

        @Override
        public StoredName name(long id) {
            EntryFinder finder = source();
            try {
                return finder.name(id);
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }

        @Override
        public boolean mayMatch(long id, EntryProbe probe) {
            EntryFinder finder = source();
            try {
                return finder.test(id, probe) != EntryFinder.Answer.NO;
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }
    }

    private final class Keys extends Reading<KeyDeltaCursor> implements KeyCursor {
        Keys(KeyDeltaCursor cursor) {
            super(cursor);
        }

        @Override
        public boolean next() {
            KeyDeltaCursor cursor = source();
            try {
                return cursor.next();
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }

        @Override
        public byte[] key() {
            return source().key();
        }

        @Override
        public long cardinality() {
            KeyDeltaCursor cursor = source();
            try {
                return cursor.netCardinality();
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }

        @Override
        public IdSet ids() {
            KeyDeltaCursor cursor = source();
            try {
                return cursor.delta().added();
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }
    }

    private final class Entries extends Reading<EntryVersionCursor> implements EntryCursor {
        Entries(EntryVersionCursor cursor) {
            super(cursor);
        }

        @Override
        public boolean next() {
            EntryVersionCursor cursor = source();
            try {
                return cursor.next();
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }

        @Override
        public long id() {
            return source().id();
        }

        @Override
        public EntryRecord entry() {
            EntryVersionCursor cursor = source();
            try {
                return cursor.version().record();
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }

        @Override
        public boolean mayMatch(EntryProbe probe) {
            EntryVersionCursor cursor = source();
            try {
                return cursor.mayMatch(probe);
            } catch (IllegalStateException e) {
                throw endedOr(e);
            }
        }
    }
}
