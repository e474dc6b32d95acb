package org.alder.server.directory.search;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.id.IdSet;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.SpecialEntries;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.Visibility;
import org.alder.server.directory.naming.AliasReach;

/**
 * What one search gets to see in each partition: aliases that are dereferenced are not entries of their own, and neither are
 * referral objects and what may be left below them, unless they are asked for as such; subentries are seen as the request says.
 * Immutable but for the reach.
 *
 * @param reach where aliases lead; null if they add nothing
 * @param dereferenced whether the aliases in scope are not returned themselves
 * @param request the search
 */
public record SearchExtents(AliasReach reach, boolean dereferenced, SearchRequest request) {
    /** The search of one partition with the scope that it really has. */
    SearchQuery of(Partition partition, Snapshot snapshot, SearchQuery query) {
        SpecialEntries special = partition.special(snapshot);
        IdSet entries = isReached(partition) ? reach.entries(partition, snapshot) : null;
        if (request.visibility() == Visibility.SUBENTRIES) {
            entries = inScope(partition, snapshot, query, entries, special.subentries());
        }
        return query.within(entries, without(partition, snapshot, query, special));
    }

    private IdSet without(Partition partition, Snapshot snapshot, SearchQuery query, SpecialEntries special) {
        boolean base = query.scope() == SearchScope.BASE;
        boolean hidden = request.visibility() == Visibility.ENTRIES
                || request.visibility() == Visibility.BY_SCOPE && !base;
        IdSet subentries = hidden ? special.subentries() : IdSet.EMPTY;
        IdSet unseen = partition.shard().hasCopyOfSuffix() ? subentries.or(copyOfSuffix(partition, snapshot)) : subentries;
        if (base || special.isEmpty()) {
            return unseen;
        }
        IdSet without = request.manageDsaIt() || special.referrals().isEmpty() ? IdSet.EMPTY
                : partition.tree().subtrees(snapshot, list(special.referrals()));
        if (dereferenced) {
            without = without.or(special.aliases());
        }
        return without.or(unseen);
    }

    /** The entry itself is another shard's. */
    private static IdSet copyOfSuffix(Partition partition, Snapshot snapshot) {
        long copy = partition.resolve(snapshot, partition.suffix());
        return copy == HierarchyKeys.NO_PARENT ? IdSet.EMPTY : IdSet.of(copy);
    }

    /** Whether aliases lead the search to entries of this partition. */
    boolean isReached(Partition partition) {
        return reach != null && reach.isIn(partition);
    }

    /** The referral objects in scope. @param query as {@link #of} made it */
    IdSet referrals(Partition partition, Snapshot snapshot, SearchQuery query) {
        IdSet all = partition.special(snapshot).referrals();
        if (!request.references() || request.manageDsaIt() || all.isEmpty() || query.scope() == SearchScope.BASE) {
            return IdSet.EMPTY;
        }
        return inScope(partition, snapshot, query, isReached(partition) ? query.entries() : null, all);
    }

    /** @param entries those in scope if aliases lead out of it, or null */
    private static IdSet inScope(Partition partition, Snapshot snapshot, SearchQuery query, IdSet entries, IdSet all) {
        if (entries != null || all.isEmpty()) {
            return entries == null ? IdSet.EMPTY : all.and(entries);
        }
        long base = partition.resolve(snapshot, query.base());
        return switch (query.scope()) {
            case BASE -> all;
            case ONE_LEVEL -> snapshot.ids(HierarchyKeys.INDEX, HierarchyKeys.children(base), all);
            case SUBTREE -> partition.tree().within(snapshot, all, Set.of(base));
            case CHILDREN -> partition.tree().within(snapshot, all.contains(base) ? all.andNot(IdSet.of(base)) : all,
                    Set.of(base));
        };
    }

    private static List<Long> list(IdSet ids) {
        List<Long> list = new ArrayList<>();
        for (IdSet.IdIterator iterator = ids.iterator(); iterator.hasNext();) {
            list.add(iterator.next());
        }
        return list;
    }
}
