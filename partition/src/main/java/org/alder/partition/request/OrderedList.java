package org.alder.partition.request;

import java.util.Arrays;
import java.util.function.Predicate;
import org.alder.partition.schema.AttributeType;

/**
 * The order in which a search's entries are wanted, and which of them: those behind a place, or a window. Immutable.
 *
 * @param afterKey only entries behind this place come; empty for all
 * @param afterId if there are entries in that very place, those with greater IDs come too
 * @param window null for the whole list
 */
public record OrderedList(SortOrder order, byte[] afterKey, long afterId, ListWindow window) {
    /** All entries. */
    public static OrderedList whole(SortOrder order) {
        return new OrderedList(order, new byte[0], 0, null);
    }

    /** The same list as seen by somebody who may read these attributes only. */
    public OrderedList readableBy(Predicate<AttributeType> reader) {
        return new OrderedList(order.readableBy(reader), afterKey, afterId, window);
    }

    /** Whether an entry in this place comes at all. */
    public boolean isBehind(byte[] key, long id) {
        int compared = Arrays.compareUnsigned(key, afterKey);
        return compared > 0 || compared == 0 && id > afterId;
    }
}
