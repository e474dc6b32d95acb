package org.alder.partition.query;

/** What was chosen to answer a search, with the counts it was chosen by. Immutable. */
public final class QueryPlan {
    private QueryPlan() {
    }

    /** For a person, several lines. */
    @Override
    public String toString() {
        throw new UnsupportedOperationException();
    }
}
