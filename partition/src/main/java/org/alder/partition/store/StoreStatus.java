package org.alder.partition.store;

/**
 * Figures of a store, taken at one moment.
 *
 * @param entries the number of live entries
 * @param sequence the newest acknowledged commit sequence number
 * @param segments the number of published segments
 * @param diskBytes the bytes of all segments and logs
 * @param logBytes those of the logs alone
 * @param memoryLayerBytes the heap held by changes not yet in a segment
 * @param logSyncs how often the commit log was synced since the store was opened
 * @param transactions how many transactions were acknowledged since the store was opened
 * @param readOnlyReason why writes are refused, or null while they are accepted
 * @param background flushes and merges
 */
public record StoreStatus(long entries, long sequence, int segments, long diskBytes, long logBytes, long memoryLayerBytes,
        long logSyncs, long transactions, String readOnlyReason, BackgroundStatus background) {
}
