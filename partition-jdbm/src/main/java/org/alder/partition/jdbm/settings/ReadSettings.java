package org.alder.partition.jdbm.settings;

/**
 * How data are read. Immutable.
 *
 * @param indexCacheBytes         heap for decoded ID sets (half of it), blocks of index keys and pages of B+Trees (a quarter
 *                                each); 0 = off
 * @param dnCacheBytes            heap for remembered DNs; 0 = off
 * @param keyTables               whether single keys are looked up through key tables; false is for measurements
 * @param snapshotTimeLimitMillis after which a snapshot is taken back; 0 = never
 */
public record ReadSettings(long indexCacheBytes, long dnCacheBytes, boolean keyTables,
        long snapshotTimeLimitMillis) {
    public ReadSettings {
        StoreSettings.requireAtLeast("indexCacheBytes", indexCacheBytes, 0);
        StoreSettings.requireAtLeast("dnCacheBytes", dnCacheBytes, 0);
        StoreSettings.requireAtLeast("snapshotTimeLimitMillis", snapshotTimeLimitMillis, 0);
    }

    /** An eighth and a 64th of the heap for the caches, with key tables, 10 minutes. */
    static ReadSettings defaults(long heapBytes) {
        return new ReadSettings(heapBytes / 8, heapBytes / 64, true, 600_000);
    }
}
