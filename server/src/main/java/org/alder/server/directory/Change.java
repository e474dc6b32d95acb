package org.alder.server.directory;

/**
 * What an update made of an entry, as far as the request asked to see it ({@link OperationOptions}). Immutable; the entries stay
 * valid.
 *
 * @param before the entry as it was, or null
 * @param after the entry as it became, or null
 * @param note what the client is told beside success; empty for nothing
 */
public record Change(FoundEntry before, FoundEntry after, String note) {
    /** Nothing was asked for. */
    public static final Change UNSEEN = new Change(null, null);

    /** With nothing to tell. */
    public Change(FoundEntry before, FoundEntry after) {
        this(before, after, "");
    }
}
