package org.alder.partition.jdbm.log;

import java.util.List;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.SystemRecords;

/**
 * One change to one entry, as the commit log keeps it: logical, exact to the byte. With {@link #outside} it is replayed without a
 * schema; without, as in logs of version 2 and in transactions that are still being made, the schema decides. One of them changes no entry, but a
 * record of the system. Immutable.
 */
public sealed interface Operation {
    /** Of the entry; of one that changes none, an ID that is given to no entry any more, nor are those below it. */
    long id();

    /** What it did outside of the record; null where that is not decided yet, or was not logged. */
    default Outside outside() {
        return Outside.NONE;
    }

    /** The same with what was decided. */
    default Operation with(Outside decided) {
        return this;
    }

    record Add(long id, EntryRecord entry, Outside outside) implements Operation {
        public Add(long id, EntryRecord entry) {
            this(id, entry, null);
        }

        @Override
        public Operation with(Outside decided) {
            return new Add(id, entry, decided);
        }
    }

    record Modify(long id, List<AttributeDelta> deltas, Outside outside) implements Operation {
        public Modify {
            deltas = List.copyOf(deltas);
        }

        public Modify(long id, List<AttributeDelta> deltas) {
            this(id, deltas, null);
        }

        @Override
        public Operation with(Outside decided) {
            return new Modify(id, deltas, decided);
        }
    }

    /** @param rdn the new RDN as RFC 4514 text in UTF-8; not to be changed */
    record Rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas, Outside outside) implements Operation {
        public Rename {
            deltas = List.copyOf(deltas);
        }

        public Rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
            this(id, newParentId, rdn, deltas, null);
        }

        @Override
        public Operation with(Outside decided) {
            return new Rename(id, newParentId, rdn, deltas, decided);
        }
    }

    /** @param identity by what those who hold copies know the entry, may be empty; not to be changed */
    record Delete(long id, byte[] identity) implements Operation {
        /** Of an entry that nobody holds a copy of. */
        public Delete(long id) {
            this(id, new byte[0]);
        }
    }

    /**
     * @param id     the last that its transaction was given: what is kept may speak of it. 0 for none
     * @param record kept under the key from then on ({@link SystemRecords}); null for none. Not to be changed
     */
    record Keep(long id, String key, byte[] record) implements Operation {
    }

    /** What system records a transaction leaves. */
    static SystemRecords applied(SystemRecords before, List<Operation> operations) {
        SystemRecords after = before;
        for (Operation operation : operations) {
            if (operation instanceof Keep keep) {
                after = after.with(keep.key, keep.record);
            }
        }
        return after;
    }
}
