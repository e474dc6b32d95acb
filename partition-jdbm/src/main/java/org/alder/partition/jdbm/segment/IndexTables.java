package org.alder.partition.jdbm.segment;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/**
 * What derives the keys of a store, and which tables of its segments have those of which index. An index that is built anew gets a
 * table of another name, {@code uid;17} after {@code uid}: what segments hold of an earlier one is never taken for it. A segment
 * without the table has no keys of the index. Immutable, thread safe.
 *
 * @param indexer of the keys
 * @param specs   by index number, named as the tables are
 */
public record IndexTables(EntryIndexer indexer, List<IndexSpec> specs) {
    private static final Pattern NUMBER = Pattern.compile(";[0-9]+$");

    public IndexTables {
        specs = List.copyOf(specs);
    }

    /** Each table has the name of its index, as in what is built from nothing. */
    public static IndexTables of(EntryIndexer indexer) {
        return new IndexTables(indexer, indexer.indexes());
    }

    /** What is built anew, named by a number that no table of the store had before. */
    public static IndexSpec anew(IndexSpec index, long number) {
        return new IndexSpec(index.name() + ';' + number, index.duplicateThreshold(), index.primaryKey());
    }

    /**
     * For another indexer, in which each number stands for the same index or for none.
     *
     * @param number names the tables of the indexes that are new
     */
    public IndexTables changedTo(EntryIndexer other, long number) {
        List<IndexSpec> next = new ArrayList<>();
        for (IndexSpec index : other.indexes()) {
            IndexSpec now = next.size() < specs.size() ? specs.get(next.size()) : IndexSpec.NONE;
            next.add(!index.isPresent() ? IndexSpec.NONE : now.isPresent()
                    ? new IndexSpec(now.name(), index.duplicateThreshold(), index.primaryKey()) : anew(index, number));
        }
        return new IndexTables(other, next);
    }

    /** When the indexes that are being built are complete. */
    public IndexTables built() {
        return changedTo(indexer.built(), -1);
    }

    /** Those whose keys are all there. */
    public List<IndexSpec> complete() {
        BitSet building = indexer.building();
        return IntStream.range(0, specs.size()).filter(index -> !building.get(index)).mapToObj(specs::get).toList();
    }

    /** The names of the indexes that are being built. */
    public List<String> building() {
        return names(indexer.building());
    }

    /** What people call the indexes of these numbers. */
    public List<String> names(BitSet indexes) {
        return indexes.stream().mapToObj(index -> indexOf(specs.get(index).name())).toList();
    }

    /** The name of the index whose keys the table has. */
    public static String indexOf(String table) {
        return NUMBER.matcher(table).replaceFirst("");
    }
}
