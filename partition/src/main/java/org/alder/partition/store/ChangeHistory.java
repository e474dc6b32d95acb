package org.alder.partition.store;

import java.util.List;
import org.alder.partition.id.IdSet;

/**
 * What commits changed between two states of a store. Immutable.
 *
 * @param answer whether the store can tell; if not, the rest is empty
 * @param changed entries that were added, modified or renamed, as far as they are still there
 * @param renamed those of them that got another parent or RDN, so that all below them have other names
 * @param deleted identities ({@link EntryIndexer#identity}) of entries that are no longer there
 */
public record ChangeHistory(Answer answer, IdSet changed, IdSet renamed, List<byte[]> deleted) {
    /** More are not told one by one. */
    public static final int MOST_DELETED = 250_000;

    /** Whether a store can tell what changed. */
    public enum Answer {
        KNOWN,
        /** The changes are no longer kept, or too many. */
        FORGOTTEN,
        /** The state asked about was never one of this store. */
        FOREIGN
    }

    public ChangeHistory {
        deleted = List.copyOf(deleted);
    }

    /** One that tells nothing. */
    public static ChangeHistory without(Answer answer) {
        return new ChangeHistory(answer, IdSet.EMPTY, IdSet.EMPTY, List.of());
    }
}
