package org.alder.partition.jdbm.segment;

import java.util.Objects;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.entry.EntryCodec;

/**
 * How segments are written. Nothing of it is needed to read them again. Immutable.
 *
 * @param entries how entries are written; coded by default
 * @param index   how the index tables are written; 4 KiB blocks and LZ4 by default
 * @param disk    what they are written to; the real files by default
 */
public record SegmentSettings(EntryCodec entries, TableSettings index, Disk disk) {
    public SegmentSettings {
        Objects.requireNonNull(entries, "entries");
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(disk, "disk");
    }

    public static SegmentSettings defaults() {
        return new SegmentSettings(EntryCodec.CODED, TableSettings.index(), SystemDisk.INSTANCE);
    }

    public SegmentSettings withEntries(EntryCodec codec) {
        return new SegmentSettings(codec, index, disk);
    }

    public SegmentSettings withDisk(Disk other) {
        return new SegmentSettings(entries, index, other);
    }
}
