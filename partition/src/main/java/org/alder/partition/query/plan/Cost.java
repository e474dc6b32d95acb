package org.alder.partition.query.plan;

import org.alder.partition.id.IdSet;

/**
 * What the planner weighs, in rough nanoseconds of one core. Only the ratios count. Measured on the embedded store with 200,000
 * entries of 700 bytes, emptied caches: looking a key up and decoding its set of 300 IDs 2,400 to 4,000; an ID of a set of
 * 100,000 5 to 8; an entry of many 500, of a few 1,100 from the caches and 5,400 from the disk's cache. An ID counts less than
 * that, because large sets are few and stay in the cache once they were read: then all their IDs together cost less than a key.
 */
final class Cost {
    /** A wider range is not read before a search's first entry: about a tenth of a second of work. */
    static final long RANGE_KEYS = 100_000;

    private static final long KEY_NANOS = 3_000;
    private static final long ID_NANOS = 1;
    /** The IDs of a set that have the same upper 16 bits: no more than 8 KiB, however many they are. */
    private static final long BLOCK_NANOS = 4_000;
    private static final long ENTRY_TEST_NANOS = 1_500;

    private Cost() {
    }

    static long readNanos(long keys, long ids) {
        return plus(times(keys, KEY_NANOS), times(ids, ID_NANOS));
    }

    /** Which of these candidates have a key that so many entries have. */
    static long amongNanos(long ids, IdSet candidates) {
        return plus(KEY_NANOS, Math.min(times(ids, ID_NANOS), times(candidates.blocks(), BLOCK_NANOS)));
    }

    static long testNanos(long entries) {
        return times(entries, ENTRY_TEST_NANOS);
    }

    /** Whether spending this on a smaller set is cheaper than testing the entries of the present one. */
    static boolean isWorth(long readNanos, long entriesLeft) {
        return readNanos < testNanos(entriesLeft);
    }

    /** How many keys may be read instead of testing so many entries. */
    static long keysFor(long entriesLeft) {
        return times(entriesLeft, ENTRY_TEST_NANOS) / KEY_NANOS;
    }

    static long idsFor(long entriesLeft) {
        return times(entriesLeft, ENTRY_TEST_NANOS) / ID_NANOS;
    }

    static long plus(long a, long b) {
        return a + b < 0 ? Long.MAX_VALUE : a + b;
    }

    private static long times(long a, long factor) {
        return a > Long.MAX_VALUE / factor ? Long.MAX_VALUE : a * factor;
    }
}
