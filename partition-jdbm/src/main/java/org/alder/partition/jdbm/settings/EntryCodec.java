package org.alder.partition.jdbm.settings;

import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.segment.SegmentSettings;

/** How blocks of entries are compressed when a segment is written. Segments of all kinds can be read beside each other. */
public enum EntryCodec {
    NONE,
    LZ4,
    ZSTD,
    /** Zstandard with a dictionary of each segment's own, made of its first entries. */
    ZSTD_DICTIONARY;

    public SegmentSettings applyTo(SegmentSettings settings) {
        return switch (this) {
            case NONE -> settings.withMasterCodec(BlockCodec.NONE);
            case LZ4 -> settings.withMasterCodec(BlockCodec.LZ4);
            case ZSTD -> settings.withMasterCodec(BlockCodec.ZSTD);
            case ZSTD_DICTIONARY -> settings.withTrainedDictionary();
        };
    }
}
