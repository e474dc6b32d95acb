package org.alder.partition.jdbm.table;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A sorted write-once table, read. Thread safe and lock-free: one object serves all threads. The file is memory-mapped and must
 * not be changed or truncated while the table is open (deleting it is fine). {@link #close()} makes further use throw
 * IllegalStateException; the mappings themselves are given back when the garbage collector finds the table unreachable, so a
 * reader that raced with the close never touches unmapped memory.
 * Every method that reads throws {@link TableCorruptException} where the file is damaged.
 */
public final class Table implements Closeable {

    private Table() {
    }

    public static Table open(Path file) throws IOException {
        return open(file, TableOptions.defaults());
    }

    /**
     * Opens a finished table.
     *
     * @throws IOException           where the file cannot be opened or mapped
     * @throws TableCorruptException where it is not a table, of an unknown version, or cut short
     */
    public static Table open(Path file, TableOptions options) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Unique in this process; the key of this table's blocks in shared caches. */
    public long id() {
        throw new UnsupportedOperationException();
    }

    public Path file() {
        throw new UnsupportedOperationException();
    }

    public long pairCount() {
        throw new UnsupportedOperationException();
    }

    public long blockCount() {
        throw new UnsupportedOperationException();
    }

    /** Returns the value of the key (the caller's own array), or null where the table does not have it. */
    public byte[] get(byte[] key) {
        throw new UnsupportedOperationException();
    }

    /**
     * Looks up many keys, decoding each block once.
     *
     * @param ascendingKeys best in ascending order; in any other the answer is the same, slower
     * @return one value per key in the same order, null where the table does not have the key
     */
    public List<byte[]> getAll(List<byte[]> ascendingKeys) {
        throw new UnsupportedOperationException();
    }

    /** A cursor before the first pair whose key is at or above the given one (an empty array: before all). */
    public TableCursor cursor(byte[] fromKeyInclusive) {
        throw new UnsupportedOperationException();
    }

    /** A cursor before the first pair that reads the block cache but puts nothing into it: for passes over the whole table. */
    public TableCursor scan() {
        throw new UnsupportedOperationException();
    }

    /**
     * Opens a nested tree.
     *
     * @param recordId what {@link NestedTreeWriter#finish()} returned
     */
    public NestedTree nestedTree(long recordId) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
