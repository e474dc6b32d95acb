package org.alder.partition.filter;

import java.util.List;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * Whether a search with a filter has no work to do that grows with the directory, before its first entry or on a single one: few
 * keys are looked up, and no range of keys, no members of a group and no groups of a member. What is not quick must not run on a
 * thread that others wait for.
 *
 * <p>The attributes' types decide, under whatever name they are asked for. Nothing is compiled: a look-up for each item. One
 * thread, used once.
 */
public final class QuickFilter {
    /** Of more items a filter is not called quick. */
    private static final int MOST_NODES = 16;
    /** A dynamic group's values of it are what URLs find. */
    private static final String MEMBER = "member";

    private final Schema schema;
    private final AttributeType member;
    private final boolean oneEntry;
    private int left = MOST_NODES;

    /** @param oneEntry whether the filter is tested on the base entry alone, and no index is asked */
    public QuickFilter(Schema schema, boolean oneEntry) {
        this.schema = schema;
        this.member = schema.attributeType(MEMBER);
        this.oneEntry = oneEntry;
    }

    public boolean isQuick(Filter filter) {
        if (--left < 0) {
            return false;
        } else if (filter instanceof Filter.And and) {
            return areQuick(and.parts());
        } else if (filter instanceof Filter.Or or) {
            return areQuick(or.parts());
        } else if (filter instanceof Filter.Not not) {
            // Of one entry it is the part turned round; in an index it leaves everything else.
            return oneEntry && isQuick(not.part());
        } else if (filter instanceof Filter.Equality item) {
            return isStored(item.description());
        } else if (filter instanceof Filter.Approximate item) {
            return isStored(item.description());
        }
        return filter instanceof Filter.Present item && isStored(item.description());
    }

    private boolean areQuick(List<Filter> parts) {
        for (Filter part : parts) {
            if (!isQuick(part)) {
                return false;
            }
        }
        return true;
    }

    /** Whether all values are in records and indexes: what is known of no attribute is, too. */
    private boolean isStored(String description) {
        AttributeDescription known = schema.descriptionOrNull(description);
        return known == null || !known.type().isVirtual() && (member == null || !member.isSubtypeOf(known.type()));
    }
}
