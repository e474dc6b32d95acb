package org.alder.partition.store;

import java.util.List;

/**
 * How far indexes are that are built while the store is open. Immutable.
 *
 * @param indexes      their names
 * @param phase        such as {@code entries}, or the index whose keys are written
 * @param done         entries or keys
 * @param total        below 0 where that is not known
 * @param elapsedNanos since the build began, or was begun anew
 * @param leftNanos    about how long the phase will still take; below 0 where that is not known
 * @param failure      why nothing is built though they are not complete; null while they are
 */
public record IndexBuild(List<String> indexes, String phase, long done, long total, long elapsedNanos, long leftNanos,
        String failure) {
    public IndexBuild {
        indexes = List.copyOf(indexes);
    }
}
