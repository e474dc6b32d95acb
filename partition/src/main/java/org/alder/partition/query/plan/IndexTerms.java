package org.alder.partition.query.plan;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.derived.Candidate;
import org.alder.partition.derived.CollectiveAttributes;
import org.alder.partition.derived.ComputedGroups;
import org.alder.partition.derived.StateFacts;
import org.alder.partition.derived.Surroundings;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.filter.ChainWalk;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.FilterTest;
import org.alder.partition.filter.SubstringPieces;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexKind;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.value.MatchingRule;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;

/** Translates filter parts into what the indexes of one snapshot know about them. One thread. */
final class IndexTerms {
    /** How many of a substring assertion's keys are intersected: more seldom narrow the set further. */
    private static final int SUBSTRING_KEYS = 3;
    /** Of about so many of them it is looked up how seldom they are: each is a key. */
    private static final int SUBSTRING_LOOK_UPS = 64;
    /** How many entries of a chain are followed in the index. */
    private static final int CHAIN_ENTRIES = 100_000;

    private final Snapshot snapshot;
    private final AttributeIndexer indexer;
    private final Surroundings around;
    private final Set<AttributeType> ignored;
    private final List<CollectiveAttributes.Area> areas;
    private final boolean combines;
    private final boolean anyDynamicGroup;
    private Map<FilterTest, IndexTerm> remembered;

    /** @param ignored whose indexes are treated as if they were not there */
    IndexTerms(Snapshot snapshot, AttributeIndexer indexer, Surroundings around, Set<AttributeType> ignored,
            StateFacts facts) {
        this.snapshot = snapshot;
        this.indexer = indexer;
        this.around = around;
        this.ignored = ignored;
        this.areas = facts.areas(snapshot);
        this.combines = areas.isEmpty() && indexer.hasInline();
        this.anyDynamicGroup = !facts.dynamicGroups(snapshot).isEmpty();
    }

    /** The parts of an AND with what the indexes say about each. */
    List<Conjunct> each(List<FilterNode> parts) {
        List<Conjunct> conjuncts = new ArrayList<>(parts.size());
        for (FilterNode part : parts) {
            conjuncts.add(new Conjunct(part, of(part)));
        }
        return conjuncts;
    }

    /** The same, those put together that inline values answer together. */
    List<Conjunct> combined(List<Conjunct> parts) {
        return combines && parts.size() > 1 ? inline().combined(parts) : parts;
    }

    /**
     * The entries for which an item is true; those that are not in an AND's result anyway may be missing.
     *
     * @param parts of the AND
     * @return null if the indexes cannot answer the item
     */
    IndexTerm within(List<Conjunct> parts, FilterNode item) {
        Conjunct single = new Conjunct(item, of(item));
        IndexTerm term = combines && parts.size() > 1 ? inline().within(parts, single) : null;
        return term == null ? single.term() : term;
    }

    private InlineTerms inline() {
        return new InlineTerms(snapshot, indexer, ignored);
    }

    /** @return null if the indexes cannot answer the part */
    IndexTerm of(FilterNode node) {
        if (node instanceof FilterTest test) {
            IndexTerm own = known(test);
            return own == null || areas.isEmpty() ? own : withShared(test, own);
        } else if (node instanceof FilterNode.Or or) {
            List<IndexTerm> terms = all(or.parts());
            return terms.size() == or.parts().size() ? new IndexTerm.Union(terms) : null;
        } else if (node instanceof FilterNode.And and) {
            List<Conjunct> conjuncts = combined(each(and.parts()));
            List<IndexTerm> terms = conjuncts.stream().map(Conjunct::term).filter(term -> term != null).toList();
            return terms.isEmpty() ? null : IndexTerm.intersection(terms, terms.size() == conjuncts.size());
        }
        return null;
    }

    /**
     * Entries match by their own values, which the index has, or by those they share, which the entries of the subtree may have.
     */
    private IndexTerm withShared(FilterTest test, IndexTerm own) {
        List<IndexTerm> terms = new ArrayList<>(List.of(own));
        for (CollectiveAttributes.Area area : areas) {
            boolean about = test.description() != null
                    && area.types().stream().anyMatch(type -> type.isSubtypeOf(test.description().type()));
            if (about && test.matches(alone(area))) {
                long base = around.tree().resolve(snapshot, area.subtree().base());
                terms.add(new IndexTerm.Computed("the subtree of " + area.dn(), IndexTerm.UNKNOWN_SIZE, IndexTerm.UNKNOWN_SIZE, false,
                        () -> around.tree().subtrees(snapshot, List.of(base))));
            }
        }
        return terms.size() == 1 ? own : new IndexTerm.Union(terms);
    }

    /** As if the shared attributes were an entry. */
    private Candidate alone(CollectiveAttributes.Area area) {
        Candidate candidate = new Candidate(snapshot, around, List.of());
        candidate.moveTo(HierarchyKeys.NO_PARENT, area.attributes());
        return candidate;
    }

    private List<IndexTerm> all(List<FilterNode> parts) {
        return parts.stream().map(this::of).filter(term -> term != null).toList();
    }

    /** What is read to know the term is read once, though the planner asks several times. */
    private IndexTerm known(FilterTest test) {
        if (test instanceof FilterTest.Equality || test instanceof FilterTest.Presence) {
            return read(test);
        }
        remembered = remembered == null ? new IdentityHashMap<>() : remembered;
        if (!remembered.containsKey(test)) {
            remembered.put(test, read(test));
        }
        return remembered.get(test);
    }

    private IndexTerm read(FilterTest test) {
        AttributeDescription description = test.description();
        if (description != null && description.type().isVirtual() && around.memberships().isMemberOf(description.type())) {
            return new MemberTerms(snapshot, around).of(test);
        }
        IndexedAttribute index = description == null ? null : indexer.index(description.type());
        if (index == null || ignored.contains(description.type())) {
            return null;
        }
        boolean exact = description.options().isEmpty();
        if (test instanceof FilterTest.Equality equality && index.has(IndexKind.EQUALITY)) {
            byte[] form = equality.forms().get(0);
            IndexTerm naming = new IndexTerm.Key(snapshot, index, IndexKeys.equality(form), exact && !IndexKeys.isLong(form));
            return anyDynamicGroup ? withDynamicGroups(description.type(), form, naming) : naming;
        } else if (test instanceof FilterTest.Presence && index.has(IndexKind.PRESENCE)) {
            return new IndexTerm.Key(snapshot, index, IndexKeys.presence(), exact);
        } else if (test instanceof FilterTest.Ordering ordering && index.isOrdered()) {
            return IndexTerm.ordering(snapshot, index, ordering, exact, range -> range);
        } else if (test instanceof FilterTest.Substring substring && index.has(IndexKind.SUBSTRING)) {
            return substring(index, substring.pieces(), exact);
        } else if (test instanceof FilterTest.InChain chain && index.has(IndexKind.EQUALITY) && exact) {
            return chain(index, chain.walk());
        }
        return null;
    }

    private IndexTerm withDynamicGroups(AttributeType type, byte[] form, IndexTerm naming) {
        ComputedGroups dynamic = around.memberships().dynamic();
        if (!dynamic.isMember(type)) {
            return naming;
        }
        return new IndexTerm.Union(List.of(naming,
                new IndexTerm.Fixed("dynamic groups of the member", dynamic.groupsOf(snapshot, form))));
    }

    /** Pieces without a key of their own are left to the test on the entry. */
    private IndexTerm substring(IndexedAttribute index, SubstringPieces pieces, boolean exact) {
        List<IndexTerm> terms = new ArrayList<>();
        int step = grams(pieces) / SUBSTRING_LOOK_UPS + 1;
        boolean alone = pieces.any().isEmpty() && (pieces.initial().length == 0 || pieces.last().length == 0);
        if (pieces.initial().length > 0) {
            terms.add(edge(index, IndexKeys.begin(pieces.initial()), exact && alone
                    && pieces.initial().length <= IndexKeys.GRAM_BYTES));
            addInner(index, pieces.initial(), 1, pieces.initial().length, step, terms);
        }
        if (pieces.last().length > 0) {
            terms.add(edge(index, IndexKeys.end(pieces.last()), exact && alone && pieces.last().length <= IndexKeys.GRAM_BYTES));
            addInner(index, pieces.last(), 0, pieces.last().length - 1, step, terms);
        }
        for (byte[] piece : pieces.any()) {
            addInner(index, piece, 0, piece.length, step, terms);
        }
        if (terms.isEmpty()) {
            addShortPieces(index, pieces, terms);
        }
        return terms.isEmpty() ? null : rarest(terms);
    }

    /** The first or last bytes of values: one key if there are enough of them, else all keys that begin like it. */
    private IndexTerm edge(IndexedAttribute index, byte[] key, boolean exact) {
        return key.length == 2 + IndexKeys.GRAM_BYTES ? new IndexTerm.Key(snapshot, index, key, exact) : new IndexTerm.Range(snapshot, index, KeyRange.ofPrefix(key), exact);
    }

    /** How many keys all pieces have, about. */
    private static int grams(SubstringPieces pieces) {
        return pieces.initial().length + pieces.last().length + pieces.any().stream().mapToInt(piece -> piece.length).sum();
    }

    /** Some keys leave more entries to be tested than all, but never too few. */
    private void addInner(IndexedAttribute index, byte[] piece, int from, int to, int step, List<IndexTerm> terms) {
        for (int i = from; i + IndexKeys.GRAM_BYTES <= to && terms.size() < 2 * SUBSTRING_LOOK_UPS; i += step) {
            terms.add(new IndexTerm.Key(snapshot, index, IndexKeys.inner(piece, i), false));
        }
    }

    /** Two bytes in a row begin an inner key, unless they end the value. */
    private void addShortPieces(IndexedAttribute index, SubstringPieces pieces, List<IndexTerm> terms) {
        for (byte[] piece : pieces.any()) {
            if (piece.length == IndexKeys.GRAM_BYTES - 1 && terms.size() < SUBSTRING_KEYS) {
                terms.add(new IndexTerm.Union(List.of(new IndexTerm.Range(snapshot, index, KeyRange.ofPrefix(IndexKeys.innerPrefix(piece)), false),
                        new IndexTerm.Range(snapshot, index, KeyRange.ofPrefix(IndexKeys.end(piece)), false))));
            }
        }
    }

    private static IndexTerm rarest(List<IndexTerm> terms) {
        if (terms.size() == 1) {
            return terms.get(0);
        }
        List<IndexTerm> few = terms.stream().sorted(Comparator.comparingLong(IndexTerm::estimate)).limit(SUBSTRING_KEYS).toList();
        return IndexTerm.intersection(few, false);
    }

    /** Follows the chain from its end: who names the target, who names those, and so on. */
    private IndexTerm chain(IndexedAttribute index, ChainWalk walk) {
        MatchingRule rule = index.type().equality();
        IdSet found = IdSet.EMPTY;
        Deque<String> open = new ArrayDeque<>(List.of(walk.target().text()));
        while (!open.isEmpty()) {
            byte[] form = form(rule, open.poll());
            IdSet naming = snapshot.ids(index.number(), IndexKeys.equality(form));
            if (around.memberships().dynamic().isMember(index.type())) {
                naming = naming.or(around.memberships().dynamic().groupsOf(snapshot, form));
            }
            naming = naming.andNot(found);
            found = found.or(naming);
            if (found.cardinality() > CHAIN_ENTRIES) {
                return null;
            }
            for (IdSet.IdIterator ids = naming.iterator(); ids.hasNext();) {
                open.add(around.tree().dnOf(snapshot, ids.next()));
            }
        }
        return new IndexTerm.Fixed(index.definition().name() + " chain to \"" + walk.target().line() + '"', found);
    }

    private static byte[] form(MatchingRule rule, String dn) {
        try {
            return rule.normalize(dn.getBytes(StandardCharsets.UTF_8));
        } catch (DirectoryException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, "an entry with the DN \"" + dn + "\", which is none: "
                    + e.getMessage(), e);
        }
    }
}
