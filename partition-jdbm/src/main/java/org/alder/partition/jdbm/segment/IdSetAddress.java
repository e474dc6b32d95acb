package org.alder.partition.jdbm.segment;

import java.util.Arrays;

/**
 * Where a decoded ID set came from: the key of an {@link IdSetCache}. Immutable, thread safe.
 */
public final class IdSetAddress {
    private static final int OBJECT_BYTES = 64;

    private final long segmentId;
    private final int index;
    private final byte[] key;
    private final int hash;

    /**
     * @param segmentId {@link Segment#id()}, unique in this process, never reused
     * @param key       shared: must not be changed afterwards
     */
    IdSetAddress(long segmentId, int index, byte[] key) {
        this.segmentId = segmentId;
        this.index = index;
        this.key = key;
        this.hash = Arrays.hashCode(key) * 31 + Long.hashCode(segmentId * 0x9E3779B97F4A7C15L + index);
    }

    /** The segment the set belongs to: entries of one that is closed are never asked for again. */
    public long segmentId() {
        return segmentId;
    }

    public int index() {
        return index;
    }

    /** Shared: not to be changed. */
    public byte[] key() {
        return key;
    }

    /** Heap bytes this address holds, for caches that are bounded in bytes. */
    public int sizeBytes() {
        return OBJECT_BYTES + key.length;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IdSetAddress address && address.segmentId == segmentId && address.index == index
                && Arrays.equals(address.key, key);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
