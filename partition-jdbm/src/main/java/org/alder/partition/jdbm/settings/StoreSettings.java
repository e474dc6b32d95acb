package org.alder.partition.jdbm.settings;

import org.alder.partition.jdbm.entry.EntryCodec;

/**
 * How a store of this module works. Nothing of it is part of the data: a store may be opened with other settings each time.
 * Immutable; start from {@link #defaults()}.
 *
 * @param writing  how changes get to the disk
 * @param reading  what is kept in memory for readers
 * @param segments how segments are made and merged
 * @param disk     what room is used
 */
public record StoreSettings(WriteSettings writing, ReadSettings reading, SegmentMaking segments, DiskSettings disk) {

    static void requireAtLeast(String name, long value, long least) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ", found " + value);
        }
    }

    public static StoreSettings defaults() {
        long heapBytes = Runtime.getRuntime().maxMemory();
        return new StoreSettings(WriteSettings.defaults(heapBytes), ReadSettings.defaults(heapBytes), SegmentMaking.DEFAULTS,
                DiskSettings.DEFAULTS);
    }

    private StoreSettings with(WriteSettings other) {
        return new StoreSettings(other, reading, segments, disk);
    }

    private StoreSettings with(ReadSettings other) {
        return new StoreSettings(writing, other, segments, disk);
    }

    private StoreSettings with(SegmentMaking other) {
        return new StoreSettings(writing, reading, other, disk);
    }

    private StoreSettings with(DiskSettings other) {
        return new StoreSettings(writing, reading, segments, other);
    }

    public StoreSettings withDurability(Durability value, long intervalMillis) {
        return with(new WriteSettings(value, intervalMillis, writing.memoryLayerBytes(), writing.heldLayerBytes(),
                writing.transactionBytes()));
    }

    public StoreSettings withMemoryLayerBytes(long bytes) {
        return with(new WriteSettings(writing.durability(), writing.intervalMillis(), bytes, writing.heldLayerBytes(),
                writing.transactionBytes()));
    }

    public StoreSettings withHeldLayerBytes(long bytes) {
        return with(new WriteSettings(writing.durability(), writing.intervalMillis(), writing.memoryLayerBytes(), bytes,
                writing.transactionBytes()));
    }

    public StoreSettings withTransactionBytes(long bytes) {
        return with(new WriteSettings(writing.durability(), writing.intervalMillis(), writing.memoryLayerBytes(),
                writing.heldLayerBytes(), bytes));
    }

    public StoreSettings withCacheBytes(long indexBytes, long dnBytes) {
        return with(new ReadSettings(indexBytes, dnBytes, reading.keyTables(), reading.snapshotTimeLimitMillis()));
    }

    public StoreSettings withKeyTables(boolean on) {
        return with(new ReadSettings(reading.indexCacheBytes(), reading.dnCacheBytes(), on,
                reading.snapshotTimeLimitMillis()));
    }

    public StoreSettings withSnapshotTimeLimitMillis(long millis) {
        return with(new ReadSettings(reading.indexCacheBytes(), reading.dnCacheBytes(),
                reading.keyTables(), millis));
    }

    public StoreSettings withEntryCodec(EntryCodec codec) {
        return with(new SegmentMaking(codec, segments.compaction(), segments.mergeBytesPerSecond(), segments.warm()));
    }

    public StoreSettings withBackgroundCompaction(boolean on) {
        return with(new SegmentMaking(segments.entryCodec(), on, segments.mergeBytesPerSecond(), segments.warm()));
    }

    /** @param bytesPerSecond 0 = adaptive, {@link Long#MAX_VALUE} = no limit */
    public StoreSettings withMerging(long bytesPerSecond, boolean warm) {
        return with(new SegmentMaking(segments.entryCodec(), segments.compaction(), bytesPerSecond, warm));
    }

    public StoreSettings withDiskLow(long lowBytes, long checkMillis) {
        return with(new DiskSettings(lowBytes, checkMillis, disk.changeHistoryBytes()));
    }

    public StoreSettings withChangeHistory(long bytes) {
        return with(new DiskSettings(disk.lowBytes(), disk.checkMillis(), bytes));
    }
}
