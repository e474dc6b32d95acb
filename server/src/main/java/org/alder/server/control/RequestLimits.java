package org.alder.server.control;

import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.filter.FilterLimits;

/**
 * How much one request, or one of its controls, may ask for: decoders look at it before they make anything of the bytes. Immutable.
 *
 * @param filter of each filter
 * @param attributes most attributes that are named to be returned
 * @param sortKeys most keys of one sort control
 * @param listViewEntries most entries that one list view returns
 */
public record RequestLimits(FilterLimits filter, int attributes, int sortKeys, int listViewEntries) {
    /** 10,000 attributes, more names than any schema has; 16 sort keys; 100,000 entries of a list view. */
    public static final RequestLimits STANDARD = new RequestLimits(FilterLimits.STANDARD, 10_000, 16, 100_000);

    public RequestLimits {
        if (attributes < 1 || sortKeys < 1 || listViewEntries < 1) {
            throw new IllegalArgumentException("limits of " + attributes + " attributes, " + sortKeys + " sort keys and " + listViewEntries
                    + " entries of a list view, expected at least 1");
        }
    }

    /** @param asked of what there is too much */
    public static DirectoryException exceeded(String asked, int limit, String key) {
        return new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "the request has " + asked + ", the limit is " + limit + " (" + key + ")");
    }
}
