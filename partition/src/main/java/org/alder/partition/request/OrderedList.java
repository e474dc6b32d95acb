package org.alder.partition.request;

import java.util.Arrays;

/**
 * The order in which a search's entries are wanted, and which of them: those behind a place, or a window. Immutable.
 *
 * @param afterKey only entries behind this place come; empty for all
 * @param afterPartition if there are entries in that very place, those in partitions behind this one come too
 * @param afterId and so do those with greater IDs in that one
 * @param window null for the whole list
 */
public record OrderedList(SortOrder order, byte[] afterKey, int afterPartition, long afterId, ListWindow window) {
    /** All entries. */
    public static OrderedList whole(SortOrder order) {
        return new OrderedList(order, new byte[0], 0, 0, null);
    }

    /** Whether an entry in this place comes at all. */
    public boolean isBehind(byte[] key, int partition, long id) {
        int compared = Arrays.compareUnsigned(key, afterKey);
        return compared > 0 || compared == 0 && (partition > afterPartition || partition == afterPartition && id > afterId);
    }
}
