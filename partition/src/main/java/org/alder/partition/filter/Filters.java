package org.alder.partition.filter;

/** The string form (RFC 4515) and the limits of filters. */
public final class Filters {
    /** How deep a filter may be nested before it is refused. */
    public static final int MAX_DEPTH = 100;

    private Filters() {
    }

    /** The filter as RFC 4515 text; {@link FilterParser} reads the same filter from it. */
    public static String format(Filter filter) {
        throw new UnsupportedOperationException();
    }
}
