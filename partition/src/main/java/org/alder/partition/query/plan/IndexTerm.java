package org.alder.partition.query.plan;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.function.UnaryOperator;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.FilterTest;
import org.alder.partition.id.IdSet;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.roaringbitmap.RoaringBitmap;

/** A set of entries that an index knows, whose size and IDs are read only when they are wanted. One thread. */
sealed interface IndexTerm {
    /** The estimate of what is not known before it is read: larger than anything else. */
    long UNKNOWN_SIZE = Long.MAX_VALUE / 4;

    /** An upper bound of the number of IDs. */
    long estimate();

    /** What reading the IDs costs, as {@link Cost} counts it. */
    long costNanos();

    /** What {@link #ids(Snapshot, IdSet)} costs. */
    default long costNanos(IdSet among) {
        return costNanos();
    }

    /** Whether the IDs are all and only those for which the filter part is true; else they include them. */
    boolean isExact();

    /** @return null if reading them all is more than a search may do before its first entry */
    IdSet ids(Snapshot snapshot);

    /** Those of the IDs that are in the other set as well. @return null as above */
    default IdSet ids(Snapshot snapshot, IdSet among) {
        IdSet ids = ids(snapshot);
        return ids == null ? null : ids.and(among);
    }

    /** For explain. */
    String text();

    /** Adds the names of the attributes whose indexes it reads, one for each reading. */
    void addIndexes(Collection<String> names);

    /** One key. Its size is looked up when it is asked for: a term that is read in any case needs none. */
    final class Key implements IndexTerm {
        private static final long UNKNOWN = -1;

        private final Snapshot snapshot;
        private final IndexedAttribute attribute;
        private final int index;
        private final byte[] key;
        private final boolean isExact;
        private long estimate = UNKNOWN;

        /** @param attribute whose index it is; null for the children of an entry */
        Key(Snapshot snapshot, IndexedAttribute attribute, byte[] key, boolean isExact) {
            this.snapshot = snapshot;
            this.attribute = attribute;
            this.index = attribute == null ? HierarchyKeys.INDEX : attribute.number();
            this.key = key;
            this.isExact = isExact;
        }

        @Override
        public long estimate() {
            if (estimate == UNKNOWN) {
                estimate = snapshot.cardinality(index, key);
            }
            return estimate;
        }

        @Override
        public long costNanos() {
            return Cost.readNanos(1, estimate());
        }

        @Override
        public long costNanos(IdSet among) {
            return Cost.amongNanos(estimate(), among);
        }

        @Override
        public boolean isExact() {
            return isExact;
        }

        @Override
        public IdSet ids(Snapshot from) {
            IdSet ids = from.ids(index, key);
            estimate = ids.cardinality();
            return ids;
        }

        @Override
        public IdSet ids(Snapshot from, IdSet among) {
            return from.ids(index, key, among);
        }

        @Override
        public String text() {
            return attribute == null ? "children of the base" : attribute.definition().name() + ' ' + IndexKeys.described(key);
        }

        @Override
        public void addIndexes(Collection<String> names) {
            if (attribute != null) {
                names.add(attribute.definition().name());
            }
        }
    }

    /** A range of keys. It is measured when its size is asked for, as far as it is worth knowing. */
    final class Range implements IndexTerm {
        /** After so many keys a range is not measured further: it counts as larger than anything else. */
        private static final int MEASURED_KEYS = 1_000;
        private static final long UNKNOWN = -1;

        private final Snapshot snapshot;
        private final IndexedAttribute index;
        private final KeyRange range;
        private final boolean isExact;
        private long keys;
        private long estimate = UNKNOWN;

        Range(Snapshot snapshot, IndexedAttribute index, KeyRange range, boolean isExact) {
            this.snapshot = snapshot;
            this.index = index;
            this.range = range;
            this.isExact = isExact;
        }

        @Override
        public long estimate() {
            if (estimate == UNKNOWN) {
                long ids = 0;
                try (Snapshot.KeyCursor cursor = snapshot.keys(index.number(), range)) {
                    while (keys <= MEASURED_KEYS && cursor.next()) {
                        ids += cursor.cardinality();
                        keys++;
                    }
                }
                estimate = keys > MEASURED_KEYS ? UNKNOWN_SIZE : ids;
            }
            return estimate;
        }

        @Override
        public long costNanos() {
            long ids = estimate();
            return Cost.readNanos(keys, ids);
        }

        @Override
        public boolean isExact() {
            return isExact;
        }

        @Override
        public IdSet ids(Snapshot from) {
            RoaringBitmap ids = new RoaringBitmap();
            long read = 0;
            try (Snapshot.KeyCursor cursor = from.keys(index.number(), range)) {
                while (cursor.next()) {
                    if (++read > Cost.RANGE_KEYS) {
                        return null;
                    }
                    ids.or(cursor.ids().bitmap());
                }
            }
            return IdSet.wrap(ids);
        }

        @Override
        public String text() {
            return index.definition().name() + ' ' + IndexKeys.described(range);
        }

        @Override
        public void addIndexes(Collection<String> names) {
            names.add(index.definition().name());
        }
    }

    /**
     * What the composite keys of an index say about several parts of an AND.
     *
     * @param node those parts
     */
    record Inlined(IndexedAttribute index, FilterNode node, IndexTerm sets) implements IndexTerm {
        @Override
        public long estimate() {
            return sets.estimate();
        }

        @Override
        public long costNanos() {
            return sets.costNanos();
        }

        @Override
        public long costNanos(IdSet among) {
            return sets.costNanos(among);
        }

        @Override
        public boolean isExact() {
            return sets.isExact();
        }

        @Override
        public IdSet ids(Snapshot snapshot) {
            return sets.ids(snapshot);
        }

        @Override
        public IdSet ids(Snapshot snapshot, IdSet among) {
            return sets.ids(snapshot, among);
        }

        @Override
        public String text() {
            return "inline " + index.definition().inlineNames() + " in index " + index.definition().name() + " for " + node.text();
        }

        @Override
        public void addIndexes(Collection<String> names) {
            names.add(index.definition().name());
        }
    }

    /** IDs that are already there. */
    record Fixed(String text, IdSet set) implements IndexTerm {
        @Override
        public long estimate() {
            return set.cardinality();
        }

        @Override
        public long costNanos() {
            return 0;
        }

        @Override
        public boolean isExact() {
            return true;
        }

        @Override
        public IdSet ids(Snapshot snapshot) {
            return set;
        }

        @Override
        public void addIndexes(Collection<String> names) {
            // Read before.
        }
    }

    /**
     * IDs that are put together from other things than keys of one index.
     *
     * @param set gives null if that is more than a search may do
     */
    record Computed(String text, long estimate, long costNanos, boolean isExact, Supplier<IdSet> set) implements IndexTerm {
        @Override
        public IdSet ids(Snapshot snapshot) {
            return set.get();
        }

        @Override
        public void addIndexes(Collection<String> names) {
            // Of several, or none.
        }
    }

    record Union(List<IndexTerm> parts) implements IndexTerm {
        @Override
        public long estimate() {
            return parts.stream().mapToLong(IndexTerm::estimate).reduce(0, Cost::plus);
        }

        @Override
        public long costNanos() {
            return cost(parts, IndexTerm::costNanos);
        }

        @Override
        public long costNanos(IdSet among) {
            return cost(parts, part -> part.costNanos(among));
        }

        @Override
        public boolean isExact() {
            return parts.stream().allMatch(IndexTerm::isExact);
        }

        @Override
        public IdSet ids(Snapshot snapshot) {
            return united(part -> part.ids(snapshot));
        }

        @Override
        public IdSet ids(Snapshot snapshot, IdSet among) {
            return united(part -> part.ids(snapshot, among));
        }

        private IdSet united(Function<IndexTerm, IdSet> read) {
            RoaringBitmap ids = new RoaringBitmap();
            for (IndexTerm part : parts) {
                IdSet more = read.apply(part);
                if (more == null) {
                    return null;
                }
                ids.or(more.bitmap());
            }
            return IdSet.wrap(ids);
        }

        @Override
        public String text() {
            return joined(" | ", parts);
        }

        @Override
        public void addIndexes(Collection<String> names) {
            parts.forEach(part -> part.addIndexes(names));
        }
    }

    /** @param parts the rarest first */
    record Intersection(List<IndexTerm> parts, boolean isExact) implements IndexTerm {
        @Override
        public long estimate() {
            return parts.get(0).estimate();
        }

        @Override
        public long costNanos() {
            return cost(parts, IndexTerm::costNanos);
        }

        @Override
        public long costNanos(IdSet among) {
            return cost(parts, part -> part.costNanos(among));
        }

        @Override
        public IdSet ids(Snapshot snapshot) {
            return narrowed(snapshot, parts.get(0).ids(snapshot));
        }

        @Override
        public IdSet ids(Snapshot snapshot, IdSet among) {
            return narrowed(snapshot, parts.get(0).ids(snapshot, among));
        }

        /** @param first what is left by the first part */
        private IdSet narrowed(Snapshot snapshot, IdSet first) {
            IdSet ids = first;
            for (int i = 1; i < parts.size() && ids != null && !ids.isEmpty(); i++) {
                ids = parts.get(i).ids(snapshot, ids);
            }
            return ids;
        }

        @Override
        public String text() {
            return joined(" & ", parts);
        }

        @Override
        public void addIndexes(Collection<String> names) {
            parts.forEach(part -> part.addIndexes(names));
        }
    }

    /** @param place where the index has the range of these equality keys  @param exact as {@link #isExact} */
    static IndexTerm ordering(Snapshot snapshot, IndexedAttribute index, FilterTest.Ordering test, boolean exact,
            UnaryOperator<KeyRange> place) {
        byte[] lowest = test.atLeast() ? test.form() : null;
        byte[] highest = test.atLeast() ? null : test.form();
        IndexTerm values = new Range(snapshot, index, place.apply(IndexKeys.equalityRange(lowest, highest)), exact);
        IndexTerm longValues = new Range(snapshot, index, place.apply(IndexKeys.longEqualityRange(lowest, highest)), false);
        return longValues.estimate() == 0 ? values : new Union(List.of(values, longValues));
    }

    /** The part of terms that is worth reading: the rarest, and others while reading one is cheaper than testing what is left. */
    static IndexTerm intersection(List<IndexTerm> terms, boolean complete) {
        if (terms.size() == 1) {
            IndexTerm only = terms.get(0);
            return complete || !only.isExact() ? only : new Intersection(terms, false);
        }
        List<IndexTerm> sorted = terms.stream().sorted(Comparator.comparingLong(IndexTerm::estimate)).toList();
        long left = sorted.get(0).estimate();
        List<IndexTerm> worthReading = sorted.stream()
                .filter(term -> term == sorted.get(0) || Cost.isWorth(term.costNanos(), left)).toList();
        boolean exact = complete && worthReading.size() == terms.size() && terms.stream().allMatch(IndexTerm::isExact);
        return worthReading.size() == 1 && exact == sorted.get(0).isExact() ? sorted.get(0)
                : new Intersection(worthReading, exact);
    }

    private static long cost(List<IndexTerm> parts, ToLongFunction<IndexTerm> nanos) {
        return parts.stream().mapToLong(nanos).reduce(0, Cost::plus);
    }

    private static String joined(String separator, List<IndexTerm> parts) {
        return "(" + String.join(separator, parts.stream().map(IndexTerm::text).toList()) + ")";
    }
}
