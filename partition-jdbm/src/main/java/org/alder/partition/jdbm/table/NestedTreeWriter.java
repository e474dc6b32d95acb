package org.alder.partition.jdbm.table;

import java.io.IOException;

/**
 * Writes one nested tree (block number to bytes) into the file of the {@link TableWriter} that made it. One thread, the
 * writer's. Several may be open at once and between appends to the main tree; each must be finished before the writer is.
 */
public final class NestedTreeWriter {

    NestedTreeWriter() {
    }

    /**
     * @param blockNumber not negative, above every block number appended before
     * @param value       not copied, do not change it until {@link #finish()}; at most
     *                    {@link TableLimits#MAX_NESTED_VALUE_BYTES}
     * @throws IllegalArgumentException naming the numbers, where the order or a limit is violated
     * @throws IOException              where writing fails: close the table writer, the file is of no use
     */
    public void append(long blockNumber, byte[] value) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Returns the record ID to store in a value and to hand to {@link Table#nestedTree(long)}. A tree may be empty. */
    public long finish() throws IOException {
        throw new UnsupportedOperationException();
    }
}
