package org.alder.partition.query;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;

/**
 * The entries that match a search, in ascending order of their IDs, found step by step. Between steps it holds no thread: a server
 * stops stepping while a client does not read, and goes on later from any thread, one at a time. It reads the snapshot it was opened
 * on and does not own it. Close it.
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

    private SearchCursor() {
    }

    /**
     * Goes on to the next match.
     *
     * @param maxExamined how many candidates may be examined in this step, at least 1
     * @throws DirectoryException adminLimitExceeded if the search's examined limit is reached; the message names the missing index
     */
    public Step step(int maxExamined) throws DirectoryException {
        throw new UnsupportedOperationException();
    }

    /** The matching entry's ID; after {@link Step#MATCH}. */
    public long id() {
        throw new UnsupportedOperationException();
    }

    /** The matching entry; after {@link Step#MATCH}. */
    public EntryRecord record() {
        throw new UnsupportedOperationException();
    }

    /** The matching entry's DN as it is spelt, put together when asked; after {@link Step#MATCH}. */
    public String dn() {
        throw new UnsupportedOperationException();
    }

    public EntryView view() {
        return new EntryView(id(), record(), dn());
    }

    /** Whether the matching entry is a referral object that the query did not ask for as such (manageDsaIt false); after {@link Step#MATCH}. */
    public boolean isReferral() {
        throw new UnsupportedOperationException();
    }

    /** Candidates looked at so far. */
    public long examined() {
        throw new UnsupportedOperationException();
    }

    public QueryPlan plan() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() {
        throw new UnsupportedOperationException();
    }
}
