package org.alder.partition.tree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.StoredName;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/** Tells whether entries are below others, by walking up from them. Remembers its verdict on each parent. One thread. */
public final class SubtreeTest {
    private final Snapshot snapshot;
    private final Map<Long, Boolean> verdicts = new HashMap<>();
    /** Candidates mostly come in families: the parent asked about last, and the verdict on it. */
    private long lastParent = HierarchyKeys.NO_PARENT;
    private boolean lastVerdict;

    /** @param bases what is below one of them is in the subtree */
    public SubtreeTest(Snapshot snapshot, Collection<Long> bases) {
        this.snapshot = snapshot;
        verdicts.put(HierarchyKeys.NO_PARENT, false);
        bases.forEach(each -> verdicts.put(each, true));
    }

    /** Whether an entry with this parent is below a base. @param parent may be a base */
    public boolean isBelow(long parent) {
        if (parent != lastParent) {
            lastVerdict = isInSubtree(parent);
            lastParent = parent;
        }
        return lastVerdict;
    }

    private boolean isInSubtree(long id) {
        List<Long> way = new ArrayList<>();
        long up = id;
        Boolean verdict = verdicts.get(up);
        while (verdict == null) {
            way.add(up);
            StoredName name = snapshot.name(up);
            if (name == null) {
                throw new StoreException(StoreException.Kind.CORRUPT, "there is no entry " + up
                        + ", which is the parent of another");
            }
            verdicts.put(up, false);
            up = name.parentId();
            verdict = verdicts.get(up);
        }
        for (long passed : way) {
            verdicts.put(passed, verdict);
        }
        return verdict;
    }
}
