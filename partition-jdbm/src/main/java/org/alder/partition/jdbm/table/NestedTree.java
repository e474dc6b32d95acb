package org.alder.partition.jdbm.table;

/**
 * A tree of block number to bytes inside a table's file. Immutable and thread safe; usable as long as its table is open. Throws
 * {@code TableCorruptException} where the file is damaged.
 */
public final class NestedTree {

    private final StoredTree tree;

    NestedTree(StoredTree tree) {
        this.tree = tree;
    }

    public long blockCount() {
        return tree.header().tupleCount();
    }

    /** A cursor before the first block whose number is at or above the given one, which is not negative. */
    public NestedTreeCursor cursor(long fromBlockInclusive) {
        return new NestedTreeCursor(tree, requireNotNegative(fromBlockInclusive));
    }

    private static long requireNotNegative(long blockNumber) {
        if (blockNumber < 0) {
            throw new IllegalArgumentException("block numbers are not negative, found " + blockNumber);
        }
        return blockNumber;
    }
}
