package org.alder.partition.jdbm.segment;

import java.util.Objects;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;

/**
 * How segments are written. Nothing of it is needed to read them again. Immutable.
 *
 * @param master how the master table is written; 4 KiB blocks and LZ4 by default
 * @param index  how the index tables are written; 4 KiB blocks and LZ4 by default
 * @param disk   what they are written to; the real files by default
 */
public record SegmentSettings(TableSettings master, TableSettings index, Disk disk) {
    public SegmentSettings {
        Objects.requireNonNull(master, "master");
        Objects.requireNonNull(index, "index");
        Objects.requireNonNull(disk, "disk");
    }

    public static SegmentSettings defaults() {
        return new SegmentSettings(TableSettings.master(), TableSettings.index(), SystemDisk.INSTANCE);
    }

    /** The same settings with another codec for the master table. */
    public SegmentSettings withMasterCodec(BlockCodec codec) {
        return new SegmentSettings(master.withCodec(codec), index, disk);
    }

    /** The same settings with Zstandard for the master table, and a dictionary made of its first blocks. */
    public SegmentSettings withTrainedDictionary() {
        return new SegmentSettings(master.withTrainedDictionary(), index, disk);
    }

    public SegmentSettings withDisk(Disk other) {
        return new SegmentSettings(master, index, other);
    }
}
