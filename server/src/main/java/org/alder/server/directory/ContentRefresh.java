package org.alder.server.directory;

import java.util.List;
import java.util.function.UnaryOperator;

/**
 * What brings a copy of a search's content up to date. One thread at a time; close it.
 *
 * @param kind what the entries are
 * @param state up to where it brings the copy; null for a foreign one
 * @param entries the cursor is this object's; null for a foreign state
 * @param deleted entryUUIDs of 16 bytes of entries that are not in the content, and may have been
 */
public record ContentRefresh(Kind kind, ContentState state, EntryCursor entries, List<byte[]> deleted) implements AutoCloseable {
    /** What a copy is given. */
    public enum Kind {
        /** All entries. Whatever else the copy has is not in the content any more. */
        ALL,
        /** The entries that may have changed since the copy's state. */
        CHANGES,
        /** Nothing: the state the copy says it has was none of this content. */
        FOREIGN
    }

    public static ContentRefresh foreign() {
        return new ContentRefresh(Kind.FOREIGN, null, null, List.of());
    }

    public ContentRefresh withEntries(UnaryOperator<EntryCursor> change) {
        return entries == null ? this : new ContentRefresh(kind, state, change.apply(entries), deleted);
    }

    @Override
    public void close() {
        if (entries != null) {
            entries.close();
        }
    }
}
