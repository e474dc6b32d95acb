package org.alder.partition.jdbm.table;

import java.util.Arrays;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.TableBlock;

/**
 * Walks the pairs of a table in ascending key order. One thread at a time; needs no closing. Throws
 * {@code TableCorruptException} where the file is damaged and IllegalStateException once the table is closed.
 */
public final class TableCursor {

    /** Who wants a few blocks shall not pay for more. */
    private static final int ALONE_STEPS = 4;

    private final Table table;
    private final boolean keepBlocks;
    private final TreeCursor tree;
    /** The blocks after the current one, once it is clear that many are walked; null before. */
    private BlocksAhead ahead;
    /** Blocks walked since the last seek. */
    private int steps;
    /** The current block; null at the end. */
    private TableBlock block;
    /** The current pair, or the one before that to which the next step goes. */
    private int pair;
    private boolean onPair;

    TableCursor(Table table, boolean keepBlocks) {
        this.table = table;
        this.keepBlocks = keepBlocks;
        this.tree = new TreeCursor(table.mainTree());
    }

    /** Steps to the next pair; false at the end, and from then on until {@link #seek}. */
    public boolean next() {
        table.records().requireOpen();
        onPair = false;
        if (block == null) {
            return false;
        }
        pair++;
        onPair = pair < block.count() || nextBlock();
        return onPair;
    }

    private boolean nextBlock() {
        byte[] lastKey = block.lastKey();
        block = null;
        steps++;
        TableBlock next = steps > ALONE_STEPS ? stepAhead() : stepAlone();
        if (next == null) {
            return false;
        }
        if (Arrays.compareUnsigned(lastKey, next.key(0)) >= 0) {
            throw table.records().corrupt(recordId(),
                "the block's first key is not above the last key of the block before it");
        }
        block = next;
        pair = 0;
        return true;
    }

    private TableBlock stepAlone() {
        return tree.next() ? currentBlock() : null;
    }

    private TableBlock stepAhead() {
        if (ahead == null) {
            ahead = new BlocksAhead(table, tree, keepBlocks);
        }
        return ahead.next();
    }

    private TableBlock currentBlock() {
        return table.orderedBlock(tree.key(), tree.value(), keepBlocks);
    }

    /** Moves so that {@link #next()} steps to the first pair at or above the key; cheap where that is in the current block. */
    public void seek(byte[] key) {
        table.records().requireOpen();
        onPair = false;
        if (block != null) {
            int found = block.find(key);
            boolean between = found < -1 && found > -1 - block.count();
            if (found >= 0 || between) {
                standBefore(found);
                return;
            }
        }
        block = null;
        ahead = null;
        steps = 0;
        block = tree.seek(key) ? currentBlock() : null;
        if (block != null) {
            standBefore(block.find(key));
        }
    }

    private void standBefore(int found) {
        pair = (found >= 0 ? found : -1 - found) - 1;
    }

    /** The current pair's key, the caller's own array. Only after {@link #next()} returned true. */
    public byte[] key() {
        requirePair();
        return block.key(pair);
    }

    /** The current pair's value, the caller's own array. Only after {@link #next()} returned true. */
    public byte[] value() {
        requirePair();
        return block.value(pair);
    }

    /** The position of the current pair in its block. */
    int pairInBlock() {
        return pair;
    }

    /** The record ID of the current pair's block. */
    long recordId() {
        return ahead == null ? BigEndian.getLong(tree.value(), 0) : ahead.recordId();
    }

    /** The array that holds the current pair's value: the block's own, not to be changed. */
    public byte[] blockBytes() {
        requirePair();
        return block.bytes();
    }

    /** Where the current pair's value starts in {@link #blockBytes}. */
    public int valueOffset() {
        return block.valueOffset(pair);
    }

    public int valueLength() {
        return block.valueLength(pair);
    }

    private void requirePair() {
        if (!onPair) {
            throw new IllegalStateException("the cursor of " + table.file() + " does not stand on a pair");
        }
    }
}
