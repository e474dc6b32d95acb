package org.alder.partition.jdbm.state;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.IndexSize;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.SystemRecords;

/**
 * The one place where the current {@link StoreState} is replaced. Reading it takes no lock. Thread safe.
 *
 * <p>Owns a reference to the current layers; {@link #close} gives it back.
 */
public final class LiveState {
    private volatile StoreState current;
    private volatile long heldBytes;
    /** The DNs before the last rename, which searches that began before still use; those before it would take the same once more each. */
    private BoundedDnMemo earlierDns;
    private boolean closed;

    public LiveState(StoreState first) {
        this.current = first;
    }

    public StoreState current() {
        return current;
    }

    /** The current state with a reference to its layers, which the caller releases. */
    public StoreState acquire() {
        StoreState state = current;
        while (!state.layers().tryAcquire()) {
            StoreState newer = current;
            if (newer == state) {
                throw new StoreException(StoreException.Kind.CLOSED, "the store is closed");
            }
            state = newer;
        }
        return state;
    }

    /** The current segments without the memory layers, which would stay with them: a reference, which the caller releases. */
    public LayerSet acquireSegments() {
        LayerSet layers = acquire().layers();
        try {
            return new LayerSet(layers.segments(), List.of(), layers.tables());
        } finally {
            layers.release();
        }
    }

    /** What memory layers that are on the disk take, as they are read, when it was last looked at. */
    public long heldBytes() {
        return heldBytes;
    }

    void setHeldBytes(long bytes) {
        heldBytes = bytes;
    }

    /** What the tables of complete indexes take in all segments, by what people call the indexes. */
    public Map<String, IndexSize> indexSizes() {
        StoreState state = acquire();
        LayerSet layers = state.layers();
        try {
            Set<String> complete = layers.tables().complete().stream().map(IndexSpec::name).collect(Collectors.toSet());
            Map<String, IndexSize> sizes = new HashMap<>();
            layers.segments().stream().flatMap(segment -> segment.descriptor().indexes().stream())
                    .filter(table -> complete.contains(table.spec().name()))
                    .forEach(table -> sizes.merge(IndexTables.indexOf(table.spec().name()), new IndexSize(table.table().pairCount(), table.diskBytes()),
                            IndexSize::plus));
            return sizes;
        } finally {
            layers.release();
        }
    }

    /** The figures of the current state beside those that the caller knows. */
    public StoreStatus status(long givenIds, LogFolder logs, long freeDiskBytes, long logSyncs, long transactions, String readOnlyReason,
            BackgroundStatus background) {
        StoreState state = acquire();
        LayerSet layers = state.layers();
        try {
            long diskBytes = layers.segments().stream().mapToLong(segment -> segment.descriptor().diskBytes()).sum();
            long memoryBytes = layers.memory().stream().mapToLong(MemoryLayer::sizeBytes).sum();
            long logBytes = logs.sizeBytes();
            return new StoreStatus(state.entries(), givenIds, state.sequence(), layers.segments().size(), diskBytes + logBytes, logBytes,
                    freeDiskBytes, memoryBytes, heldBytes, logSyncs, transactions, readOnlyReason, background);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot list the logs: " + e, e);
        } finally {
            layers.release();
        }
    }

    /** Shows what was applied up to the sequence to new snapshots. */
    public synchronized void publish(long sequence, long timeMillis, long entries, BoundedDnMemo dnMemo, SystemRecords records) {
        if (dnMemo != current.dnMemo()) {
            if (earlierDns != null) {
                earlierDns.retire();
            }
            earlierDns = current.dnMemo();
        }
        current = new StoreState(sequence, timeMillis, entries, current.layers(), dnMemo, records);
    }

    /** What DNs that are remembered may take, also those of earlier states. */
    public synchronized void limitDnMemo(long bytes) {
        current.dnMemo().limit(bytes);
        if (earlierDns != null) {
            earlierDns.limit(bytes);
        }
    }

    /** From now on transactions go to another memory layer. @param tables its indexes, null for those there are */
    public synchronized void freeze(MemoryLayer next, IndexTables tables) {
        current.layers().active().freeze(current.records());
        List<MemoryLayer> memory = new ArrayList<>(current.layers().memory());
        memory.add(next);
        replace(new LayerSet(current.layers().segments(), memory, tables == null ? current.layers().tables() : tables));
    }

    /**
     * Puts a layer that was made anew in the place of the one that takes transactions. Writer only.
     *
     * @param tables its indexes, null for those there are
     */
    public synchronized void replaceActive(MemoryLayer fresh, IndexTables tables) {
        List<MemoryLayer> memory = new ArrayList<>(current.layers().frozen());
        memory.add(fresh);
        replace(new LayerSet(current.layers().segments(), memory, tables == null ? current.layers().tables() : tables));
    }

    /**
     * Puts a segment with the keys of indexes below all others. The opener's reference to it stays the caller's.
     *
     * @param tables in which these indexes are not being built any more
     */
    public synchronized void indexed(Segment segment, IndexTables tables) {
        List<Segment> segments = new ArrayList<>(current.layers().segments());
        segments.add(0, segment);
        replace(new LayerSet(segments, current.layers().memory(), tables));
    }

    /** Puts a segment in the place of the oldest memory layer. The opener's reference to it stays the caller's. */
    public synchronized void flushed(MemoryLayer oldest, Segment segment) {
        List<MemoryLayer> memory = new ArrayList<>(current.layers().memory());
        if (memory.remove(0) != oldest) {
            throw new IllegalStateException("not the oldest memory layer was flushed");
        }
        List<Segment> segments = new ArrayList<>(current.layers().segments());
        segments.add(segment);
        replace(new LayerSet(segments, memory, current.layers().tables()));
    }

    /** Puts a segment in the place of adjacent ones. The opener's reference to it stays the caller's. */
    public synchronized void merged(List<Segment> sources, Segment segment) {
        List<Segment> segments = new ArrayList<>(current.layers().segments());
        int at = segments.indexOf(sources.get(0));
        segments.subList(at, at + sources.size()).clear();
        segments.add(at, segment);
        replace(new LayerSet(segments, current.layers().memory(), current.layers().tables()));
    }

    private void replace(LayerSet layers) {
        if (closed) {
            layers.release();
            throw new StoreException(StoreException.Kind.CLOSED, "the store is closed");
        }
        LayerSet old = current.layers();
        current = current.withLayers(layers);
        old.release();
    }

    public synchronized void close() {
        if (!closed) {
            closed = true;
            current.layers().release();
        }
    }
}
