package org.alder.partition.jdbm.state;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.store.Commit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands out snapshots of the live state, and commits, and takes back those that stay open too long, and the oldest where memory
 * layers that are on the disk already take too much of the heap because they are read. Thread safe.
 */
public final class OpenSnapshots {
    private static final Logger LOG = LoggerFactory.getLogger(OpenSnapshots.class);

    private final LiveState live;
    private final LongSupplier limitMillis;
    private final LongSupplier heldLimitBytes;
    /** With the layers that are kept for each, to which this is the one reference that is not the live state's. */
    private final Map<StateReader, LayerSet> open = new ConcurrentHashMap<>();
    private final Consumer<StateReader> onEnd = this::ended;
    private final LongAdder opened = new LongAdder();

    /**
     * @param limitMillis    0 = no limit; asked for at each look, as the other
     * @param heldLimitBytes what memory layers that are on the disk may take
     */
    public OpenSnapshots(LiveState live, LongSupplier limitMillis, LongSupplier heldLimitBytes) {
        this.live = live;
        this.limitMillis = limitMillis;
        this.heldLimitBytes = heldLimitBytes;
    }

    public StoreSnapshot open() {
        StoreState state = live.acquire();
        StoreSnapshot snapshot = new StoreSnapshot(state, onEnd);
        open.put(snapshot, state.layers());
        opened.increment();
        return snapshot;
    }

    /** @param after the state it made, to whose layers the caller holds a reference; those before it are the same */
    PublishedCommit commit(StoreState before, StoreState after, List<Commit.Change> changes, long heapBytes) {
        if (!after.layers().tryAcquire()) {
            throw new IllegalStateException("the layers of a commit are closed while it is written");
        }
        PublishedCommit commit = new PublishedCommit(before, after, changes, heapBytes, onEnd);
        open.put(commit, after.layers());
        return commit;
    }

    private void ended(StateReader reader) {
        open.remove(reader).release();
    }

    /** How many snapshots were opened so far. */
    public long opened() {
        return opened.sum();
    }

    /** Takes back what is open longer than the limit. Called now and then. */
    public void expire(long nowNanos) {
        long limitNanos = TimeUnit.MILLISECONDS.toNanos(limitMillis.getAsLong());
        if (limitNanos == 0) {
            return;
        }
        for (StateReader reader : open.keySet()) {
            if (nowNanos - reader.openedNanos() > limitNanos) {
                String limit = TimeUnit.NANOSECONDS.toSeconds(limitNanos) + " s (snapshotTimeLimitSeconds)";
                LOG.warn("Taking back the snapshot of sequence {}: it was open longer than {}", reader.sequence(), limit);
                reader.expire("was open longer than " + limit);
            }
        }
    }

    /** Takes back all. @param reason why, as a sentence about a snapshot goes on */
    public void expireAll(String reason) {
        open.keySet().forEach(reader -> reader.expire(reason));
    }

    /** Takes back the oldest until what the others keep is little enough. Called after each flush, and now and then. */
    public synchronized void boundHeldLayers() {
        LayerSet now = live.current().layers();
        long mostBytes = heldLimitBytes.getAsLong();
        List<Map.Entry<StateReader, LayerSet>> oldestFirst = open.entrySet().stream().filter(entry -> entry.getValue() != now)
                .sorted(Comparator.comparingLong(entry -> entry.getKey().openedNanos())).toList();
        int ended = 0;
        long foundBytes = heldBytes(oldestFirst, now);
        long heldBytes = foundBytes;
        while (heldBytes > mostBytes && ended < oldestFirst.size()) {
            LayerSet oldest = oldestFirst.get(ended).getValue();
            // One of those who share their layers frees nothing.
            while (ended < oldestFirst.size() && oldestFirst.get(ended).getValue() == oldest) {
                oldestFirst.get(ended).getKey().expire("began before others, and what is kept in memory for such searches alone, as "
                        + "it is on the disk already, takes " + foundBytes + " bytes, more than " + mostBytes
                        + " (heldLayerBytes)");
                ended++;
            }
            heldBytes = heldBytes(oldestFirst.subList(ended, oldestFirst.size()), now);
        }
        if (ended > 0) {
            LOG.warn("Took back the {} oldest of {} snapshots: {} bytes of memory layers that are on the disk already were kept for "
                    + "them, more than {} (heldLayerBytes)", ended, oldestFirst.size(), foundBytes, mostBytes);
        }
        live.setHeldBytes(heldBytes);
    }

    private static long heldBytes(Collection<Map.Entry<StateReader, LayerSet>> readers, LayerSet now) {
        Set<LayerSet> sets = Collections.newSetFromMap(new IdentityHashMap<>());
        readers.forEach(reader -> sets.add(reader.getValue()));
        Set<MemoryLayer> held = Collections.newSetFromMap(new IdentityHashMap<>());
        sets.forEach(layers -> held.addAll(layers.memory()));
        now.memory().forEach(held::remove);
        return held.stream().mapToLong(MemoryLayer::sizeBytes).sum();
    }
}
