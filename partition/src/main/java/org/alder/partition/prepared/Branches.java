package org.alder.partition.prepared;

import java.util.HashMap;
import java.util.Map;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.StoredName;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/** In which branches a transaction's entries are, those that it writes among them. One transaction, one thread. */
final class Branches {
    private final Schema schema;
    /** Of what the transaction has put somewhere, which the state need not show yet. */
    private final Map<Long, Lock> written = new HashMap<>();

    Branches(Schema schema) {
        this.schema = schema;
    }

    /** Null for the suffix entry. */
    Lock of(Snapshot state, long id) {
        long at = id;
        StoredName name = null;
        while (!written.containsKey(at)) {
            StoredName next = state.name(at);
            if (next == null) {
                throw new IllegalStateException("entry " + at + " does not exist");
            }
            if (next.parentId() == HierarchyKeys.NO_PARENT) {
                return name == null ? null : branch(name.rdn());
            }
            name = next;
            at = next.parentId();
        }
        return written.get(at);
    }

    /** Where an entry is put, and is from then on. */
    Lock put(Snapshot state, long id, long parentId, String rdn) {
        Lock branch = null;
        if (parentId != HierarchyKeys.NO_PARENT) {
            Lock ofParent = of(state, parentId);
            branch = ofParent == null ? branch(rdn) : ofParent;
        }
        written.put(id, branch);
        return branch;
    }

    void forget() {
        written.clear();
    }

    private Lock branch(String rdn) {
        return Lock.branch(Dn.stored(schema, rdn).rdn().normalized());
    }
}
