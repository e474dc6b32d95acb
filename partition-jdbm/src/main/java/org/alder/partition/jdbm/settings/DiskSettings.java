package org.alder.partition.jdbm.settings;

/**
 * What room is used on the disk. Immutable.
 *
 * @param lowBytes           with less free space than this, writes are refused; 0 = only when a write has failed
 * @param checkMillis        how often the free space is looked at, at most
 * @param changeHistoryBytes how much of the logs is kept after their changes are in segments, so that it can be told what changed
 */
public record DiskSettings(long lowBytes, long checkMillis, long changeHistoryBytes) {
    /** 256 MiB, each second, no history. */
    static final DiskSettings DEFAULTS = new DiskSettings(256L << 20, 1000, 0);

    public DiskSettings {
        StoreSettings.requireAtLeast("diskLowBytes", lowBytes, 0);
        StoreSettings.requireAtLeast("diskCheckMillis", checkMillis, 0);
        StoreSettings.requireAtLeast("changeHistoryBytes", changeHistoryBytes, 0);
    }
}
