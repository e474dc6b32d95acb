package org.alder.partition.jdbm.state;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.Layer;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.store.EntryIndexer;

/**
 * The layers that make up the state between two flushes or merges. Its users are counted: the maker holds the first reference;
 * while there is one, the segments stay open. Immutable but for the count, thread safe.
 */
public final class LayerSet {
    private final List<Segment> segments;
    private final List<MemoryLayer> memory;
    private final IndexTables tables;
    private final AtomicInteger references = new AtomicInteger(1);

    /**
     * @param segments oldest first; a reference to each is taken, the caller must hold one meanwhile
     * @param memory   oldest first; the last one takes new transactions, the others are frozen
     * @param tables   the indexes, of which those that are not being built are complete in these layers
     */
    public LayerSet(List<Segment> segments, List<MemoryLayer> memory, IndexTables tables) {
        this.tables = tables;
        this.segments = List.copyOf(segments);
        this.memory = List.copyOf(memory);
        for (Segment segment : this.segments) {
            if (!segment.tryAcquire()) {
                throw new IllegalStateException("segment " + segment.folder() + " is closed");
            }
        }
    }

    public List<Segment> segments() {
        return segments;
    }

    public IndexTables tables() {
        return tables;
    }

    /** Derives the keys of what is committed next. */
    public EntryIndexer indexer() {
        return tables.indexer();
    }

    public List<MemoryLayer> memory() {
        return memory;
    }

    public MemoryLayer active() {
        return memory.get(memory.size() - 1);
    }

    public List<MemoryLayer> frozen() {
        return memory.subList(0, memory.size() - 1);
    }

    /** The state as of a sequence number. */
    public LayerStack at(long sequence) {
        return LayerStack.whole(layers(), sequence);
    }

    /** The newest state, with changes above it that are nobody else's. */
    public LayerStack below(MemoryLayer own) {
        List<Layer> layers = layers();
        layers.add(own);
        return LayerStack.whole(layers, Long.MAX_VALUE);
    }

    /** The entries from an ID on of which the newest state, or what is below it, knows anything, be it that they are deleted. */
    EntryVersionCursor known(long fromId) {
        return LayerStack.slice(layers(), Long.MAX_VALUE).entries(fromId);
    }

    /** Oldest first; the caller's own list. */
    private List<Layer> layers() {
        List<Layer> layers = new ArrayList<>(segments);
        layers.addAll(memory);
        return layers;
    }

    boolean tryAcquire() {
        int count = references.get();
        while (count > 0 && !references.compareAndSet(count, count + 1)) {
            count = references.get();
        }
        return count > 0;
    }

    public void release() {
        if (references.decrementAndGet() == 0) {
            segments.forEach(Segment::release);
        }
    }
}
