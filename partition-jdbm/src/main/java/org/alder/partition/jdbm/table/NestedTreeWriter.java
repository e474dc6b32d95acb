package org.alder.partition.jdbm.table;

import java.io.IOException;
import jdbm.btree.BTree;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.TableLimits;

/**
 * Writes one nested tree (block number to bytes) into the file of the {@link TableWriter} that made it. One thread, the
 * writer's. Several may be open at once and between appends to the main tree; each must be finished before the writer is.
 */
public final class NestedTreeWriter {

    /** Measured with containers of up to 8 KiB (docs/format/table.md); readers take any size from the tree's header. */
    private static final int PAGE_SIZE = 32;

    private final Runnable onFinish;
    private final BTree<byte[], byte[]> tree;
    private long lastBlockNumber = -1;
    private boolean finished;

    NestedTreeWriter(BuildRecordManager records, Runnable onFinish) throws IOException {
        this.onFinish = onFinish;
        tree = new BTree<>(records, ByteKeyComparator.INSTANCE, ByteKeySerializer.INSTANCE, ByteKeySerializer.INSTANCE,
            PAGE_SIZE);
    }

    /**
     * @param blockNumber not negative, above every block number appended before
     * @param value       copied; at most {@link TableLimits#MAX_NESTED_VALUE_BYTES}
     * @throws IllegalArgumentException naming the numbers, where the order or a limit is violated
     * @throws IllegalStateException    after {@link #finish()}
     * @throws IOException              where writing fails: close the table writer, the file is of no use
     */
    public void append(long blockNumber, byte[] value) throws IOException {
        requireUnfinished();
        if (blockNumber <= lastBlockNumber) {
            throw new IllegalArgumentException("block number " + blockNumber + " is not above " + lastBlockNumber);
        }
        if (value.length > TableLimits.MAX_NESTED_VALUE_BYTES) {
            throw new IllegalArgumentException("the value of block " + blockNumber + " has " + value.length
                + " bytes, at most " + TableLimits.MAX_NESTED_VALUE_BYTES + " are allowed");
        }
        tree.insert(BigEndian.ofLong(blockNumber), value.clone(), false);
        lastBlockNumber = blockNumber;
    }

    /**
     * Returns the record ID to store in a value and to hand to {@link Table#nestedTree(long)}. A tree may be empty.
     *
     * @throws IllegalStateException when called again
     */
    public long finish() {
        requireUnfinished();
        finished = true;
        onFinish.run();
        return tree.getRecordId();
    }

    private void requireUnfinished() {
        if (finished) {
            throw new IllegalStateException("nested tree " + tree.getRecordId() + " is finished");
        }
    }
}
