package org.alder.server.resource;

/**
 * How much of the heap all clients together may have. Immutable.
 *
 * @param unfinishedBytes in messages of which not all has come
 * @param operationBytes for all else: requests that wait or are being made, answers that are not read, entries that are sorted or
 *     gathered
 */
public record MemoryLimits(long unfinishedBytes, long operationBytes) {
    private static final int UNFINISHED_PERCENT = 8;
    private static final int OPERATION_PERCENT = 15;

    public MemoryLimits {
        if (unfinishedBytes < 0 || operationBytes < 0) {
            throw new IllegalArgumentException("limits of " + unfinishedBytes + " and " + operationBytes
                    + " bytes, expected at least 0");
        }
    }

    /** 8 % and 15 % of the heap. */
    public static MemoryLimits standard() {
        long heapBytes = Runtime.getRuntime().maxMemory();
        return new MemoryLimits(heapBytes * UNFINISHED_PERCENT / 100, heapBytes * OPERATION_PERCENT / 100);
    }
}
