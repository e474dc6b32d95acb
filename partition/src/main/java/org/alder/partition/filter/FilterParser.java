package org.alder.partition.filter;

import org.alder.partition.error.DirectoryException;

/** Reads the string form of a filter (RFC 4515). */
public final class FilterParser {
    private FilterParser() {
    }

    /**
     * @throws DirectoryException protocolError if the text is no filter, or nested deeper than {@link Filters#MAX_DEPTH}; the message
     *     names the offset and what was expected there
     */
    public static Filter parse(String text) throws DirectoryException {
        throw new UnsupportedOperationException();
    }
}
