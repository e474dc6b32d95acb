package org.alder.partition.query;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * Tells of single entries whether they are in scope, by walking up from them. Remembers its verdict on each parent. One thread.
 */
final class ScopeTest {
    private final Snapshot snapshot;
    private final long base;
    private final SearchScope scope;
    private final Map<Long, Boolean> verdicts = new HashMap<>();
    /** Candidates mostly come in families: the parent asked about last, and the verdict on it. */
    private long lastParent = HierarchyKeys.NO_PARENT;
    private boolean lastVerdict;

    ScopeTest(Snapshot snapshot, long base, SearchScope scope) {
        this.snapshot = snapshot;
        this.base = base;
        this.scope = scope;
        verdicts.put(base, true);
        verdicts.put(HierarchyKeys.NO_PARENT, false);
    }

    /** What is below one of several entries. */
    ScopeTest(Snapshot snapshot, Collection<Long> bases) {
        this(snapshot, HierarchyKeys.NO_PARENT, SearchScope.CHILDREN);
        bases.forEach(each -> verdicts.put(each, true));
    }

    boolean holds(long id, EntryRecord record) {
        return switch (scope) {
            case BASE -> id == base;
            case ONE_LEVEL -> record.parentId() == base;
            case SUBTREE -> id == base || isParentInSubtree(record.parentId());
            case CHILDREN -> isParentInSubtree(record.parentId());
        };
    }

    private boolean isParentInSubtree(long parent) {
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
            EntryRecord record = snapshot.entry(up);
            if (record == null) {
                throw new StoreException(StoreException.Kind.CORRUPT, "there is no entry " + up
                        + ", which is the parent of another");
            }
            verdicts.put(up, false);
            up = record.parentId();
            verdict = verdicts.get(up);
        }
        for (long passed : way) {
            verdicts.put(passed, verdict);
        }
        return verdict;
    }
}
