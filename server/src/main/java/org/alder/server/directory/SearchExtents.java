package org.alder.server.directory;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchExtent;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.query.SearchScope;
import org.alder.partition.query.SpecialEntries;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * What one search gets to see in each partition: aliases that are dereferenced are not entries of their own, and neither are
 * referral objects and what may be left below them, unless they are asked for as such. Immutable but for the reach.
 *
 * @param reach where aliases lead; null if they add nothing
 * @param dereferenced whether the aliases in scope are not returned themselves
 */
record SearchExtents(AliasReach reach, boolean dereferenced, boolean manageDsaIt) {
    SearchExtent of(Partition partition, Snapshot snapshot, SearchQuery query) {
        SpecialEntries special = partition.special(snapshot);
        if (query.scope() == SearchScope.BASE || special.isEmpty() && !isReached(partition)) {
            return SearchExtent.PLAIN;
        }
        IdSet without = manageDsaIt || special.referrals().isEmpty() ? IdSet.EMPTY
                : partition.tree().subtrees(snapshot, list(special.referrals()));
        if (dereferenced) {
            without = without.or(special.aliases());
        }
        return new SearchExtent(isReached(partition) ? reach.entries(partition, snapshot) : null, without);
    }

    /** Whether aliases lead the search to entries of this partition. */
    boolean isReached(Partition partition) {
        return reach != null && reach.isIn(partition);
    }

    /** The referral objects in scope. */
    IdSet referrals(Partition partition, Snapshot snapshot, SearchQuery query, SearchExtent extent) {
        IdSet all = partition.special(snapshot).referrals();
        if (manageDsaIt || all.isEmpty() || query.scope() == SearchScope.BASE) {
            return IdSet.EMPTY;
        }
        if (extent.entries() != null) {
            return all.and(extent.entries());
        }
        long base = partition.resolve(snapshot, query.base());
        return query.scope() == SearchScope.ONE_LEVEL
                ? all.and(snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.children(base)))
                : partition.tree().within(snapshot, all, Set.of(base));
    }

    private static List<Long> list(IdSet ids) {
        List<Long> list = new ArrayList<>();
        for (IdSet.IdIterator iterator = ids.iterator(); iterator.hasNext();) {
            list.add(iterator.next());
        }
        return list;
    }
}
