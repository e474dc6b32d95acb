package org.alder.partition.tree;

import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * The entries of a partition that searches treat in their own ways, at one point in time: aliases (RFC 4512 2.6), referral
 * objects (RFC 3296) and subentries (RFC 3672). Immutable.
 */
public record SpecialEntries(IdSet aliases, IdSet referrals, IdSet subentries) {
    /** There are none; compared by identity. */
    public static final SpecialEntries NONE = new SpecialEntries(IdSet.EMPTY, IdSet.EMPTY, IdSet.EMPTY);

    /** @return {@link #NONE} if there are none */
    public static SpecialEntries read(Snapshot snapshot) {
        SpecialEntries read = new SpecialEntries(snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.aliases()),
                snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.referrals()),
                snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.subentries()));
        return read.isEmpty() && read.subentries.isEmpty() ? NONE : read;
    }

    /** Whether no entry stands for another: names mean what they say. */
    public boolean isEmpty() {
        return aliases.isEmpty() && referrals.isEmpty();
    }
}
