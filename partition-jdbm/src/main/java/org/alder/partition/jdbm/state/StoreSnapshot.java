package org.alder.partition.jdbm.state;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryFinder;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.store.Snapshot;

/**
 * The layers read as of one sequence number. While it is open it keeps its segments open; {@link #expire} takes them back from
 * a reader that keeps them too long, whose reads then fail with SNAPSHOT_EXPIRED.
 */
public final class StoreSnapshot implements Snapshot {
    private enum Status { OPEN, CLOSED, EXPIRED }

    private final long sequence;
    private final Object identity;
    private final long timeMillis;
    private final LayerStack layers;
    private final BoundedDnMemo dnMemo;
    private final long openedNanos;
    private final Consumer<StoreSnapshot> onEnd;
    private final AtomicReference<Status> status = new AtomicReference<>(Status.OPEN);

    /** Of a committed state. */
    public StoreSnapshot(long sequence, long timeMillis, LayerStack layers, BoundedDnMemo dnMemo, long openedNanos,
            Consumer<StoreSnapshot> onEnd) {
        this(sequence, sequence, timeMillis, layers, dnMemo, openedNanos, onEnd);
    }

    /** @param onEnd called once, when the snapshot is closed or expires: gives the layers back */
    public StoreSnapshot(long sequence, Object identity, long timeMillis, LayerStack layers, BoundedDnMemo dnMemo, long openedNanos,
            Consumer<StoreSnapshot> onEnd) {
        this.sequence = sequence;
        this.identity = identity;
        this.timeMillis = timeMillis;
        this.layers = layers;
        this.dnMemo = dnMemo;
        this.openedNanos = openedNanos;
        this.onEnd = onEnd;
    }

    /** For comparison with {@link System#nanoTime()}. */
    long openedNanos() {
        return openedNanos;
    }

    /** Reads, and says so where the snapshot has ended. */
    private <T> T read(Supplier<T> reading) {
        requireOpen();
        try {
            return reading.get();
        } catch (IllegalStateException e) {
            // A table that was closed under the read, because the snapshot ended on another thread.
            requireOpen();
            throw e;
        }
    }

    private void requireOpen() {
        Status now = status.get();
        if (now == Status.CLOSED) {
            throw new StoreException(StoreException.Kind.CLOSED, "the snapshot of sequence " + sequence + " is closed");
        }
        if (now == Status.EXPIRED) {
            throw new StoreException(StoreException.Kind.SNAPSHOT_EXPIRED, "the snapshot of sequence " + sequence
                    + " was open longer than the store's time limit and was taken back");
        }
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
        EntryVersion version = read(() -> layers.entry(id));
        return version == null ? null : version.record();
    }

    @Override
    public EntryLookup lookup(IdSet expected) {
        EntryFinder finder = layers.finder(expected);
        return id -> found(finder, id);
    }

    /** As {@link #read}, without making an object for each entry. */
    private EntryRecord found(EntryFinder finder, long id) {
        requireOpen();
        try {
            EntryVersion version = finder.entry(id);
            return version == null ? null : version.record();
        } catch (IllegalStateException e) {
            requireOpen();
            throw e;
        }
    }

    @Override
    public IdSet ids(int index, byte[] key) {
        return read(() -> layers.ids(index, key)).added();
    }

    @Override
    public long cardinality(int index, byte[] key) {
        return read(() -> layers.netCardinality(index, key));
    }

    @Override
    public KeyCursor keys(int index, byte[] fromKey) {
        return new Keys(read(() -> layers.keys(index, fromKey)));
    }

    @Override
    public EntryCursor entries(long fromId) {
        return new Entries(read(() -> layers.entries(fromId)));
    }

    @Override
    public DnMemo dnMemo() {
        return dnMemo;
    }

    @Override
    public void close() {
        if (status.compareAndSet(Status.OPEN, Status.CLOSED)) {
            onEnd.accept(this);
        }
    }

    void expire() {
        if (status.compareAndSet(Status.OPEN, Status.EXPIRED)) {
            onEnd.accept(this);
        }
    }

    private final class Keys implements KeyCursor {
        private final KeyDeltaCursor cursor;

        private Keys(KeyDeltaCursor cursor) {
            this.cursor = cursor;
        }

        @Override
        public boolean next() {
            return read(cursor::next);
        }

        @Override
        public byte[] key() {
            return cursor.key();
        }

        @Override
        public long cardinality() {
            return read(cursor::netCardinality);
        }

        @Override
        public IdSet ids() {
            return read(cursor::delta).added();
        }

        @Override
        public void close() {
            // The snapshot owns what is read; the cursor holds nothing else.
        }
    }

    private final class Entries implements EntryCursor {
        private final EntryVersionCursor cursor;

        private Entries(EntryVersionCursor cursor) {
            this.cursor = cursor;
        }

        @Override
        public boolean next() {
            requireOpen();
            try {
                return cursor.next();
            } catch (IllegalStateException e) {
                requireOpen();
                throw e;
            }
        }

        @Override
        public long id() {
            return cursor.id();
        }

        @Override
        public EntryRecord entry() {
            return cursor.version().record();
        }

        @Override
        public void close() {
            // The snapshot owns what is read; the cursor holds nothing else.
        }
    }
}
