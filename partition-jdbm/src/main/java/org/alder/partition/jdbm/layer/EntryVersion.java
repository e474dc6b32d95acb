package org.alder.partition.jdbm.layer;

import org.alder.partition.entry.EntryRecord;

/**
 * What one layer knows of an entry: its record, or that it is deleted. A layer that knows nothing of an entry answers null
 * instead of a version. Immutable, thread safe.
 *
 * @param record the entry, or null where the layer deletes it (a tombstone)
 */
public record EntryVersion(EntryRecord record) {
    /** The entry was deleted: layers below must not be asked. */
    public static final EntryVersion DELETED = new EntryVersion(null);

    public boolean isDeleted() {
        return record == null;
    }
}
