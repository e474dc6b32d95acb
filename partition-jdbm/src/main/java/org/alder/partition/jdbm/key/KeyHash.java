package org.alder.partition.jdbm.key;

import org.alder.partition.jdbm.block.BigEndian;

/**
 * The 64-bit hash of a key in a {@link KeyTable}. Part of its format (docs/format/key-table.md): do not change without a new
 * version. The seed, another in each file, keeps clients from choosing values whose keys all fall into one bucket.
 */
final class KeyHash {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final long LAST_1 = 0xFF51AFD7ED558CCDL;
    private static final long LAST_2 = 0xC4CEB9FE1A85EC53L;

    private KeyHash() {
    }

    /** Takes eight bytes at a time, what is left as a number of its own, and ends as MurmurHash3's 64-bit finalizer does. */
    static long of(byte[] key, long seed) {
        long hash = seed + key.length;
        int at = 0;
        for (; at <= key.length - Long.BYTES; at += Long.BYTES) {
            hash = step(hash ^ BigEndian.getLong(key, at));
        }
        long rest = 0;
        for (; at < key.length; at++) {
            rest = rest << 8 | key[at] & 0xff;
        }
        return last(step(hash ^ rest));
    }

    private static long step(long number) {
        long product = number * STEP;
        return product ^ product >>> 32;
    }

    private static long last(long number) {
        long mixed = (number ^ number >>> 33) * LAST_1;
        mixed = (mixed ^ mixed >>> 33) * LAST_2;
        return mixed ^ mixed >>> 33;
    }
}
