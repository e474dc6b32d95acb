package org.alder.partition.jdbm.table;

import org.alder.partition.jdbm.block.BigEndian;

/** Walks the blocks of a nested tree in ascending order. One thread at a time; needs no closing. */
public final class NestedTreeCursor {

    private final StoredTree tree;
    private final TreeCursor tuples;
    private boolean started;
    private boolean more;

    NestedTreeCursor(StoredTree tree, long fromBlockInclusive) {
        this.tree = tree;
        this.tuples = new TreeCursor(tree);
        more = tuples.seek(BigEndian.ofLong(fromBlockInclusive));
    }

    /** Steps to the next block; false at the end, and from then on. */
    public boolean next() {
        tree.records().requireOpen();
        if (started && more) {
            more = tuples.next();
        }
        started = true;
        if (more && tuples.key().length != Long.BYTES) {
            throw tree.corrupt("a key of " + tuples.key().length + " bytes, expected a block number of 8");
        }
        return more;
    }

    /** The current block's number. Only after {@link #next()} returned true. */
    public long blockNumber() {
        requireBlock();
        return BigEndian.getLong(tuples.key(), 0);
    }

    /** The current block's value, shared with the page cache: do not change it. Only after {@link #next()} returned true. */
    public byte[] value() {
        requireBlock();
        return tuples.value();
    }

    private void requireBlock() {
        if (!started || !more) {
            throw new IllegalStateException("the cursor does not stand on a block");
        }
    }
}
