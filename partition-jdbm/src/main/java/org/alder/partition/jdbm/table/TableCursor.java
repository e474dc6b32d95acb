package org.alder.partition.jdbm.table;

/**
 * Walks the pairs of a table in ascending key order. One thread at a time; needs no closing. Throws
 * {@link TableCorruptException} where the file is damaged and IllegalStateException once the table is closed.
 */
public final class TableCursor {

    TableCursor() {
    }

    /** Steps to the next pair; false at the end, and from then on until {@link #seek}. */
    public boolean next() {
        throw new UnsupportedOperationException();
    }

    /** Moves so that {@link #next()} steps to the first pair at or above the key; cheap where that is in the current block. */
    public void seek(byte[] key) {
        throw new UnsupportedOperationException();
    }

    /** The current pair's key, the caller's own array. Only after {@link #next()} returned true. */
    public byte[] key() {
        throw new UnsupportedOperationException();
    }

    /** The current pair's value, the caller's own array. Only after {@link #next()} returned true. */
    public byte[] value() {
        throw new UnsupportedOperationException();
    }
}
