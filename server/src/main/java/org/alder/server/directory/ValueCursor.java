package org.alder.server.directory;

import org.alder.partition.ber.BerWriter;

/**
 * The values of a large attribute, one after the other; before the first at the start. One thread at a time; close it. Methods
 * may throw {@link org.alder.partition.error.StoreException}.
 */
public interface ValueCursor extends AutoCloseable {
    boolean next();

    /** Writes the value as an AttributeValue; after {@link #next()} returned true. */
    void write(BerWriter out);

    /** A copy of the value; after {@link #next()} returned true. */
    byte[] value();

    @Override
    void close();
}
