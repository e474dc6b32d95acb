package org.alder.server.directory.search;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.SpecialEntries;
import org.alder.server.directory.EntryCursor;
import org.alder.server.directory.SearchRequest;
import org.alder.server.directory.Visibility;
import org.alder.server.directory.naming.AliasReach;
import org.alder.server.directory.naming.NameResolver;
import org.alder.server.directory.naming.NamingContexts;
import org.alder.server.resource.IndexUse;

/**
 * Starts searches in the partitions: which ones, from where, and through which aliases. Where there are no aliases and no
 * referral objects, which is known without a look at an index, a search is what it says. Immutable, thread safe.
 */
public final class PartitionSearch {
    private final NamingContexts contexts;
    private final NameResolver resolver;
    private final IndexUse use;

    /** @param use is told which indexes are read */
    public PartitionSearch(NamingContexts contexts, NameResolver resolver, IndexUse use) {
        this.contexts = contexts;
        this.resolver = resolver;
        this.use = use;
    }

    /**
     * @param home the partition that has the base; null if none has
     * @throws DirectoryException noSuchObject, referral, aliasProblem, aliasDereferencingProblem, adminLimitExceeded
     */
    public EntryCursor open(SearchRequest request, NamingContexts.Context home) throws DirectoryException {
        if (home == null && !request.base().isRoot()) {
            throw contexts.outside(request.base(), request.scope());
        }
        List<NamingContexts.Context> below = contexts.below(request.base(), request.scope());
        if (home == null || !below.isEmpty() && below.stream().anyMatch(PartitionSearch::isSpecial)) {
            return follow(request);
        }
        Snapshot snapshot = home.partition().snapshot();
        SpecialEntries special = special(home, snapshot);
        boolean none = special == SpecialEntries.NONE;
        if (none || special.isEmpty()) {
            boolean plain = none && below.isEmpty() && request.visibility() != Visibility.SUBENTRIES;
            return cursor(request, each -> each == home ? snapshot : null, plain ? null : new SearchExtents(null, false, request));
        }
        snapshot.close();
        return follow(request);
    }

    /** The snapshot is closed if they cannot be read. */
    private static SpecialEntries special(NamingContexts.Context home, Snapshot snapshot) {
        try {
            return home.partition().special(snapshot);
        } catch (RuntimeException | Error e) {
            snapshot.close();
            throw e;
        }
    }

    private static boolean isSpecial(NamingContexts.Context context) {
        try (Snapshot snapshot = context.partition().snapshot()) {
            return !context.partition().special(snapshot).isEmpty();
        }
    }

    private EntryCursor follow(SearchRequest request) throws DirectoryException {
        SearchRequest found = request.withBase(base(request));
        boolean dereferenced = found.dereferencing().inSearching() && found.scope() != SearchScope.BASE && !isAlias(found.base());
        AliasReach reach = dereferenced ? AliasReach.of(contexts, resolver, found) : null;
        return cursor(found, each -> null, new SearchExtents(reach, dereferenced, found));
    }

    /** The search's base, aliases followed if it wants that. */
    public Dn base(SearchRequest request) throws DirectoryException {
        return request.dereferencing().findingBase()
                ? resolver.dereference(request.base(), request.manageDsaIt(), request.scope(), request.access())
                : resolver.undereferenced(request.base(), request.manageDsaIt(), request.scope(), request.access());
    }

    /** An alias that is the base and was not to be dereferenced is an entry like any other. */
    private boolean isAlias(Dn base) {
        NamingContexts.Context home = contexts.of(base);
        if (home == null) {
            return false;
        }
        try (Snapshot snapshot = home.partition().snapshot()) {
            long id = home.partition().resolve(snapshot, base);
            return id != HierarchyKeys.NO_PARENT && home.partition().special(snapshot).aliases().contains(id);
        }
    }

    /**
     * @param opened gives snapshots of partitions, which the cursor takes over; null for one that is to be opened when its turn comes
     * @param extents what the search gets to see; null if that is what base and scope say
     */
    public EntryCursor cursor(SearchRequest request, Function<NamingContexts.Context, Snapshot> opened, SearchExtents extents) throws DirectoryException {
        NamingContexts.Context home = contexts.of(request.base());
        List<PartitionCursor.Part> parts = new ArrayList<>(1);
        for (int i = 0; i < contexts.all().size(); i++) {
            NamingContexts.Context candidate = contexts.all().get(i);
            boolean isHome = candidate == home;
            boolean exhausted = i < request.after().partition();
            SearchScope scope = isHome ? request.scope() : scopeBelow(candidate, request, extents);
            if (scope != null) {
                SearchQuery query = query(request, i, isHome ? request.base() : candidate.partition().suffix(), scope);
                parts.add(new PartitionCursor.Part(candidate, opened.apply(candidate), i, query, isHome && !exhausted, exhausted));
            }
        }
        return new PartitionCursor(parts, request, extents, resolver, use);
    }

    /** What is searched of a partition that is not the base's own; null for nothing. */
    private SearchScope scopeBelow(NamingContexts.Context candidate, SearchRequest request, SearchExtents extents) {
        if (extents != null && extents.isReached(candidate.partition())) {
            return SearchScope.SUBTREE;
        }
        if (!contexts.isBelow(candidate.partition(), request.base(), request.scope())) {
            return null;
        }
        if (candidate.partition().suffix().equals(request.base())) {
            return request.scope();
        }
        return request.scope() == SearchScope.ONE_LEVEL ? SearchScope.BASE : SearchScope.SUBTREE;
    }

    private static SearchQuery query(SearchRequest request, int position, Dn base, SearchScope scope) {
        long afterId = position == request.after().partition() ? request.after().id() : 0;
        return new SearchQuery(base, scope, request.filter(), afterId, request.examinedLimit(), request.access(),
                request.patience());
    }
}
