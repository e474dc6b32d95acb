package org.alder.partition.bookkeeper.distant;

import java.net.ProtocolException;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.ValueKeys;

/**
 * The indexes that a member has complete, by what decides which keys they have: members number them differently, and one may be building what
 * another one has. Immutable.
 */
final class IndexList {
    private static final int MOST = 10_000;

    private final Map<Integer, String> byNumber;
    private final int hash;

    private IndexList(Map<Integer, String> byNumber) {
        this.byNumber = byNumber;
        this.hash = byNumber.entrySet().stream().map(each -> each.getKey() + " " + each.getValue()).toList().hashCode();
    }

    /** Of those behind the tree and the value table, whose numbers are the same everywhere. */
    static IndexList of(EntryIndexer indexer) {
        BitSet building = indexer.building();
        Map<Integer, String> found = new TreeMap<>();
        for (int number = first(indexer); number < indexer.indexes().size(); number++) {
            if (indexer.indexes().get(number).isPresent() && !building.get(number)) {
                found.put(number, indexer.indexes().get(number).name() + ' ' + indexer.fingerprintOf(number));
            }
        }
        return new IndexList(found);
    }

    private static int first(EntryIndexer indexer) {
        return indexer.hasValueTable() ? ValueKeys.INDEX + 1 : HierarchyKeys.INDEX + 1;
    }

    void write(MessageWriter out) {
        out.number(byNumber.size());
        byNumber.forEach((number, text) -> out.number(number).text(text));
    }

    static IndexList read(MessageReader in) throws ProtocolException {
        Map<Integer, String> found = new TreeMap<>();
        for (int left = in.count(MOST); left > 0; left--) {
            found.put(in.count(MOST), in.text());
        }
        return new IndexList(found);
    }

    /**
     * How the indexes of an indexer here are numbered there.
     *
     * @return by the numbers here; -1 for one that is not complete there
     */
    int[] numbersOf(EntryIndexer here) {
        Map<String, Integer> there = new HashMap<>();
        byNumber.forEach((number, text) -> there.put(text, number));
        Map<Integer, String> own = of(here).byNumber;
        int[] numbers = new int[here.indexes().size()];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = i < first(here) ? i : there.getOrDefault(own.get(i), -1);
        }
        return numbers;
    }

    /** Those of an indexer here that are not complete there. */
    static BitSet missing(int[] numbers, EntryIndexer here) {
        BitSet missing = new BitSet();
        for (int i = 0; i < numbers.length; i++) {
            if (numbers[i] < 0 && here.indexes().get(i).isPresent()) {
                missing.set(i);
            }
        }
        return missing;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof IndexList list && byNumber.equals(list.byNumber);
    }

    /** The same in all processes: members compare their lists by it. */
    @Override
    public int hashCode() {
        return hash;
    }
}
