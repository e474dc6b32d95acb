package org.alder.partition.update;

import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.HierarchyKeys;

/** An entry that obeys the schema and is encoded, but for its place in the tree. Immutable, thread safe. */
public final class PreparedEntry {
    private final Dn dn;
    private final EntryRecord record;

    PreparedEntry(Dn dn, EntryRecord record) {
        this.dn = dn;
        this.record = record;
    }

    public Dn dn() {
        return dn;
    }

    /** The record under its parent, {@link HierarchyKeys#NO_PARENT} for the suffix entry. */
    public EntryRecord record(long parentId) {
        return parentId == record.parentId() ? record : record.withParent(parentId);
    }
}
