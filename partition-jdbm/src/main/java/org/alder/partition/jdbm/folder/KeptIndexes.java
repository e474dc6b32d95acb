package org.alder.partition.jdbm.folder;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.ValueKeys;

/**
 * How the indexes that a manifest names fit those of an indexer. Immutable.
 *
 * @param tables  where the keys are, or will be of what is missing
 * @param missing the numbers of the indexes that have to be built; null for all
 * @param why     null if nothing is missing
 * @param dependsOnData whether more may be missing than that: only the data tell ({@link EntryIndexer#dependsOnData})
 */
public record KeptIndexes(IndexTables tables, BitSet missing, String why, boolean dependsOnData) {
    private static final int NAMES_SHOWN = 3;

    public static KeptIndexes of(Manifest manifest, EntryIndexer indexer) {
        return of(manifest, indexer, indexer.indexesToDerive(manifest.fingerprint()), indexer.dependsOnData(manifest.fingerprint()));
    }

    /** What is missing by what the data tell. @param data what the manifest's segments hold */
    public static KeptIndexes of(Manifest manifest, EntryIndexer indexer, Snapshot data) {
        return of(manifest, indexer, indexer.indexesToDerive(manifest.fingerprint(), data), false);
    }

    private static KeptIndexes of(Manifest manifest, EntryIndexer indexer, Set<String> touched, boolean dependsOnData) {
        List<String> had = manifest.indexNames();
        List<String> wanted = indexer.indexes().stream().map(IndexSpec::name).filter(name -> !name.isEmpty()).toList();
        String difference = indexer.whyDeriveAnew(manifest.fingerprint());
        String why = had.containsAll(wanted) && difference != null ? difference : others(wanted, had);
        List<IndexSpec> specs = new ArrayList<>();
        BitSet missing = new BitSet();
        for (IndexSpec index : indexer.indexes()) {
            String table = manifest.table(index.name());
            if (table == null || touched != null && touched.contains(index.name())) {
                missing.set(specs.size());
                specs.add(IndexTables.anew(index, manifest.nextSegment()));
            } else {
                specs.add(new IndexSpec(table, index.duplicateThreshold(), index.primaryKey()));
            }
        }
        if (touched == null || missing.get(HierarchyKeys.INDEX) || indexer.hasValueTable() && missing.get(ValueKeys.INDEX)) {
            return new KeptIndexes(IndexTables.of(indexer), null, why, dependsOnData);
        }
        return new KeptIndexes(new IndexTables(indexer, specs), missing, missing.isEmpty() && !dependsOnData ? null : why, dependsOnData);
    }

    private static String others(List<String> wanted, List<String> had) {
        String missing = without(wanted, had);
        String unwanted = without(had, wanted);
        return "the configuration has " + (missing.isEmpty() ? "the same indexes as the data" : "indexes that the data lack (" + missing + ")")
                + (unwanted.isEmpty() ? "" : (missing.isEmpty() ? ", without some that they have (" : ", and not all that they have (") + unwanted + ")");
    }

    private static String without(List<String> names, List<String> others) {
        List<String> missing = names.stream().filter(name -> !others.contains(name)).toList();
        return missing.size() <= NAMES_SHOWN ? String.join(", ", missing)
                : String.join(", ", missing.subList(0, NAMES_SHOWN)) + " and " + (missing.size() - NAMES_SHOWN) + " more";
    }

    /** Whether nothing is missing but what a server builds that has the folder, or had it. */
    public boolean isMissingBuilt(Manifest manifest) {
        return missing != null && !dependsOnData && manifest.building().containsAll(tables.names(missing));
    }

    /** Whether all keys have to be derived anew, those of the hierarchy among them. */
    public boolean isAllMissing() {
        return missing == null;
    }
}
