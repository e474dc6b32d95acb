package org.alder.partition.update.rules;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.id.IdSet;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/** The entries at and below one, as many as one transaction may take out. */
public final class Subtree {
    /** More would keep all other writers waiting. */
    static final int MOST_ENTRIES = 10_000;

    private Subtree() {
    }

    /** The IDs, each before its parent's. @throws DirectoryException adminLimitExceeded */
    public static List<Long> leavesFirst(Snapshot state, EntryView top) throws DirectoryException {
        List<Long> ids = new ArrayList<>();
        ids.add(top.id());
        for (int next = 0; next < ids.size(); next++) {
            byte[] children = HierarchyKeys.children(ids.get(next));
            if (ids.size() + state.cardinality(HierarchyKeys.INDEX, children) > MOST_ENTRIES) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the subtree \"" + top.dn()
                        + "\" has more than " + MOST_ENTRIES + " entries, too many"
                        + " to be deleted at once: delete its parts first");
            }
            for (IdSet.IdIterator each = state.ids(HierarchyKeys.INDEX, children).iterator(); each.hasNext();) {
                ids.add(each.next());
            }
        }
        Collections.reverse(ids);
        return ids;
    }
}
