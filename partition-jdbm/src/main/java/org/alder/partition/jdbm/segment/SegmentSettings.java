package org.alder.partition.jdbm.segment;

import java.util.Objects;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.entry.EntryCodec;

/**
 * How segments are written. Nothing of it is needed to read them again. Immutable.
 *
 * @param version of the format, {@link SegmentDescriptor#VERSION} or {@link SegmentDescriptor#WITH_TABLE}
 * @param entries how entries are written; coded by default. Version {@link SegmentDescriptor#WITH_TABLE} has one way alone
 * @param index   how the index tables are written; 4 KiB blocks and LZ4 by default
 * @param disk    what they are written to; the real files by default
 */
public record SegmentSettings(int version, EntryCodec entries, TableSettings index, Disk disk) {
    public SegmentSettings {
        if (version != SegmentDescriptor.VERSION && version != SegmentDescriptor.WITH_TABLE) {
            throw new IllegalArgumentException("segments of version " + version + ", expected " + SegmentDescriptor.WITH_TABLE + " or " + SegmentDescriptor.VERSION);
        }
        Objects.requireNonNull(entries, "entries");
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(disk, "disk");
    }

    public static SegmentSettings defaults() {
        return new SegmentSettings(SegmentDescriptor.VERSION, EntryCodec.CODED, TableSettings.index(), SystemDisk.INSTANCE);
    }

    public SegmentSettings withVersion(int other) {
        return new SegmentSettings(other, entries, index, disk);
    }

    public SegmentSettings withEntries(EntryCodec codec) {
        return new SegmentSettings(version, codec, index, disk);
    }

    public SegmentSettings withDisk(Disk other) {
        return new SegmentSettings(version, entries, index, other);
    }
}
