package org.alder.partition.query;

import org.alder.partition.ber.BerWriter;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.store.LargeValues;
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

    private final SearchQuery query;
    private final QueryPlan plan;
    private final CandidateSource source;
    private final CandidateTest test;
    private final boolean limited;
    private final boolean ordered;
    /** Null if what may be known depends on the entry. */
    private final AttributeAccess everywhere;
    private long examined;

    public SearchCursor(SearchQuery query, QueryPlan plan, CandidateSource source, CandidateTest test) {
        this(query, plan, source, test, false);
    }

    /** @param ordered whether the source has tested its entries, and gives them in the order that was asked for */
    public SearchCursor(SearchQuery query, QueryPlan plan, CandidateSource source, CandidateTest test, boolean ordered) {
        this.ordered = ordered;
        this.everywhere = query.access().everywhere();
        this.query = query;
        this.plan = plan;
        this.source = source;
        this.test = test;
        this.limited = !ordered && query.examinedLimit() > 0 && !plan.missingIndexes().isEmpty();
    }

    /**
     * Goes on to the next match.
     *
     * @param maxExamined how many candidates may be examined in this step, at least 1
     * @throws DirectoryException adminLimitExceeded if the search's examined limit is reached; the message names the missing
     *     index
     */
    public Step step(int maxExamined) throws DirectoryException {
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
            if (test.holds(source.id(), source.record())) {
                return Step.MATCH;
            }
        }
        return Step.PAUSED;
    }

    private DirectoryException overLimit() {
        return new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the search examined " + examined
                + " entries, as many as examinedLimit allows, because there is no index that answers the filter on "
                + String.join(", ", plan.missingIndexes()));
    }

    /** The matching entry's ID; after {@link Step#MATCH}. */
    public long id() {
        return test.candidate().id();
    }

    /** The matching entry; after {@link Step#MATCH}. */
    public EntryRecord record() {
        return test.candidate().record();
    }

    /** The matching entry without what it shares with others; after {@link Step#MATCH}. */
    public EntryRecord stored() {
        return test.candidate().stored();
    }

    /** The values of the matching entry's large attributes; after {@link Step#MATCH}. */
    public LargeValues largeValues() {
        return test.candidate().largeValues();
    }

    /** The matching entry's DN as it is spelt, put together when asked; after {@link Step#MATCH}. */
    public String dn() {
        return test.candidate().dn();
    }

    /** Writes the matching entry's DN as an element with this tag; after {@link Step#MATCH}. */
    public void writeDn(BerWriter out, int tag) {
        test.candidate().writeDn(out, tag);
    }

    /** What may be known of the matching entry ({@link SearchQuery#access}); after {@link Step#MATCH}. */
    public AttributeAccess access() {
        if (everywhere != null) {
            return everywhere;
        }
        AttributeAccess decided = test.decided();
        return decided == null ? query.access().of(test.candidate()) : decided;
    }

    public EntryView view() {
        return new EntryView(id(), record(), dn());
    }

    /** Whether the entries come in the order that was asked for, and not in that of their IDs. */
    public boolean isOrdered() {
        return ordered;
    }

    /** Where the window is that was asked for; after {@link Step#END}. Null if none was. */
    public ListView listView() {
        return source.listView();
    }

    /** About the memory that is gathered so far, in bytes, where the entries have to be put in order first. */
    public long heldBytes() {
        return source.heldBytes();
    }

    /** Candidates looked at so far. */
    public long examined() {
        return examined;
    }

    public SearchQuery query() {
        return query;
    }

    public QueryPlan plan() {
        return plan;
    }

    @Override
    public void close() {
        source.close();
    }
}
