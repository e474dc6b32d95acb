package org.alder.partition.query;

import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * The entries of a partition that searches treat in their own ways, at one point in time: aliases (RFC 4512 2.6), referral
 * objects (RFC 3296) and subentries (RFC 3672). Immutable.
 *
 * @param sequence of the snapshot
 */
public record SpecialEntries(long sequence, IdSet aliases, IdSet referrals, IdSet subentries) {
    /** Of no snapshot. */
    public static final SpecialEntries UNKNOWN = new SpecialEntries(-1, IdSet.EMPTY, IdSet.EMPTY, IdSet.EMPTY);

    public static SpecialEntries read(Snapshot snapshot) {
        return new SpecialEntries(snapshot.sequence(), snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.aliases()),
                snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.referrals()),
                snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.subentries()));
    }

    /** Whether no entry stands for another: names mean what they say. */
    public boolean isEmpty() {
        return aliases.isEmpty() && referrals.isEmpty();
    }
}
