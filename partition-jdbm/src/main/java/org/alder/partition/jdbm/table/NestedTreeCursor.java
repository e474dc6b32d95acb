package org.alder.partition.jdbm.table;

/** Walks the blocks of a nested tree in ascending order. One thread at a time; needs no closing. */
public final class NestedTreeCursor {

    NestedTreeCursor() {
    }

    /** Steps to the next block; false at the end, and from then on. */
    public boolean next() {
        throw new UnsupportedOperationException();
    }

    /** The current block's number. Only after {@link #next()} returned true. */
    public long blockNumber() {
        throw new UnsupportedOperationException();
    }

    /** The current block's value, shared with the page cache: do not change it. */
    public byte[] value() {
        throw new UnsupportedOperationException();
    }
}
