package org.alder.partition.jdbm.layer;

import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.StoredName;

/**
 * Finds entries in one layer or several as of one commit sequence number; cheapest in ascending order of the IDs. One thread at a
 * time; needs no closing. Throws {@link org.alder.partition.error.StoreException} where reading fails.
 */
@FunctionalInterface
public interface EntryFinder {
    /** Stands for the name of an entry that the layer deletes. */
    StoredName DELETED = StoredName.of(0, new byte[0]);

    /**
     * What is known of the entry, or null. The record may be a part of a larger array, which it keeps alive.
     */
    EntryVersion entry(long id);

    /** What a probe says of an entry. */
    enum Answer {
        /** Nothing is known of the entry. */
        UNKNOWN,
        /** It does not hold. */
        NO,
        /** It may hold, or the entry is deleted. */
        PERHAPS
    }

    /** What the probe says of the entry. A layer that keeps entries in another form than records may tell without making one. */
    default Answer test(long id, EntryProbe probe) {
        return entry(id) == null ? Answer.UNKNOWN : Answer.PERHAPS;
    }

    /** The name of the entry, {@link #DELETED}, or null where nothing is known of it. A layer that keeps names apart reads no more than that. */
    default StoredName name(long id) {
        EntryVersion version = entry(id);
        return version == null ? null : version.isDeleted() ? DELETED : version.record();
    }
}
