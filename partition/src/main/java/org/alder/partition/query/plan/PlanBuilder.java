package org.alder.partition.query.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.FilterTest;
import org.alder.partition.filter.Truth;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKind;
import org.alder.partition.query.MissingIndex;
import org.alder.partition.query.QueryPlan;
import org.alder.partition.query.ScopeTest;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.ScopeSet;

/**
 * Plans one search: a set of candidates from the indexes, as small as it is worth making it, and what must still be tested on
 * each of them. One thread, used once.
 */
final class PlanBuilder {
    /** Without any candidates from the filter, the scope's set is worth this much before all entries are walked instead. */
    private static final long SCOPE_KEYS = 10_000;

    private final Snapshot snapshot;
    private final SearchQuery query;
    private final long base;
    private final boolean wholeSuffix;
    private final IndexTerms terms;
    private final IdSet scopeEntries;
    private final List<QueryPlan.Step> steps = new ArrayList<>();
    /** Of each part that is tested and that some index is missing for. */
    private final List<Set<MissingIndex>> missing = new ArrayList<>(0);
    /** The attributes whose indexes were read, one for each reading. Not the terms: they hold what they have read. */
    private final List<String> read = new ArrayList<>(2);
    private final List<FilterNode> residual = new ArrayList<>();
    private IdSet candidates;
    private boolean testScope;

    PlanBuilder(Snapshot snapshot, SearchQuery query, long base, boolean wholeSuffix, IndexTerms terms) {
        this.snapshot = snapshot;
        this.query = query;
        this.base = base;
        this.wholeSuffix = wholeSuffix;
        this.terms = terms;
        this.scopeEntries = query.entries();
    }

    /** @param filter as {@link org.alder.partition.filter.CompiledFilter#whereTrue} gives it */
    void build(FilterNode filter) {
        if (filter instanceof FilterNode.Constant constant && constant.truth() != Truth.TRUE) {
            keep(QueryPlan.Kind.INTERSECT, () -> "the filter is true of no entry", 0, IdSet.EMPTY);
        } else if (query.scope() == SearchScope.BASE) {
            IdSet entry = IdSet.of(base);
            keep(QueryPlan.Kind.SCOPE, () -> "the base entry", 1, scopeEntries == null ? entry : entry.and(scopeEntries));
            conjuncts(filter).forEach(this::testBase);
        } else {
            buildFromIndexes(filter);
        }
    }

    /** A chain of values starts at the base; from its other end the index finds the way in fewer steps. */
    private void testBase(FilterNode node) {
        if (node instanceof FilterTest.InChain && terms.of(node) instanceof IndexTerm.Fixed known) {
            keep(QueryPlan.Kind.INTERSECT, known::text, known.estimate(), candidates.and(known.set()));
        } else {
            test(node, null);
        }
    }

    /** The scope of one level is one more set to intersect; other scopes come when it is known how much is left to narrow. */
    private void buildFromIndexes(FilterNode filter) {
        List<Conjunct> positive = new ArrayList<>();
        List<FilterNode> others = new ArrayList<>();
        List<FilterNode> parts = conjuncts(filter);
        List<Conjunct> each = terms.each(parts);
        for (Conjunct conjunct : terms.combined(each)) {
            if (conjunct.term() == null) {
                others.add(conjunct.node());
            } else {
                positive.add(conjunct);
            }
        }
        if (query.scope() == SearchScope.ONE_LEVEL && scopeEntries == null) {
            positive.add(new Conjunct(null, childrenOfBase()));
        }
        positive.sort(Comparator.comparingLong(conjunct -> conjunct.term().estimate()));
        positive.forEach(this::intersect);
        narrowToScope();
        others.forEach(node -> subtractOrTest(node, each));
        if (candidates == null) {
            steps.add(0, new QueryPlan.Step(QueryPlan.Kind.SCAN, () -> "all entries", -1, -1));
        }
    }

    private static List<FilterNode> conjuncts(FilterNode filter) {
        if (filter instanceof FilterNode.And and) {
            return and.parts();
        }
        return filter instanceof FilterNode.Constant ? List.of() : List.of(filter);
    }

    private IndexTerm childrenOfBase() {
        byte[] key = HierarchyKeys.children(base);
        return new IndexTerm.Key(snapshot, null, key, true);
    }

    private void intersect(Conjunct conjunct) {
        IndexTerm term = conjunct.term();
        boolean isScope = conjunct.node() == null;
        IdSet left = candidates == null ? term.ids(snapshot) : among(term);
        if (left != null) {
            term.addIndexes(read);
            keep(isScope ? QueryPlan.Kind.SCOPE : QueryPlan.Kind.INTERSECT, term::text,
                    candidates == null ? left.cardinality() : term.estimate(), left);
            if (!isScope && !term.isExact()) {
                test(conjunct.node(), term);
            }
        } else if (isScope) {
            testScope();
        } else {
            test(conjunct.node(), term);
        }
    }

    /** Which candidates a term has; null where testing each of them is cheaper. */
    private IdSet among(IndexTerm term) {
        return Cost.isWorth(term.costNanos(candidates), candidates.cardinality()) ? term.ids(snapshot, candidates) : null;
    }

    private void narrowToScope() {
        if (scopeEntries != null) {
            keep(QueryPlan.Kind.SCOPE, () -> "entries in scope, found beforehand", scopeEntries.cardinality(),
                    candidates == null ? scopeEntries : candidates.and(scopeEntries));
            return;
        }
        if (query.scope() == SearchScope.ONE_LEVEL) {
            return;
        }
        boolean withBase = query.scope() == SearchScope.SUBTREE;
        if (wholeSuffix) {
            if (!withBase) {
                testScope();
            }
            return;
        }
        IdSet scope = candidates == null ? ScopeSet.subtree(snapshot, base, withBase, SCOPE_KEYS, Long.MAX_VALUE)
                : ScopeSet.subtree(snapshot, base, withBase, Cost.keysFor(candidates.cardinality()),
                        Cost.idsFor(candidates.cardinality()));
        if (scope == null) {
            testScope();
        } else {
            keep(QueryPlan.Kind.SCOPE, () -> "entries below the base", scope.cardinality(), candidates == null ? scope
                    : candidates.and(scope));
        }
    }

    /** A negated item whose set is exact takes that set away, if that is cheaper than testing; all else is tested. */
    private void subtractOrTest(FilterNode node, List<Conjunct> parts) {
        IndexTerm inner = node instanceof FilterNode.Not not ? terms.within(parts, not.part()) : null;
        IdSet ids = inner != null && inner.isExact() && candidates != null ? among(inner) : null;
        if (ids != null) {
            inner.addIndexes(read);
            keep(QueryPlan.Kind.SUBTRACT, inner::text, inner.estimate(), candidates.andNot(ids));
        } else {
            test(node, null);
        }
    }

    private void keep(QueryPlan.Kind kind, Supplier<String> text, long count, IdSet left) {
        candidates = left;
        steps.add(new QueryPlan.Step(kind, text, count, left.cardinality()));
    }

    private void testScope() {
        testScope = true;
        steps.add(new QueryPlan.Step(QueryPlan.Kind.TEST_SCOPE, () -> "parents of each candidate", -1, -1));
    }

    /** @param term what the indexes say about the part, or null */
    private void test(FilterNode node, IndexTerm term) {
        residual.add(node);
        if (query.scope() != SearchScope.BASE) {
            addFound(missingOf(node), missing);
        }
        steps.add(new QueryPlan.Step(QueryPlan.Kind.TEST, node::text, term == null ? -1 : term.estimate(), -1));
    }

    /** What no index answers. */
    private Set<MissingIndex> missingOf(FilterNode node) {
        if (node instanceof FilterNode.And and) {
            List<Set<MissingIndex>> ofParts = new ArrayList<>(0);
            for (Conjunct conjunct : terms.combined(terms.each(and.parts()))) {
                if (!(conjunct.term() instanceof IndexTerm.Inlined)) {
                    addFound(missingOf(conjunct.node()), ofParts);
                }
            }
            return worthwhile(ofParts);
        } else if (node instanceof FilterNode.Or or) {
            List<Set<MissingIndex>> ofParts = new ArrayList<>(0);
            or.parts().forEach(part -> addFound(missingOf(part), ofParts));
            return all(ofParts);
        } else if (node instanceof FilterNode.Not not) {
            return missingOf(not.part());
        } else if (node instanceof FilterTest item && terms.of(node) == null) {
            boolean isAttribute = item.description() != null;
            return Set.of(new MissingIndex(isAttribute ? item.description().type().name() : node.text(), isAttribute, wanted(item)));
        }
        return Set.of();
    }

    private static void addFound(Set<MissingIndex> found, List<Set<MissingIndex>> ofParts) {
        if (!found.isEmpty()) {
            ofParts.add(found);
        }
    }

    /**
     * Of parts all of which have to hold: where an index of another kind is missing, that would leave so few entries that whether these have
     * an attribute is no matter of an index.
     */
    private static Set<MissingIndex> worthwhile(List<Set<MissingIndex>> ofParts) {
        if (ofParts.isEmpty()) {
            return Set.of();
        }
        boolean isOtherMissing = ofParts.stream().flatMap(Set::stream).anyMatch(each -> each.index() != null && each.index() != IndexKind.PRESENCE);
        return all(!isOtherMissing ? ofParts
                : ofParts.stream().filter(part -> !part.stream().allMatch(each -> each.index() == IndexKind.PRESENCE)).toList());
    }

    private static Set<MissingIndex> all(List<Set<MissingIndex>> ofParts) {
        if (ofParts.size() < 2) {
            return ofParts.isEmpty() ? Set.of() : ofParts.get(0);
        }
        Set<MissingIndex> all = new LinkedHashSet<>();
        ofParts.forEach(all::addAll);
        return all;
    }

    /** The index that would answer an item; null if none would. */
    private static IndexKind wanted(FilterTest item) {
        if (item instanceof FilterTest.Substring) {
            return IndexKind.SUBSTRING;
        } else if (item instanceof FilterTest.Presence) {
            return IndexKind.PRESENCE;
        } else if (item instanceof FilterTest.Around around) {
            return wanted(around.test());
        }
        return item instanceof FilterTest.Extensible || item instanceof FilterTest.Restricted ? null : IndexKind.EQUALITY;
    }

    QueryPlan plan() {
        return new QueryPlan(query, steps, List.copyOf(worthwhile(missing)), read, candidates);
    }

    /** What must hold of each candidate; null if nothing is left to test. */
    FilterNode residual() {
        return residual.isEmpty() ? null : residual.size() == 1 ? residual.get(0) : new FilterNode.And(List.copyOf(residual));
    }

    boolean isScopeTested() {
        return testScope;
    }

    /** @param read what the test reads entries from  @return null if all candidates are in scope */
    ScopeTest scopeTest(Snapshot read) {
        return testScope ? new ScopeTest(read, base, query.scope()) : null;
    }
}
