package org.alder.partition.jdbm.segment;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.alder.partition.store.EntryIndexer.IndexSpec;

/** What the indexes of a segment must be like, because their names become file names. */
final class SegmentIndexes {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._;-]{0,199}");

    private SegmentIndexes() {
    }

    /** @throws IllegalArgumentException naming the first index that cannot be stored */
    static List<IndexSpec> require(List<IndexSpec> specs) {
        Set<String> names = new HashSet<>();
        for (IndexSpec spec : specs) {
            if (!NAME.matcher(spec.name()).matches()) {
                throw new IllegalArgumentException("index name \"" + spec.name() + "\" is no file name: expected letters, digits,"
                        + " dots, underscores, semicolons and hyphens");
            }
            // A backup may be restored to a file system that does not tell cases apart.
            if (!names.add(spec.name().toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException("two indexes are named \"" + spec.name() + "\" (case does not count)");
            }
            if (spec.duplicateThreshold() < 0) {
                throw new IllegalArgumentException("index " + spec.name() + " has the duplicate threshold "
                        + spec.duplicateThreshold() + ", expected 0 or more");
            }
        }
        return specs;
    }
}
