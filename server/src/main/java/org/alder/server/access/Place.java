package org.alder.server.access;

import org.alder.partition.dn.Dn;
import org.alder.partition.request.SearchScope;

/** A part of the tree: what a search from this base with this scope gets to. Immutable. */
public record Place(SearchScope scope, Dn dn) {
    boolean contains(Dn other) {
        int below = other.size() - dn.size();
        boolean inScope = switch (scope) {
            case BASE -> below == 0;
            case ONE_LEVEL -> below == 1;
            case SUBTREE -> below >= 0;
            case CHILDREN -> below > 0;
        };
        return inScope && other.isDescendantOrSelf(dn);
    }

    /** Whether an entry may be in both. */
    boolean meets(Place other) {
        return other.scope == SearchScope.BASE ? contains(other.dn) : touchesSubtree(other.dn);
    }

    /** Whether all of a subtree is in it. */
    boolean containsSubtree(Dn top) {
        return switch (scope) {
            case BASE, ONE_LEVEL -> false;
            case SUBTREE, CHILDREN -> contains(top);
        };
    }

    /** Whether anything of a subtree is in it. */
    boolean touchesSubtree(Dn top) {
        return switch (scope) {
            case BASE -> dn.isDescendantOrSelf(top);
            case ONE_LEVEL -> dn.isDescendantOrSelf(top) || contains(top);
            case SUBTREE, CHILDREN -> dn.isDescendantOrSelf(top) || top.isDescendantOrSelf(dn);
        };
    }
}
