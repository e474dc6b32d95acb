package org.alder.partition.jdbm.log;

import java.util.List;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;

/** One change to one entry, as the commit log keeps it: logical, exact to the byte, replayed without a schema. Immutable. */
public sealed interface Operation {
    long id();

    record Add(long id, EntryRecord entry) implements Operation {
    }

    record Modify(long id, List<AttributeDelta> deltas) implements Operation {
        public Modify {
            deltas = List.copyOf(deltas);
        }
    }

    /** @param rdn the new RDN as RFC 4514 text in UTF-8; not to be changed */
    record Rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) implements Operation {
        public Rename {
            deltas = List.copyOf(deltas);
        }
    }

    /** @param identity by what those who hold copies know the entry, may be empty; not to be changed */
    record Delete(long id, byte[] identity) implements Operation {
        /** Of an entry that nobody holds a copy of. */
        public Delete(long id) {
            this(id, new byte[0]);
        }
    }
}
