package org.alder.partition.query.plan;

import java.util.List;
import java.util.function.UnaryOperator;
import org.alder.partition.filter.FilterTest;
import org.alder.partition.index.IndexKeys;
import org.alder.partition.index.IndexedAttribute;
import org.alder.partition.index.KeyRange;
import org.alder.partition.store.Snapshot;

/** What single keys and ranges of keys of an index say. One thread. */
record KeyTerms(Snapshot snapshot) {
    /** @param exact as {@link IndexTerm#isExact} */
    IndexTerm key(IndexedAttribute index, byte[] key, boolean exact) {
        return new IndexTerm.Key(snapshot, index.number(), index.definition().name(), key, exact);
    }

    IndexTerm range(IndexedAttribute index, KeyRange range, boolean exact) {
        return new IndexTerm.Range(snapshot, index.number(), index.definition().name(), range, exact);
    }

    /** @param place where the index has the range of these equality keys */
    IndexTerm ordering(IndexedAttribute index, FilterTest.Ordering test, boolean exact, UnaryOperator<KeyRange> place) {
        byte[] lowest = test.atLeast() ? test.form() : null;
        byte[] highest = test.atLeast() ? null : test.form();
        IndexTerm values = range(index, place.apply(IndexKeys.equalityRange(lowest, highest)), exact);
        IndexTerm longValues = range(index, place.apply(IndexKeys.longEqualityRange(lowest, highest)), false);
        return longValues.estimate() == 0 ? values : new IndexTerm.Union(List.of(values, longValues));
    }
}
