package org.alder.partition.jdbm.table;

import java.util.Arrays;

/**
 * A tree of block number to bytes inside a table's file. Immutable and thread safe; usable as long as its table is open. Throws
 * {@link TableCorruptException} where the file is damaged.
 */
public final class NestedTree {

    private final StoredTree tree;

    NestedTree(StoredTree tree) {
        this.tree = tree;
    }

    public long blockCount() {
        return tree.header().tupleCount();
    }

    /** Returns the value of the block (shared with the page cache: do not change it), or null where there is none. */
    public byte[] get(long blockNumber) {
        byte[] key = BigEndian.ofLong(requireNotNegative(blockNumber));
        TreePage leaf = tree.leafFor(key);
        if (leaf == null) {
            return null;
        }
        int slot = tree.slotFor(leaf, key);
        return Arrays.equals(key, leaf.key(slot)) ? leaf.value(slot) : null;
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
