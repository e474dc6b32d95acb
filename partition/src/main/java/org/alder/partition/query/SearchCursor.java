package org.alder.partition.query;

import java.util.List;
import org.alder.partition.ber.BerWriter;
import org.alder.partition.derived.Candidate;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.GivenUpException;
import org.alder.partition.error.ExaminedLimitException;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.FilterNode;
import org.alder.partition.filter.Truth;
import org.alder.partition.id.IdSet;
import org.alder.partition.request.ListView;
import org.alder.partition.store.LargeValues;
import org.alder.partition.text.Counted;
import org.alder.partition.tree.EntryView;

/**
 * The entries that match a search, in ascending order of their IDs, found step by step. Between steps it holds no thread: a
 * server stops stepping while a client does not read, and goes on later from any thread, one at a time. It reads the snapshot
 * it was opened on and does not own it. Close it.
 */
public final class SearchCursor implements AutoCloseable {
    /** How a step ended. */
    public enum Step {
        /** The cursor stands on a matching entry. */
        MATCH,
        /** There are no more. */
        END,
        /** As many candidates as allowed were examined without a match: step again when others had their turn. */
        PAUSED
    }

    private static final int TRIED_PROBES = 64;

    private final SearchQuery query;
    private final QueryPlan plan;
    private final CandidateSource source;
    /** Of the partition that the entry is in; always the same unless several are searched together. */
    private Candidate candidate;
    /** The same for the residual filter. */
    private final CandidateEntry tested;
    /** Null if all candidates are in scope. */
    private final ScopeTest scope;
    /** Null if the filter is true of all candidates. */
    private final FilterNode residual;
    /** Null for none. */
    private final IdSet without;
    /** Null if what may be known is the same of all entries. */
    private final AccessTest access;
    private final boolean limited;
    /** What is put in order, in each partition; empty if the entries come in the order of their IDs. */
    private final List<SearchCursor> ordered;
    /** One of each partition; null where there is but one. */
    private final List<Candidate> candidates;
    /** Null if what may be known depends on the entry. */
    private final AttributeAccess everywhere;
    private boolean byName;
    /** Of the residual filter; null if there is none, or it is not worth its work. */
    private EntryProbe probe;
    private int probed;
    private int passing;
    private long examined;
    /** Negative as long as nobody has asked. */
    private long candidateBytes = -1;

    /**
     * @param candidate moved from one entry to the next
     * @param scope null if all candidates are in scope
     * @param residual what the plan leaves to be tested on each candidate; null if the filter is true of all
     * @param probe of the residual filter; null for none
     * @param access null if what may be known is the same of all
     */
    public SearchCursor(SearchQuery query, QueryPlan plan, CandidateSource source, Candidate candidate, ScopeTest scope,
            FilterNode residual, EntryProbe probe, AccessTest access) {
        this(query, plan, source, candidate, scope, residual, query.without().isEmpty() ? null : query.without(), access, List.of(), null);
        this.probe = probe;
    }

    /**
     * The entries of other cursors, one of each partition, in one order.
     *
     * @param source has tested them, and gives them in the order that was asked for
     * @param candidates in the same order as the cursors, moved from one entry of the partition to the next
     */
    public static SearchCursor ordered(List<SearchCursor> matches, CandidateSource source, List<Candidate> candidates) {
        SearchCursor first = matches.get(0);
        return new SearchCursor(first.query, first.plan, source, candidates.get(0), null, null, null, null, matches,
                candidates.size() == 1 ? null : candidates);
    }

    private SearchCursor(SearchQuery query, QueryPlan plan, CandidateSource source, Candidate candidate, ScopeTest scope,
            FilterNode residual, IdSet without, AccessTest access, List<SearchCursor> ordered, List<Candidate> candidates) {
        this.query = query;
        this.plan = plan;
        this.source = source;
        this.candidate = candidate;
        this.tested = residual == null ? candidate : PatientEntry.of(candidate, residual, query.patience());
        this.scope = scope;
        this.residual = residual;
        this.without = without;
        this.access = access;
        this.ordered = ordered;
        this.candidates = candidates;
        this.everywhere = query.access().everywhere();
        this.limited = ordered.isEmpty() && query.examinedLimit() > 0 && !plan.missing().isEmpty();
    }

    /**
     * Told by whoever will ask for little more than the names of what is found: from the next step on, the rest of an entry is read only
     * when it is asked for.
     */
    public void preferNames() {
        // What is tested is read in any case.
        byName = residual == null;
    }

    /**
     * Goes on to the next match.
     *
     * @param maxExamined how many candidates may be examined in this step, at least 1
     * @throws DirectoryException adminLimitExceeded if the search's examined limit is reached; the message names the missing
     *     index; what the query's patience ends with, which is asked while one candidate takes long, too
     */
    public Step step(int maxExamined) throws DirectoryException {
        try {
            return examine(maxExamined);
        } catch (GivenUpException e) {
            throw query.resultOf(e);
        }
    }

    private Step examine(int maxExamined) throws DirectoryException {
        for (int i = 0; i < maxExamined; i++) {
            if (!source.next()) {
                return Step.END;
            }
            if (limited && examined >= query.examinedLimit()) {
                throw overLimit();
            }
            examined++;
            if (source.isWorking()) {
                continue;
            }
            if (holds()) {
                return Step.MATCH;
            }
        }
        return Step.PAUSED;
    }

    private boolean holds() throws DirectoryException {
        if (probe != null && !passes()) {
            return false;
        }
        long id = source.id();
        if (candidates != null) {
            candidate = candidates.get(source.part());
        }
        if (byName) {
            source.moveByName(candidate);
        } else {
            candidate.moveTo(id, source.record());
        }
        return (without == null || !without.contains(id)) && (scope == null || scope.holds(id, candidate.name().parentId()))
                && (residual == null || residual.evaluate(tested) == Truth.TRUE)
                && (access == null || access.holds(candidate));
    }

    /** A probe that most candidates pass is work done twice: then it is not asked any more. */
    private boolean passes() {
        boolean passed = source.mayMatch(probe);
        probed++;
        passing += passed ? 1 : 0;
        if (probed == TRIED_PROBES && passing > TRIED_PROBES / 2) {
            probe = null;
        }
        return passed;
    }

    private DirectoryException overLimit() {
        return new ExaminedLimitException("the search examined " + Counted.of(examined, "entry")
                + ", as many as it may, because there is no index that answers the filter on "
                + String.join(", ", plan.missingIndexes()));
    }

    /** Which partition the matching entry is in, of those that are searched together; after {@link Step#MATCH}. */
    public int part() {
        return source.part();
    }

    /** The matching entry's ID; after {@link Step#MATCH}. */
    public long id() {
        return candidate.id();
    }

    /** The matching entry; after {@link Step#MATCH}. */
    public EntryRecord record() {
        return candidate.record();
    }

    /** The matching entry without what it shares with others; after {@link Step#MATCH}. */
    public EntryRecord stored() {
        return candidate.stored();
    }

    /** The values of the matching entry's large attributes; after {@link Step#MATCH}. */
    public LargeValues largeValues() {
        return candidate.largeValues();
    }

    /** The matching entry's DN as it is spelt, put together when asked; after {@link Step#MATCH}. */
    public String dn() {
        return candidate.dn();
    }

    /** Writes the matching entry's DN as an element with this tag; after {@link Step#MATCH}. */
    public void writeDn(BerWriter out, int tag) {
        candidate.writeDn(out, tag);
    }

    /** What may be known of the matching entry ({@link SearchQuery#access}); after {@link Step#MATCH}. */
    public AttributeAccess access() {
        if (everywhere != null) {
            return everywhere;
        }
        return access == null ? query.access().of(candidate) : access.decided();
    }

    public EntryView view() {
        return new EntryView(id(), record(), dn());
    }

    /** Whether the entries come in the order that was asked for, and not in that of their IDs. */
    public boolean isOrdered() {
        return !ordered.isEmpty();
    }

    /** Where the window is that was asked for; after {@link Step#END}. Null if none was. */
    public ListView listView() {
        return source.listView();
    }

    /** About the memory that is held so far, in bytes, beyond what every search has: candidates, and what is put in order. */
    public long heldBytes() {
        if (candidateBytes < 0) {
            candidateBytes = isOrdered() || plan.candidates() == null ? 0 : plan.candidates().sizeBytes();
        }
        return candidateBytes + source.heldBytes();
    }

    /** Candidates looked at so far. */
    public long examined() {
        return isOrdered() ? Math.max(examined, ordered.stream().mapToLong(SearchCursor::examined).sum()) : examined;
    }

    public SearchQuery query() {
        return query;
    }

    /** That of the first, where several partitions are searched together. */
    public QueryPlan plan() {
        return plan;
    }

    @Override
    public void close() {
        source.close();
    }
}
