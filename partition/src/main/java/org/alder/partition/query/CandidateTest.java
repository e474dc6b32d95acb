package org.alder.partition.query;

import org.alder.partition.derived.Candidate;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.Truth;
import org.alder.partition.id.IdSet;

/** What a plan leaves to be tested on each candidate. One thread. */
public final class CandidateTest {
    private final Candidate candidate;
    private final ScopeTest scope;
    private final FilterNode residual;
    private final IdSet without;
    private final AccessTest access;

    /**
     * @param scope null if all candidates are in scope
     * @param residual null if the filter is true of all
     * @param without entries of which it never holds
     * @param access null if what may be known is the same of all
     */
    public CandidateTest(Candidate candidate, ScopeTest scope, FilterNode residual, IdSet without, AccessTest access) {
        this.access = access;
        this.candidate = candidate;
        this.scope = scope;
        this.residual = residual;
        this.without = without.isEmpty() ? null : without;
    }

    boolean holds(long id, EntryRecord record) throws DirectoryException {
        candidate.moveTo(id, record);
        return (without == null || !without.contains(id)) && (scope == null || scope.holds(id, record))
                && (residual == null || residual.evaluate(candidate) == Truth.TRUE)
                && (access == null || access.holds(candidate));
    }

    /** What was found that may be known of the entry, if that differs from entry to entry and was asked here; else null. */
    AttributeAccess decided() {
        return access == null ? null : access.decided();
    }

    /** The entry {@link #holds} was last asked about. */
    Candidate candidate() {
        return candidate;
    }
}
