package org.alder.partition.jdbm.segment;

import java.util.Objects;

/**
 * How a bulk load works.
 *
 * @param segment         how its segment is written
 * @param sortMemoryBytes the heap for sorting index keys, about; at least 1 MiB. More means fewer and longer sorted runs
 * @param buildThreads    how many index tables are built at the same time, 1 to 64
 */
public record BulkSettings(SegmentSettings segment, long sortMemoryBytes, int buildThreads) {
    private static final long MIN_SORT_MEMORY_BYTES = 1L << 20;
    private static final long DEFAULT_SORT_MEMORY_BYTES = 256L << 20;
    private static final int MAX_BUILD_THREADS = 64;

    public BulkSettings {
        Objects.requireNonNull(segment, "segment");
        if (sortMemoryBytes < MIN_SORT_MEMORY_BYTES) {
            throw new IllegalArgumentException("sortMemoryBytes is " + sortMemoryBytes + ", expected at least "
                    + MIN_SORT_MEMORY_BYTES);
        }
        if (buildThreads < 1 || buildThreads > MAX_BUILD_THREADS) {
            throw new IllegalArgumentException("buildThreads is " + buildThreads + ", expected 1 to " + MAX_BUILD_THREADS);
        }
    }

    /** 256 MiB or a quarter of the heap, whichever is less, and as many threads as processors. */
    public static BulkSettings defaults() {
        Runtime runtime = Runtime.getRuntime();
        long memory = Math.max(MIN_SORT_MEMORY_BYTES, Math.min(DEFAULT_SORT_MEMORY_BYTES, runtime.maxMemory() / 4));
        return new BulkSettings(SegmentSettings.defaults(), memory, Math.min(MAX_BUILD_THREADS, runtime.availableProcessors()));
    }
}
