package org.alder.partition.check;

import java.util.List;

/**
 * What a check looked at and found. Immutable.
 *
 * @param entries how many entries there are
 * @param keys how many distinct keys all indexes have
 * @param postings how many (key, entry) pairs they have
 * @param problems what is wrong, at most {@link Checker#MAX_PROBLEMS}
 * @param complete whether {@code problems} holds everything that was found and nothing stopped the check early
 */
public record CheckReport(long entries, long keys, long postings, List<Problem> problems, boolean complete) {
    public CheckReport {
        problems = List.copyOf(problems);
    }

    public boolean isClean() {
        return problems.isEmpty();
    }
}
