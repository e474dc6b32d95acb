package org.alder.server.migration.x501;

import java.util.Comparator;
import java.util.Map;
import java.util.Set;

/**
 * What one permission of an ACI item grants, or what it denies (X.501 18.8.2). Immutable.
 *
 * @param <S>       what the caller knows the item by
 * @param targets   the attributes that it is about, in each scope; of an entry, all or none
 * @param rankOfItems 1 where it names attributes, else 0
 * @param isOfEntry whether it is of the entry itself, and so means nothing for one that is to be made
 */
record Tuple<S>(S source, boolean isGrant, int precedence, Users.Subject subject, int rankOfUsers, Area area, Map<Scope, Attributes> targets,
        int rankOfItems, Set<Operation> operations, boolean isOfEntry) {
    /** Of two that speak of the same, the former decides (X.501 18.8.4): all of one rank, then denials before grants. */
    static final Comparator<Tuple<?>> ORDER = Comparator.<Tuple<?>>comparingInt(tuple -> -tuple.precedence).thenComparingInt(tuple -> -tuple.rankOfUsers)
            .thenComparingInt(tuple -> -tuple.rankOfItems).thenComparing(Tuple::isGrant);

    /** What is asked for: the entry, an attribute, or a value of one. */
    enum Scope {
        ENTRY, TYPE, VALUE
    }

    /** Whether it speaks of something that takes all of some operations: a grant has to grant all, of a denial one is enough. */
    boolean speaksOf(Scope scope, Set<Operation> needed) {
        boolean some = isGrant ? operations.containsAll(needed) : needed.stream().anyMatch(operations::contains);
        return some && !targets.getOrDefault(scope, Attributes.NONE).isEmpty();
    }
}
