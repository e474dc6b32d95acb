package org.alder.partition.jdbm.folder;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.ValueKeys;

/**
 * How the indexes that a manifest names fit those of an indexer. Immutable.
 *
 * @param tables  where the keys are, or will be of what is missing
 * @param missing the numbers of the indexes that have to be built; null for all
 * @param why     null if nothing is missing
 */
public record KeptIndexes(IndexTables tables, BitSet missing, String why) {
    private static final int NAMES_SHOWN = 3;

    public static KeptIndexes of(Manifest manifest, EntryIndexer indexer) {
        List<String> had = manifest.indexNames();
        List<String> wanted = indexer.indexes().stream().map(IndexSpec::name).toList();
        String lacking = "of the configuration it lacks " + without(wanted, had) + ", beyond it it has " + without(had, wanted);
        String why = indexer.whyDeriveAnew(manifest.fingerprint());
        Set<String> touched = indexer.indexesToDerive(manifest.fingerprint());
        boolean same = had.containsAll(wanted);
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
            return new KeptIndexes(IndexTables.of(indexer), null, same && why != null ? why : lacking);
        }
        return new KeptIndexes(new IndexTables(indexer, specs), missing, missing.isEmpty() ? null : same ? why : lacking);
    }

    private static String without(List<String> names, List<String> others) {
        List<String> missing = names.stream().filter(name -> !others.contains(name)).toList();
        return missing.isEmpty() ? "nothing" : missing.size() <= NAMES_SHOWN ? String.join(", ", missing)
                : String.join(", ", missing.subList(0, NAMES_SHOWN)) + " and " + (missing.size() - NAMES_SHOWN) + " more";
    }

    /** Whether nothing is missing but what a server builds that has the folder, or had it. */
    public boolean isMissingBuilt(Manifest manifest) {
        return missing != null && manifest.building().containsAll(tables.names(missing));
    }

    /** Whether all keys have to be derived anew, those of the hierarchy among them. */
    public boolean isAllMissing() {
        return missing == null;
    }
}
