package org.alder.partition.jdbm.segment;

import java.util.Objects;

/**
 * How a bulk load works.
 *
 * @param segment      how its segment is written
 * @param memoryBytes  the heap the load may take, about; at least 1 MiB. Most of it is for sorting index keys: more means fewer
 *                     and longer sorted runs
 * @param buildThreads how many index tables are built at the same time, 1 to 64; half as many threads sort
 */
public record BulkSettings(SegmentSettings segment, long memoryBytes, int buildThreads) {
    public static final long MIN_MEMORY_BYTES = 1L << 20;
    private static final long MAX_DEFAULT_MEMORY_BYTES = 256L << 20;
    private static final int MAX_BUILD_THREADS = 64;
    private static final int MAX_SORT_THREADS = 8;

    public BulkSettings {
        Objects.requireNonNull(segment, "segment");
        if (memoryBytes < MIN_MEMORY_BYTES) {
            throw new IllegalArgumentException("memoryBytes is " + memoryBytes + ", expected at least " + MIN_MEMORY_BYTES);
        }
        if (buildThreads < 1 || buildThreads > MAX_BUILD_THREADS) {
            throw new IllegalArgumentException("buildThreads is " + buildThreads + ", expected 1 to " + MAX_BUILD_THREADS);
        }
    }

    /** With {@link #defaultMemoryBytes}. */
    public static BulkSettings defaults() {
        return of(SegmentSettings.defaults(), defaultMemoryBytes());
    }

    /** As many threads as processors. */
    public static BulkSettings of(SegmentSettings segment, long memoryBytes) {
        return new BulkSettings(segment, memoryBytes, Math.min(MAX_BUILD_THREADS, Runtime.getRuntime().availableProcessors()));
    }

    /** A quarter of the heap, at most 256 MiB: beyond that longer runs gain less than the caches of the processor lose. */
    public static long defaultMemoryBytes() {
        return Math.max(MIN_MEMORY_BYTES, Math.min(MAX_DEFAULT_MEMORY_BYTES, Runtime.getRuntime().maxMemory() / 4));
    }

    int sortThreads() {
        return Math.max(1, Math.min(MAX_SORT_THREADS, buildThreads / 2));
    }
}
