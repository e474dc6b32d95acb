package org.alder.partition.jdbm.layer;

/**
 * What a segment is built from: a frozen memory layer (flush), a stack of adjacent segments (merge), or sorted runs (bulk load).
 * Read by one thread, each cursor to its end before the next is asked for.
 */
public interface SegmentSource {
    /** All entries, deleted ones too unless nothing below the segment can hold them. */
    EntryVersionCursor entries();

    /** All keys of the index. */
    KeyDeltaCursor keys(int index);
}
