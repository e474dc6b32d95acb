package org.alder.partition.query.plan;

import org.alder.partition.derived.Surroundings;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.filter.FilterTest;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.DnLookup;

/**
 * Translates what is asked about {@code memberOf} into the members of the group that is asked for. Nothing is read but the
 * group's record before the IDs are wanted: of a few candidates it is cheaper to ask for the groups of each. One thread.
 */
final class MemberTerms {
    /** As many entries are reckoned behind each value of a group of groups. */
    private static final long NESTED_MEMBERS = 10;
    private static final long MOST_COUNTED = Long.MAX_VALUE / 100;

    private final Snapshot snapshot;
    private final Surroundings around;

    MemberTerms(Snapshot snapshot, Surroundings around) {
        this.snapshot = snapshot;
        this.around = around;
    }

    /** @return null if entries have to be tested */
    IndexTerm of(FilterTest test) {
        if (!test.description().options().isEmpty()) {
            return null;
        } else if (test instanceof FilterTest.Equality equality) {
            return members(new DnLookup(snapshot, around.tree()).find(equality.forms().get(0)));
        } else if (test instanceof FilterTest.InChain chain) {
            return allMembers(chain.walk().target());
        } else if (test instanceof FilterTest.Presence) {
            return new IndexTerm.Computed("members of any group", IndexTerm.UNKNOWN_SIZE, IndexTerm.UNKNOWN_SIZE, true,
                    () -> around.memberships().allMembers(snapshot));
        }
        return null;
    }

    private IndexTerm members(long group) {
        EntryRecord record = group == HierarchyKeys.NO_PARENT ? null : snapshot.entry(group);
        if (record == null) {
            return new IndexTerm.Fixed("members of a group that is not there", IdSet.EMPTY);
        }
        long count = around.memberships().memberCount(snapshot, group, record);
        return new IndexTerm.Computed("members of entry " + group, Math.min(count, IndexTerm.UNKNOWN_SIZE), Cost.readNanos(count, count),
                true,
                () -> around.memberships().membersOf(snapshot, group));
    }

    private IndexTerm allMembers(Dn target) {
        long group = around.tree().resolve(snapshot, target);
        EntryRecord record = group == HierarchyKeys.NO_PARENT ? null : snapshot.entry(group);
        if (record == null) {
            return new IndexTerm.Fixed("members of a group that is not there", IdSet.EMPTY);
        }
        long keys = Math.min(around.memberships().memberCount(snapshot, group, record), MOST_COUNTED) * NESTED_MEMBERS;
        return new IndexTerm.Computed("members of entry " + group + " and of its members", IndexTerm.UNKNOWN_SIZE,
                Cost.readNanos(keys, keys), true, () -> around.memberships().allMembersOf(snapshot, group));
    }
}
