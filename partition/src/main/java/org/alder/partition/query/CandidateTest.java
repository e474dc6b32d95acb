package org.alder.partition.query;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.Truth;
import org.alder.partition.id.IdSet;

/** What a plan leaves to be tested on each candidate. One thread. */
final class CandidateTest {
    private final Candidate candidate;
    private final ScopeTest scope;
    private final FilterNode residual;
    private final IdSet without;

    /**
     * @param scope null if all candidates are in scope
     * @param residual null if the filter is true of all
     * @param without entries of which it never holds
     */
    CandidateTest(Candidate candidate, ScopeTest scope, FilterNode residual, IdSet without) {
        this.candidate = candidate;
        this.scope = scope;
        this.residual = residual;
        this.without = without.isEmpty() ? null : without;
    }

    boolean holds(long id, EntryRecord record) {
        candidate.moveTo(id, record);
        return (without == null || !without.contains(id)) && (scope == null || scope.holds(id, record))
                && (residual == null || residual.evaluate(candidate) == Truth.TRUE);
    }

    /** The entry {@link #holds} was last asked about. */
    Candidate candidate() {
        return candidate;
    }
}
