package org.alder.partition.check;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares two collections of postings (index, key, ID) of any size in fixed memory: what the entries ask for is added, what the
 * indexes hold is taken away, and in the end every bucket must be zero. A posting's bucket follows from index and key; a bucket
 * holds two 64-bit sums of independent hashes of its postings, so that different collections pass as equal about once in 2^128.
 * The buckets that are not zero say which keys are worth a second look. One thread.
 */
final class PostingSums {
    private static final int BUCKETS = 1 << 16;
    private static final long FIRST = 0x9E37_79B9_7F4A_7C15L;
    private static final long SECOND = 0xC2B2_AE3D_27D4_EB4FL;
    private static final VarHandle WORDS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private final long[] sums = new long[BUCKETS * 2];

    void add(long keyHash, long id) {
        int bucket = bucket(keyHash) * 2;
        sums[bucket] += first(keyHash, id);
        sums[bucket + 1] += second(keyHash, id);
    }

    static long first(long keyHash, long id) {
        return mix(keyHash + id * FIRST);
    }

    /** Independent of the first. */
    static long second(long keyHash, long id) {
        return mix((keyHash ^ SECOND) - id * SECOND);
    }

    void subtract(long keyHash, long id) {
        int bucket = bucket(keyHash) * 2;
        sums[bucket] -= first(keyHash, id);
        sums[bucket + 1] -= second(keyHash, id);
    }

    static int bucket(long keyHash) {
        return (int) (keyHash >>> 48);
    }

    /** The buckets in which the two collections differ. */
    List<Integer> unequalBuckets() {
        List<Integer> unequal = new ArrayList<>();
        for (int bucket = 0; bucket < BUCKETS; bucket++) {
            if ((sums[bucket * 2] | sums[bucket * 2 + 1]) != 0) {
                unequal.add(bucket);
            }
        }
        return unequal;
    }

    static long hash(int index, byte[] key) {
        long hash = mix(index * SECOND + key.length);
        int at = 0;
        for (; at + Long.BYTES <= key.length; at += Long.BYTES) {
            hash = mix((hash ^ (long) WORDS.get(key, at)) * FIRST);
        }
        long tail = 0;
        for (; at < key.length; at++) {
            tail = tail << 8 | key[at] & 0xFF;
        }
        return mix(hash ^ tail * SECOND);
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
    private static long mix(long value) {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
