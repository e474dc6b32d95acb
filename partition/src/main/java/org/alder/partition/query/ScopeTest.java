package org.alder.partition.query;

import java.util.List;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.SubtreeTest;

/** Tells of single entries whether they are in a search's scope. One thread. */
public final class ScopeTest {
    private final long base;
    private final SearchScope scope;
    private final SubtreeTest below;

    public ScopeTest(Snapshot snapshot, long base, SearchScope scope) {
        this.base = base;
        this.scope = scope;
        this.below = new SubtreeTest(snapshot, List.of(base));
    }

    boolean holds(long id, long parent) {
        return switch (scope) {
            case BASE -> id == base;
            case ONE_LEVEL -> parent == base;
            case SUBTREE -> id == base || below.isBelow(parent);
            case CHILDREN -> below.isBelow(parent);
        };
    }
}
