package org.alder.partition.query;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.filter.CompiledFilter;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.Truth;

/** What a plan leaves to be tested on each candidate. One thread. */
final class CandidateTest {
    private final Candidate candidate;
    private final ScopeTest scope;
    private final FilterNode residual;

    /** @param scope null if all candidates are in scope  @param residual null if the filter is true of all */
    CandidateTest(Candidate candidate, ScopeTest scope, FilterNode residual) {
        this.candidate = candidate;
        this.scope = scope;
        this.residual = residual;
    }

    boolean holds(long id, EntryRecord record) {
        candidate.moveTo(id, record);
        return (scope == null || scope.holds(id, record)) && (residual == null || residual.evaluate(candidate) == Truth.TRUE);
    }

    /** The entry {@link #holds} was last asked about. */
    Candidate candidate() {
        return candidate;
    }

    boolean isTrue(CompiledFilter filter) {
        return filter.evaluate(candidate) == Truth.TRUE;
    }
}
