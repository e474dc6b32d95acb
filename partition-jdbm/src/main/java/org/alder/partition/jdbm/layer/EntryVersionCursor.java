package org.alder.partition.jdbm.layer;

import org.alder.partition.entry.EntryProbe;

/**
 * Walks entry versions in ascending order of their IDs; positioned before the first. One thread; needs no closing. The methods
 * throw {@link org.alder.partition.error.StoreException} where reading fails, and the cursor is then
 * of no use.
 */
public interface EntryVersionCursor {
    /** Steps to the next entry; false at the end, and from then on. */
    boolean next();

    /** The current entry's ID. Only after {@link #next()} returned true. */
    long id();

    /** The current entry's version, never null. Only after {@link #next()} returned true. */
    EntryVersion version();

    /** Whether the current version is that the entry is deleted; where a layer knows that for less than {@link #version} costs, it does. */
    default boolean isDeleted() {
        return version().isDeleted();
    }

    /** False only where the probe does not hold of the current version, which is found for less than {@link #version} costs. */
    default boolean mayMatch(EntryProbe probe) {
        return true;
    }
}
