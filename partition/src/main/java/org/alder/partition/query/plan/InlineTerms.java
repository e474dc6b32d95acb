package org.alder.partition.query.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.FilterTest;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Snapshot;

/**
 * Answers parts of an AND together, from the inline values of the index of one of them: an equality, or an OR of equalities of
 * one attribute, with the same or an ordering of an inline attribute. The set of the composite key is part of both sets, so where
 * one key stands for both parts neither is looked at. One thread.
 */
final class InlineTerms {
    /** In an AND of more parts nothing is put together: each would be held against each. */
    private static final int MAX_PARTS = 64;
    /** More keys for two parts of an AND are not looked up one by one. */
    private static final int MAX_KEYS = 64;

    /**
     * An equality, or an OR of equalities of one attribute.
     *
     * @param keys equality keys
     * @param isExact whether the keys' entries are all and only those for which it is true
     */
    private record Asked(AttributeType type, List<byte[]> keys, boolean isExact) {
    }

    private final Snapshot snapshot;
    private final AttributeIndexer indexer;
    private final Set<AttributeType> ignored;

    InlineTerms(Snapshot snapshot, AttributeIndexer indexer, Set<AttributeType> ignored) {
        this.snapshot = snapshot;
        this.indexer = indexer;
        this.ignored = ignored;
    }

    /** The parts of an AND: those that inline values answer put together before the others. */
    List<Conjunct> combined(List<Conjunct> parts) {
        if (!isApplicable(parts)) {
            return parts;
        }
        List<Conjunct> result = new ArrayList<>(parts.size());
        boolean[] answered = new boolean[parts.size()];
        for (int i = 0; i < parts.size(); i++) {
            IndexedAttribute host = host(parts.get(i).node());
            Conjunct together = host == null ? null : together(host, parts, i, answered);
            if (together != null) {
                result.add(together);
            }
        }
        for (int i = 0; i < parts.size(); i++) {
            if (!answered[i]) {
                result.add(parts.get(i));
            }
        }
        return result;
    }

    private boolean isApplicable(List<Conjunct> parts) {
        return parts.size() > 1 && parts.size() <= MAX_PARTS;
    }

    /** The entries for which both an item and a part of an AND are true, if that is known exactly; else null. */
    IndexTerm within(List<Conjunct> parts, Conjunct item) {
        for (Conjunct part : isApplicable(parts) ? parts : List.<Conjunct>of()) {
            IndexedAttribute host = host(part.node());
            IndexTerm term = host == null ? null : both(host, part, item);
            if (term != null && tooMany(host, asked(part.node())).isEmpty() && term.isExact()) {
                return new IndexTerm.Inlined(host, new FilterNode.And(List.of(part.node(), item.node())), term);
            }
        }
        return null;
    }

    /** The index with inline attributes that a part is about, or null. */
    private IndexedAttribute host(FilterNode part) {
        Asked asked = asked(part);
        IndexedAttribute index = asked == null || ignored.contains(asked.type()) ? null : indexer.index(asked.type());
        return index == null || index.definition().inline().isEmpty() ? null : index;
    }

    /** A part with all others that are inline in its index; a pair that was answered before is not answered again. */
    private Conjunct together(IndexedAttribute host, List<Conjunct> parts, int base, boolean[] answered) {
        boolean again = answered[base];
        List<FilterNode> nodes = new ArrayList<>(List.of(parts.get(base).node()));
        List<IndexTerm> found = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            IndexTerm term = i == base || again && answered[i] ? null : both(host, parts.get(base), parts.get(i));
            if (term != null) {
                nodes.add(parts.get(i).node());
                found.add(term);
                answered[i] = true;
            }
        }
        if (found.isEmpty()) {
            return null;
        }
        answered[base] = true;
        FilterNode node = new FilterNode.And(List.copyOf(nodes));
        return new Conjunct(node, new IndexTerm.Inlined(host, node, withTooMany(host, asked(parts.get(base).node()), found)));
    }

    private IndexTerm withTooMany(IndexedAttribute host, Asked base, List<IndexTerm> found) {
        IndexTerm all = IndexTerm.intersection(found, true);
        List<IndexTerm> tooMany = tooMany(host, base);
        if (tooMany.isEmpty()) {
            return all;
        }
        List<IndexTerm> union = new ArrayList<>(tooMany);
        union.add(all);
        return new IndexTerm.Union(union);
    }

    /** The entries that have a value asked for, but too many values for composite keys. */
    private List<IndexTerm> tooMany(IndexedAttribute host, Asked base) {
        List<IndexTerm> found = new ArrayList<>();
        boolean none = snapshot.ids(host.number(), IndexKeys.inlineTooMany()).isEmpty();
        for (byte[] key : none ? List.<byte[]>of() : base.keys()) {
            IndexTerm term = new IndexTerm.Key(snapshot, host, IndexKeys.inlineTooMany(key), false);
            if (term.estimate() > 0) {
                found.add(term);
            }
        }
        return found;
    }

    /**
     * The entries under the composite keys of two parts.
     *
     * @return null if the second one is not inline in the index of the first one, or if there is a cheaper way
     */
    private IndexTerm both(IndexedAttribute host, Conjunct basePart, Conjunct inlinePart) {
        Asked base = asked(basePart.node());
        Asked inline = asked(inlinePart.node());
        IndexTerm term;
        if (inline != null) {
            int position = host.inlinePosition(inline.type());
            boolean few = position >= 0 && (long) base.keys().size() * inline.keys().size() <= MAX_KEYS;
            term = few ? keys(host, base, position, inline) : null;
        } else {
            term = base.keys().size() == 1 ? range(host, base, inlinePart.node()) : null;
        }
        boolean single = inline != null && inline.keys().size() == 1;
        return term == null || single || isCheaper(term, basePart.term(), inlinePart.term()) ? term : null;
    }

    private IndexTerm keys(IndexedAttribute host, Asked base, int position, Asked inline) {
        List<IndexTerm> found = new ArrayList<>();
        for (byte[] baseKey : base.keys()) {
            for (byte[] inlineKey : inline.keys()) {
                found.add(new IndexTerm.Key(snapshot, host, IndexKeys.inline(baseKey, position, inlineKey), base.isExact() && inline.isExact()));
            }
        }
        return found.size() == 1 ? found.get(0) : new IndexTerm.Union(found);
    }

    private IndexTerm range(IndexedAttribute host, Asked base, FilterNode part) {
        if (!(part instanceof FilterTest.Ordering test)) {
            return null;
        }
        int position = host.inlinePosition(test.description().type());
        if (position < 0 || !IndexedAttribute.isOrdered(test.description().type())) {
            return null;
        }
        boolean exact = base.isExact() && test.description().options().isEmpty();
        byte[] key = base.keys().get(0);
        return IndexTerm.ordering(snapshot, host, test, exact, range -> IndexKeys.inlineRange(key, position, range));
    }

    /** Whether reading the term costs less than the set of the first part, and testing its entries or the other part's set. */
    private static boolean isCheaper(IndexTerm term, IndexTerm base, IndexTerm inline) {
        long other = Cost.testNanos(base.estimate());
        long narrowed = inline == null ? other : Math.min(other, inline.costNanos());
        return term.costNanos() < Cost.plus(base.costNanos(), narrowed);
    }

    /** @return null if the part is something else */
    private static Asked asked(FilterNode part) {
        if (part instanceof FilterTest.Equality test) {
            byte[] form = test.forms().get(0);
            return new Asked(test.description().type(), List.of(IndexKeys.equality(form)),
                    test.description().options().isEmpty() && !IndexKeys.isLong(form));
        }
        return part instanceof FilterNode.Or or && or.parts().size() <= MAX_KEYS ? anyOf(or.parts()) : null;
    }

    private static Asked anyOf(List<FilterNode> parts) {
        AttributeType type = null;
        boolean exact = true;
        List<byte[]> keys = new ArrayList<>();
        for (FilterNode part : parts) {
            Asked one = part instanceof FilterTest ? asked(part) : null;
            if (one == null || type != null && one.type() != type) {
                return null;
            }
            type = one.type();
            exact &= one.isExact();
            keys.addAll(one.keys());
        }
        return new Asked(type, keys, exact);
    }
}
