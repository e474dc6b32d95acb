package org.alder.partition.jdbm.layer;

/**
 * Finds entries in one layer or several as of one commit sequence number; cheapest in ascending order of the IDs. One thread at a
 * time; needs no closing. Throws {@link org.alder.partition.error.StoreException} where reading fails.
 */
@FunctionalInterface
public interface EntryFinder {
    /**
     * What is known of the entry, or null. The record may be a part of a larger array, which it keeps alive.
     */
    EntryVersion entry(long id);
}
