package org.alder.partition.jdbm.table;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Builds one sorted write-once table on a new JDBM2 file. One thread.
 */
public final class TableWriter implements Closeable {

    /** JDBM2 adds this to the name it is given, so table files must end in it. */
    public static final String FILE_SUFFIX = ".db";

    private TableWriter() {
    }

    /**
     * Starts a table.
     *
     * @param file must end in {@link #FILE_SUFFIX} and must not exist
     * @throws IOException where the file exists or cannot be made
     */
    public static TableWriter create(Path file, TableSettings settings) throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Adds a pair. Both arrays are copied before this returns.
     *
     * @param key   1 to {@link TableLimits#MAX_KEY_BYTES} bytes, above every key appended before (unsigned, lexicographic)
     * @param value 0 to {@link TableLimits#MAX_VALUE_BYTES} bytes
     * @throws IllegalArgumentException naming both keys in hex, or the limit that is violated; the writer stays usable
     * @throws IOException              where writing fails: close the writer, the file is of no use
     */
    public void append(byte[] key, byte[] value) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Starts a nested tree in the same file; it must be finished before this writer is. */
    public NestedTreeWriter newNestedTree() throws IOException {
        throw new UnsupportedOperationException();
    }

    /**
     * Writes what is pending, closes the file and syncs it (contents and length; the caller syncs the folder when it publishes).
     *
     * @throws IllegalStateException where a nested tree is not finished, or the writer is finished or closed
     */
    public TableSummary finish() throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Ends the writer; without {@link #finish()} before it, deletes the unfinished file. May be called again. */
    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException();
    }
}
