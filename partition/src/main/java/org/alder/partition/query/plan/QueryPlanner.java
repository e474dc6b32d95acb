package org.alder.partition.query.plan;

import java.util.List;
import java.util.Set;
import org.alder.partition.derived.Candidate;
import org.alder.partition.derived.CollectiveAttributes;
import org.alder.partition.derived.StateFacts;
import org.alder.partition.derived.Surroundings;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.FilterProbe;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.query.AccessTest;
import org.alder.partition.query.CandidateSource;
import org.alder.partition.query.PatientSnapshot;
import org.alder.partition.query.QueryPlan;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.query.order.IndexGroups;
import org.alder.partition.query.order.OrderedSource;
import org.alder.partition.query.order.PlaceReader;
import org.alder.partition.request.OrderedList;
import org.alder.partition.request.SearchScope;
import org.alder.partition.request.SortOrder;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.ScopeSet;

/** Opens search cursors: looks up the base, plans, and hands over. Immutable, thread safe. */
public final class QueryPlanner {
    /** Of fewer entries the places are read from the entries themselves. */
    static final long WALKED_ENTRIES = 10_000;
    private static final long MOST_SCOPE_KEYS = 100_000;
    private static final String MEMBER = "member";

    private final Schema schema;
    private final AttributeIndexer indexer;
    private final EntryTree tree;
    private final Surroundings around;
    private final Set<AttributeType> ignoredIndexes;
    /** Whose values dynamic groups work out; null where the schema has none. */
    private final AttributeType member;

    /** @param ignoredIndexes attribute types whose indexes are not used */
    public QueryPlanner(Schema schema, AttributeIndexer indexer, Surroundings around, Set<AttributeType> ignoredIndexes) {
        this.schema = schema;
        this.indexer = indexer;
        this.around = around;
        this.tree = around.tree();
        this.ignoredIndexes = Set.copyOf(ignoredIndexes);
        this.member = schema.attributeType(MEMBER);
    }

    /**
     * Opens a search in the order of IDs, in another, or a window of that. A window always comes in order; else the cursor says
     * whether it does.
     *
     * @param list null for the order of IDs
     * @throws DirectoryException noSuchObject with matchedDN if the base does not exist; adminLimitExceeded for a filter over
     *     the limits
     */
    public SearchCursor open(Snapshot snapshot, SearchQuery query, OrderedList list) throws DirectoryException {
        try {
            return open(snapshot, PatientSnapshot.of(snapshot, query.patience()), query, list);
        } catch (GivenUpException e) {
            throw query.resultOf(e);
        }
    }

    /** @param looked the same snapshot, for all but the walk over the candidates, which goes by steps */
    private SearchCursor open(Snapshot snapshot, Snapshot looked, SearchQuery query, OrderedList list) throws DirectoryException {
        long base = tree.resolve(looked, query.base());
        if (base == HierarchyKeys.NO_PARENT) {
            long matched = tree.deepestExisting(snapshot, query.base());
            throw DirectoryException.noSuchObject(query.base().text(), matched == HierarchyKeys.NO_PARENT ? "" : tree.dnOf(snapshot, matched));
        }
        StateFacts facts = around.facts(snapshot);
        AttributeAccess everywhere = query.access().everywhere();
        CompiledFilter filter = everywhere == null ? null : CompiledFilter.compile(schema, query.filter(), everywhere);
        AccessTest access = null;
        if (filter == null || filter.isAboutOthers() && !EntryAccess.isOfAll(query.access())) {
            filter = CompiledFilter.forAnybody(schema, query.filter());
            access = new AccessTest(schema, query.filter(), filter.isAboutOthers(), query.access());
        }
        PlanBuilder builder = new PlanBuilder(looked, query, base, query.base().size() == tree.suffix().size(),
                new IndexTerms(looked, indexer, around, ignoredIndexes, facts));
        builder.build(filter.whereTrue());
        QueryPlan plan = builder.plan();
        List<CollectiveAttributes.Area> areas = facts.areas(snapshot);
        FilterNode residual = builder.residual();
        SearchCursor matches = new SearchCursor(query, plan, CandidateSource.of(snapshot, plan.candidates(), query.afterId()),
                new Candidate(looked, around, areas), builder.scopeTest(looked), residual,
                residual == null || !areas.isEmpty() ? null : FilterProbe.of(residual, member), access);
        return list == null ? matches
                : ordered(snapshot, looked, list, matches, access != null ? null : known(looked, builder, plan, query, base));
    }

    /** All entries that match, if that is known without a look at any; else null. */
    private static IdSet known(Snapshot snapshot, PlanBuilder builder, QueryPlan plan, SearchQuery query, long base) {
        IdSet candidates = plan.candidates();
        if (builder.residual() != null || candidates != null && builder.isScopeTested()) {
            return null;
        }
        IdSet all = candidates != null ? candidates
                : ScopeSet.subtree(snapshot, base, query.scope() == SearchScope.SUBTREE, MOST_SCOPE_KEYS, Long.MAX_VALUE);
        return all == null ? null : all.andNot(query.without());
    }

    private SearchCursor ordered(Snapshot snapshot, Snapshot looked, OrderedList list, SearchCursor matches, IdSet known) {
        AttributeAccess everywhere = matches.query().access().everywhere();
        OrderedList seen = everywhere == null || everywhere == AttributeAccess.ALL ? list : list.readableBy(everywhere::maySearchAll);
        SortOrder.Part only = everywhere == null ? null : seen.order().only();
        List<CollectiveAttributes.Area> areas = around.facts(snapshot).areas(snapshot);
        IndexedAttribute index = only == null || ignoredIndexes.contains(only.attribute().type()) ? null
                : indexer.index(only.attribute().type());
        boolean many = matches.plan().candidates() == null || isWorthWalking(matches.plan().candidates());
        boolean indexed = many && only != null && areas.isEmpty() && IndexGroups.serves(snapshot, index, only);
        if (seen.window() == null && (!indexed || only.reverse())) {
            return matches;
        }
        OrderedSource.IndexChoice choice = among -> !indexed || seen.window() != null && !isWorthWalking(among) ? null
                : new IndexGroups(snapshot, index, seen.order(), among);
        PlaceReader places = new PlaceReader(looked, seen.order(), everywhere == null ? matches.query().access() : null,
                new Candidate(looked, around, areas));
        OrderedSource source = new OrderedSource(snapshot, seen, matches, known, choice, places);
        return SearchCursor.ordered(matches, source, new Candidate(looked, around, areas));
    }

    /** Whether walking all values of an index takes less than reading the entries. */
    private static boolean isWorthWalking(IdSet entries) {
        return entries.cardinality() >= WALKED_ENTRIES;
    }
}
