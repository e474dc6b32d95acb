package org.alder.partition.filter;

import org.alder.partition.error.DirectoryException;

/**
 * How large a filter may be that a client sends, which is looked at before objects are made of its bytes. Immutable.
 *
 * @param items of how many items, operators and pieces of substrings it may consist
 * @param depth how deep it may be nested
 * @param bytes how many bytes it may have as it is sent, and with them each assertion in it
 */
public record FilterLimits(int items, int depth, int bytes) {
    /** No configuration allows more: methods call themselves for each level. */
    public static final int MOST_DEPTH = 250;
    /** No configuration allows more. */
    public static final int MOST_ITEMS = 100_000;

    /** 10,000 items, 100 levels, and 1 MiB, which is enough for as many names as items. Also for filters that are written as text. */
    public static final FilterLimits STANDARD = new FilterLimits(10_000, 100, 1 << 20);

    public FilterLimits {
        if (items < 1 || items > MOST_ITEMS || depth < 1 || depth > MOST_DEPTH || bytes < 1) {
            throw new IllegalArgumentException("filters of " + items + " items, " + depth + " levels and " + bytes
                    + " bytes, expected at least 1, and at most " + MOST_ITEMS + " items and " + MOST_DEPTH + " levels");
        }
    }

    DirectoryException tooManyItems() {
        return Filters.tooLarge("more items, operators and pieces of substrings", items + " (maxFilterItems)");
    }

    DirectoryException tooDeep() {
        return Filters.tooLarge("more levels", depth + " (maxFilterDepth)");
    }

    DirectoryException tooLong(int found) {
        return Filters.tooLarge(found + " bytes", bytes + " (maxFilterBytes)");
    }
}
