package org.alder.server.directory;

import java.util.List;
import org.alder.server.resource.UnindexedSearches;

/**
 * What a search has cost so far. Immutable.
 *
 * @param examined entries that were looked at
 * @param isWalk whether all entries of a partition were candidates
 * @param missing what no index answers
 * @param indexes the attributes whose indexes were read; empty if nobody asked
 */
public record SearchCost(long examined, boolean isWalk, List<UnindexedSearches.Missing> missing, List<String> indexes) {
    public static final SearchCost NONE = new SearchCost(0, false, List.of(), List.of());
}
