package org.alder.partition.jdbm.block;

import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;

/**
 * Decoded blocks or B+Tree pages of any number of tables, bounded by the heap they take. Thread safe: lookups take no lock.
 *
 * <p>Many lookups miss where a directory is larger than the heap, so what matters is what a miss costs. Values stand in sets of
 * {@value #WAYS} slots, whose tags share a cache line: a miss reads one line. Once the cache is full only one new value in
 * {@value #ADMITTED_ONE_IN} is let in, by chance: what is asked for often gets in soon, what a large search reads once mostly
 * does not, so neither drives out the other nor moves through the garbage collector's generations. What goes is found by a
 * clock's hand (Corbato 1968): the next value that was not asked for since the hand last passed.
 *
 * <p>Blocks of a closed table are never asked for again, because table IDs are not reused: {@link #forget} them when convenient.
 *
 * @param <V> the values, immutable
 */
public final class BlockCache<V extends BlockCache.Block> {
    private static final int WAYS = 8;
    private static final int ADMITTED_ONE_IN = 16;
    private static final int MAX_SLOTS = 1 << 26;
    /** Smaller than most values are, so that most sets have free slots when the bound is reached. */
    private static final int BYTES_PER_SLOT = 2048;

    private static final int REHEARSED = 20_000;
    private static final int REHEARSED_BYTES = 16 << 10;

    static {
        rehearse();
    }

    /** What can be kept. */
    public interface Block {
        /** The heap it takes, about. */
        int weightBytes();
    }

    /** Is shown what is kept. */
    @FunctionalInterface
    public interface Visitor<V> {
        void visit(long tableId, V value);
    }

    /** A kept value; its final fields make it safe to find without a lock. */
    private static final class Slot<V> {
        private final long tableId;
        private final long recordId;
        private final V value;
        private final int bytes;
        /** Whether it was asked for since the hand passed. A lost update costs nothing but a worse choice. */
        private boolean used;

        Slot(long tableId, long recordId, V value, int bytes) {
            this.tableId = tableId;
            this.recordId = recordId;
            this.value = value;
            this.bytes = bytes;
        }

        boolean isOf(long table, long record) {
            return recordId == record && tableId == table;
        }
    }

    private volatile long limitBytes;
    private volatile Slots<V> table;
    private final LongAdder hits = new LongAdder();
    private final LongAdder misses = new LongAdder();
    private int hand;
    private volatile long bytes;
    private volatile int count;

    /** As many as a bound wants; another bound has others. */
    private static final class Slots<V> {
        /** Of each slot a part of its hash that is not 0, or 0 where it is empty; only a hint, read without a lock. */
        private final int[] tags;
        private final Slot<V>[] slots;

        @SuppressWarnings("unchecked")
        Slots(long limitBytes) {
            long wanted = Math.max(WAYS, Math.min(MAX_SLOTS, limitBytes / BYTES_PER_SLOT));
            int size = limitBytes <= 0 ? 0 : Integer.highestOneBit((int) (2 * wanted - 1));
            tags = new int[size];
            slots = (Slot<V>[]) new Slot<?>[size];
        }

        /** The first slot of the only set where a value of this hash may stand. */
        int set(long hash) {
            return (int) hash & slots.length - 1 & -WAYS;
        }
    }

    /**
     * Java's compiler leaves out what has never happened, as that a cache is full, and makes good for it when it happens; but not where it
     * has done so too often for other reasons, and then each miss falls back to the interpreter for as long as the process runs: searches
     * took twice the time. So a small cache has been full, and not full, before the others are.
     */
    private static void rehearse() {
        BlockCache<Block> small = new BlockCache<>(REHEARSED_BYTES);
        Block light = () -> REHEARSED_BYTES / WAYS;
        Block heavy = () -> 2 * REHEARSED_BYTES / WAYS;
        for (int i = 0; i < REHEARSED; i++) {
            int round = i / (8 * WAYS);
            // Of the light ones there are slots for all that fit, of the heavy ones for more.
            small.put(0, i, round % 2 == 0 ? light : heavy);
            if (i % 2 == 0) {
                small.get(0, i);
            }
            if (i % (8 * WAYS) == 0) {
                small.clear();
            }
        }
    }

    /** @param limitBytes the heap that the values may take, about; 0 = none are kept */
    public BlockCache(long limitBytes) {
        this.limitBytes = limitBytes;
        this.table = new Slots<>(limitBytes);
    }

    /** From now on values may take so much: what is too much is forgotten at once, and what is kept stays, mostly. */
    public synchronized void limit(long newLimitBytes) {
        if (newLimitBytes == limitBytes) {
            return;
        }
        Slot<V>[] old = table.slots;
        limitBytes = newLimitBytes;
        table = new Slots<>(newLimitBytes);
        hand = 0;
        bytes = 0;
        count = 0;
        for (Slot<V> slot : old) {
            if (slot != null && bytes + slot.bytes <= newLimitBytes) {
                place(slot);
            }
        }
    }

    private static long hash(long tableId, long recordId) {
        long mixed = (recordId * 0x9E3779B97F4A7C15L + tableId) * 0xD6E8FEB86659FD93L;
        return mixed ^ mixed >>> 32;
    }

    private static int tag(long hash) {
        return (int) (hash >>> 32) | 1;
    }

    /** Returns the value, or null where it is not kept. */
    public V get(long tableId, long recordId) {
        Slots<V> now = table;
        Slot<V>[] slots = now.slots;
        int[] tags = now.tags;
        if (slots.length > 0) {
            long hash = hash(tableId, recordId);
            int tag = tag(hash);
            int set = now.set(hash);
            for (int i = set; i < set + WAYS; i++) {
                if (tags[i] == tag) {
                    Slot<V> slot = slots[i];
                    if (slot != null && slot.isOf(tableId, recordId)) {
                        return hit(slot);
                    }
                }
            }
        }
        misses.increment();
        return null;
    }

    private V hit(Slot<V> slot) {
        if (!slot.used) {
            slot.used = true;
        }
        hits.increment();
        return slot.value;
    }

    /** Keeps the value, or does not. */
    public void put(long tableId, long recordId, V value) {
        int valueBytes = value.weightBytes();
        if (valueBytes > limitBytes || bytes + valueBytes > limitBytes
                && ThreadLocalRandom.current().nextInt(ADMITTED_ONE_IN) != 0) {
            return;
        }
        place(new Slot<>(tableId, recordId, value, valueBytes));
    }

    private synchronized void place(Slot<V> slot) {
        // The bound may have become less since it was looked at.
        if (slot.bytes > limitBytes) {
            return;
        }
        long hash = hash(slot.tableId, slot.recordId);
        Slot<V>[] slots = table.slots;
        int set = table.set(hash);
        int free = set;
        for (int i = set; i < set + WAYS; i++) {
            if (slots[i] == null) {
                free = i;
            } else if (slots[i].isOf(slot.tableId, slot.recordId)) {
                return;
            } else if (slots[free] != null && !slots[i].used) {
                free = i;
            }
        }
        remove(free);
        while (bytes + slot.bytes > limitBytes) {
            turn();
        }
        slots[free] = slot;
        table.tags[free] = tag(hash);
        bytes += slot.bytes;
        count++;
    }

    /** Moves the hand one slot on. */
    private void turn() {
        Slot<V> slot = table.slots[hand];
        if (slot != null && slot.used) {
            slot.used = false;
        } else {
            remove(hand);
        }
        hand = hand + 1 & table.slots.length - 1;
    }

    private void remove(int i) {
        Slot<V> slot = table.slots[i];
        if (slot != null) {
            table.tags[i] = 0;
            table.slots[i] = null;
            bytes -= slot.bytes;
            count--;
        }
    }

    /** Forgets what came from some tables. */
    public synchronized void forget(Set<Long> tableIds) {
        Slot<V>[] slots = table.slots;
        for (int i = 0; i < slots.length; i++) {
            if (slots[i] != null && tableIds.contains(slots[i].tableId)) {
                remove(i);
            }
        }
    }

    /** Forgets everything. */
    public synchronized void clear() {
        for (int i = 0; i < table.slots.length; i++) {
            remove(i);
        }
    }

    /** Shows all that is kept, in no order; counts as no lookup. */
    public void forEach(Visitor<V> visitor) {
        for (Slot<V> slot : table.slots) {
            if (slot != null) {
                visitor.visit(slot.tableId, slot.value);
            }
        }
    }

    public long limitBytes() {
        return limitBytes;
    }

    /** The heap that the values take, about. */
    public long sizeBytes() {
        return bytes;
    }

    /** The number of values. */
    public long count() {
        return count;
    }

    /** Lookups answered since the cache was made. */
    public long hits() {
        return hits.sum();
    }

    /** Lookups not answered. */
    public long misses() {
        return misses.sum();
    }
}
