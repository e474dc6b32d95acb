package org.alder.partition.jdbm.settings;

import java.util.Objects;

/**
 * How a store of this module works. Nothing of it is part of the data: a store may be opened with other settings each time.
 * Immutable; start from {@link #defaults()}.
 *
 * @param durability              what an acknowledgement promises; default SYNC
 * @param intervalMillis          the longest time between two syncs with durability INTERVAL; default 100
 * @param memoryLayerBytes        heap that changes may take before they are written to a segment; default a 16th of the heap,
 *         at most 64 MiB
 * @param entryCacheBytes         heap for decoded blocks of entries; default a quarter of the heap, 0 = off
 * @param indexCacheBytes         heap for decoded ID sets (half of it), blocks of index keys and pages of B+Trees (a quarter
 *        each);
 *         default an eighth of the heap, 0 = off
 * @param dnCacheBytes            heap for remembered DNs; default a 64th of the heap, 0 = off
 * @param entryCodec              how blocks of entries are compressed when they are written; default LZ4
 * @param snapshotTimeLimitMillis after which a snapshot is taken back; default 600,000 (10 minutes), 0 = never
 * @param backgroundCompaction    whether segments are merged in the background; default true
 * @param diskLowBytes            with less free space than this on the disk, writes are refused; default 256 MiB, 0 = only when
 *         a write has failed
 * @param diskCheckMillis         how often the free space is looked at, at most; default 1000
 * @param mergeBytesPerSecond     what merges may read and write; default 0 = little while clients are served and there is no
 *         hurry, else as much as there is
 * @param warmSegments            whether what is cached of a segment's predecessors is cached of it before it is read;
 *         default true
 * @param keyTables               whether single keys are looked up through key tables; default true, false is for measurements
 * @param changeHistoryBytes      how much of the logs is kept after their changes are in segments, so that it can be told what
 *        changed; default 0
 * @param transactionBytes        heap that the changes of one transaction may take; a larger one is refused. While more than one
 *        memory layer's changes wait for the disk it is less by them, but at least a quarter of this. Default a quarter of the heap
 */
public record StoreSettings(Durability durability, long intervalMillis, long memoryLayerBytes, long entryCacheBytes,
        long indexCacheBytes, long dnCacheBytes, EntryCodec entryCodec, long snapshotTimeLimitMillis,
        boolean backgroundCompaction, long diskLowBytes, long diskCheckMillis, long mergeBytesPerSecond, boolean warmSegments,
        boolean keyTables, long changeHistoryBytes, long transactionBytes) {
    private static final long MAX_DEFAULT_MEMORY_LAYER_BYTES = 64L << 20;
    private static final long DEFAULT_DISK_LOW_BYTES = 256L << 20;

    public StoreSettings {
        Objects.requireNonNull(durability, "durability");
        Objects.requireNonNull(entryCodec, "entryCodec");
        requireAtLeast("intervalMillis", intervalMillis, 1);
        requireAtLeast("memoryLayerBytes", memoryLayerBytes, 1);
        requireAtLeast("entryCacheBytes", entryCacheBytes, 0);
        requireAtLeast("indexCacheBytes", indexCacheBytes, 0);
        requireAtLeast("dnCacheBytes", dnCacheBytes, 0);
        requireAtLeast("snapshotTimeLimitMillis", snapshotTimeLimitMillis, 0);
        requireAtLeast("diskLowBytes", diskLowBytes, 0);
        requireAtLeast("diskCheckMillis", diskCheckMillis, 0);
        requireAtLeast("mergeBytesPerSecond", mergeBytesPerSecond, 0);
        requireAtLeast("changeHistoryBytes", changeHistoryBytes, 0);
        requireAtLeast("transactionBytes", transactionBytes, 1);
    }

    private static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", found " + value);
        }
    }

    public static StoreSettings defaults() {
        long heapBytes = Runtime.getRuntime().maxMemory();
        return new StoreSettings(Durability.SYNC, 100, Math.min(MAX_DEFAULT_MEMORY_LAYER_BYTES, heapBytes / 16), heapBytes / 4,
                heapBytes / 8, heapBytes / 64, EntryCodec.LZ4, 600_000, true, DEFAULT_DISK_LOW_BYTES, 1000, 0,
                true, true, 0, heapBytes / 4);
    }

    public StoreSettings withDurability(Durability value, long millis) {
        return new StoreSettings(value, millis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes, entryCodec,
                snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withMemoryLayerBytes(long bytes) {
        return new StoreSettings(durability, intervalMillis, bytes, entryCacheBytes, indexCacheBytes, dnCacheBytes, entryCodec,
                snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withCacheBytes(long entryBytes, long indexBytes, long dnBytes) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryBytes, indexBytes, dnBytes, entryCodec,
                snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withEntryCodec(EntryCodec codec) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                codec, snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withSnapshotTimeLimitMillis(long millis) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                entryCodec, millis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withBackgroundCompaction(boolean on) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                entryCodec, snapshotTimeLimitMillis, on, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withDiskLow(long lowBytes, long checkMillis) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                entryCodec, snapshotTimeLimitMillis, backgroundCompaction, lowBytes, checkMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, transactionBytes);
    }

    /** @param bytesPerSecond 0 = adaptive, {@link Long#MAX_VALUE} = no limit */
    public StoreSettings withMerging(long bytesPerSecond, boolean warm) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                entryCodec, snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, bytesPerSecond,
                warm, keyTables, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withKeyTables(boolean on) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                entryCodec, snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, on, changeHistoryBytes, transactionBytes);
    }

    public StoreSettings withTransactionBytes(long bytes) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                entryCodec, snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, changeHistoryBytes, bytes);
    }

    public StoreSettings withChangeHistory(long bytes) {
        return new StoreSettings(durability, intervalMillis, memoryLayerBytes, entryCacheBytes, indexCacheBytes, dnCacheBytes,
                entryCodec, snapshotTimeLimitMillis, backgroundCompaction, diskLowBytes, diskCheckMillis, mergeBytesPerSecond,
                warmSegments, keyTables, bytes, transactionBytes);
    }
}
