package org.alder.partition.derived;

import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.id.IdSet;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/** Groups that do not name their members: who they are is worked out. Thread safe. */
public interface ComputedGroups {
    /** Of a partition without such groups. */
    ComputedGroups NONE = new ComputedGroups() {
        @Override
        public IdSet all(Snapshot snapshot) {
            return IdSet.EMPTY;
        }

        @Override
        public boolean isMember(AttributeType type) {
            return false;
        }

        @Override
        public AttributeType member() {
            return null;
        }

        @Override
        public boolean isMember(Snapshot snapshot, long group, EntryView entry, AttributeAccess rights) {
            return false;
        }

        @Override
        public IdSet groupsOf(Snapshot snapshot, EntryView entry) {
            return IdSet.EMPTY;
        }

        @Override
        public IdSet groupsOf(Snapshot snapshot, byte[] form) {
            return IdSet.EMPTY;
        }

        @Override
        public IdSet membersOf(Snapshot snapshot, long group) {
            return IdSet.EMPTY;
        }
    };

    /** The IDs of all such groups. */
    IdSet all(Snapshot snapshot);

    /** Whether this is the type of the attribute that is worked out. */
    boolean isMember(AttributeType type);

    /** The attribute that is worked out; null if there is none. */
    AttributeType member();

    /** Whether the entry is a member of the group by what somebody with these rights to it may know. */
    boolean isMember(Snapshot snapshot, long group, EntryView entry, AttributeAccess rights);

    /** The groups the entry is a member of. */
    IdSet groupsOf(Snapshot snapshot, EntryView entry);

    /** The groups that the entry whose DN has this normal form is a member of. */
    IdSet groupsOf(Snapshot snapshot, byte[] form);

    /** The members; null if more entries would have to be looked at than a group may take. */
    IdSet membersOf(Snapshot snapshot, long group);
}
