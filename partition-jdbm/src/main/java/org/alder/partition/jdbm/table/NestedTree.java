package org.alder.partition.jdbm.table;

/**
 * A tree of block number to bytes inside a table's file. Immutable and thread safe; usable as long as its table is open.
 */
public final class NestedTree {

    NestedTree() {
    }

    public long blockCount() {
        throw new UnsupportedOperationException();
    }

    /** Returns the value of the block (shared with the page cache: do not change it), or null where there is none. */
    public byte[] get(long blockNumber) {
        throw new UnsupportedOperationException();
    }

    /** A cursor before the first block whose number is at or above the given one. */
    public NestedTreeCursor cursor(long fromBlockInclusive) {
        throw new UnsupportedOperationException();
    }
}
