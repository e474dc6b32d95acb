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
import org.alder.partition.query.order.OrderedPart;
import org.alder.partition.query.order.PlaceReader;
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
     * Opens a search in the order of IDs.
     *
     * @throws DirectoryException noSuchObject with matchedDN if the base does not exist; adminLimitExceeded for a filter over
     *     the limits
     */
    public SearchCursor open(Snapshot snapshot, SearchQuery query) throws DirectoryException {
        try {
            return planned(snapshot, PatientSnapshot.of(snapshot, query.patience()), query).matches;
        } catch (GivenUpException e) {
            throw query.resultOf(e);
        }
    }

    /**
     * The same for what an ordered list has of this partition.
     *
     * @param position which of all partitions this is
     */
    public OrderedPart part(int position, Snapshot snapshot, SearchQuery query, SortOrder order) throws DirectoryException {
        Snapshot looked = PatientSnapshot.of(snapshot, query.patience());
        try {
            return part(position, looked, planned(snapshot, looked, query), order);
        } catch (GivenUpException e) {
            throw query.resultOf(e);
        }
    }

    /** @param isTested whether what may be known of entries is asked for each of them */
    private record Planned(Snapshot snapshot, long base, PlanBuilder builder, boolean isTested, SearchCursor matches) {
    }

    /** @param looked the same snapshot, for all but the walk over the candidates, which goes by steps */
    private Planned planned(Snapshot snapshot, Snapshot looked, SearchQuery query) throws DirectoryException {
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
        return new Planned(snapshot, base, builder, access != null, matches);
    }

    /** All entries that match, if that is known without a look at any; else null. */
    private static IdSet known(Snapshot looked, Planned planned) {
        SearchQuery query = planned.matches.query();
        IdSet candidates = planned.matches.plan().candidates();
        if (planned.isTested || planned.builder.residual() != null || candidates != null && planned.builder.isScopeTested()) {
            return null;
        }
        IdSet all = candidates != null ? candidates
                : ScopeSet.subtree(looked, planned.base, query.scope() == SearchScope.SUBTREE, MOST_SCOPE_KEYS, Long.MAX_VALUE);
        return all == null ? null : all.andNot(query.without());
    }

    private OrderedPart part(int position, Snapshot looked, Planned planned, SortOrder order) {
        SearchCursor matches = planned.matches;
        AttributeAccess everywhere = matches.query().access().everywhere();
        SortOrder seen = everywhere == null || everywhere == AttributeAccess.ALL ? order : order.readableBy(everywhere::maySearchAll);
        SortOrder.Part only = everywhere == null ? null : seen.only();
        List<CollectiveAttributes.Area> areas = around.facts(planned.snapshot).areas(planned.snapshot);
        boolean mayBeIndexed = only != null && areas.isEmpty() && !ignoredIndexes.contains(only.attribute().type());
        PlaceReader places = new PlaceReader(looked, seen, everywhere == null ? matches.query().access() : null,
                new Candidate(looked, around, areas));
        return new OrderedPart(position, planned.snapshot, matches, known(looked, planned), seen,
                mayBeIndexed ? indexer.index(only.attribute().type()) : null, places, new Candidate(looked, around, areas));
    }
}
