package org.alder.partition.jdbm.settings;

import java.util.Objects;
import org.alder.partition.jdbm.entry.EntryCodec;

/**
 * How segments are made in the background. Immutable.
 *
 * @param entryCodec          how blocks of entries are compressed, also in bulk loads
 * @param compaction          whether segments are merged in the background
 * @param mergeBytesPerSecond what merges may read and write; 0 = little while clients are served and there is no hurry, else as
 *                            much as there is; {@link Long#MAX_VALUE} = no limit
 * @param warm                whether what is cached of a segment's predecessors is cached of it before it is read
 */
public record SegmentMaking(EntryCodec entryCodec, boolean compaction, long mergeBytesPerSecond, boolean warm) {
    /** Coded, merged and warmed, at the pace that fits. */
    static final SegmentMaking DEFAULTS = new SegmentMaking(EntryCodec.CODED, true, 0, true);

    public SegmentMaking {
        Objects.requireNonNull(entryCodec, "entryCodec");
        StoreSettings.requireAtLeast("mergeBytesPerSecond", mergeBytesPerSecond, 0);
    }
}
