package org.alder.partition.jdbm.table;

/**
 * Where a decoded block or tree page came from: the key of the caches.
 *
 * @param tableId  {@link Table#id()}, unique in this process, never reused
 * @param recordId the JDBM2 record ID in that table's file
 */
public record BlockAddress(long tableId, long recordId) {

    @Override
    public int hashCode() {
        return Long.hashCode(recordId * 0x9E3779B97F4A7C15L + tableId);
    }
}
