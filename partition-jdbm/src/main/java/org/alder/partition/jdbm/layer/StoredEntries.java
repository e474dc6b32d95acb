package org.alder.partition.jdbm.layer;

import org.alder.partition.id.IdSet;

/**
 * The entries of a segment, in one file or another. Thread safe, lock-free. The methods throw
 * {@link org.alder.partition.error.StoreException} where reading fails, and IllegalStateException after {@link #close}.
 */
public interface StoredEntries extends AutoCloseable {
    /** What is known of the entry, or null. */
    EntryVersion entry(long id);

    /** Finds the entries of the set, which may be read ahead; at the least cost in ascending order of their IDs. */
    EntryFinder finder(IdSet expected);

    /** The entries from the given ID inclusive, deleted ones too. */
    EntryVersionCursor entries(long fromId);

    @Override
    void close();
}
