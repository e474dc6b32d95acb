package org.alder.server.protocol;

import java.util.List;
import org.alder.partition.filter.Filter;
import org.alder.partition.schema.AttributeDescription;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * Tells which searches take a moment only, because they are planned by look-ups of single keys: neither ranges of keys nor walks
 * through groups. The rest would hold up all connections of an I/O thread. What decides is the attribute's type, however a client
 * spells it. Immutable, thread safe.
 */
final class QuickSearches {
    private static final int MOST_PARTS = 64;
    private static final int MOST_ALTERNATIVES = 16;

    private final Schema schema;

    QuickSearches(Schema schema) {
        this.schema = schema;
    }

    /** Whether planning a search with this filter, and testing an entry, is look-ups only. */
    boolean is(Filter filter) {
        return parts(filter) <= MOST_PARTS;
    }

    /** More than {@link #MOST_PARTS} for what is no look-up. */
    private int parts(Filter filter) {
        if (filter instanceof Filter.And and) {
            return parts(and.parts(), MOST_PARTS);
        } else if (filter instanceof Filter.Or or) {
            return parts(or.parts(), MOST_ALTERNATIVES);
        } else if (filter instanceof Filter.Equality item) {
            return isLookup(item.description()) ? 1 : MOST_PARTS + 1;
        }
        return filter instanceof Filter.Present item && isLookup(item.description()) ? 1 : MOST_PARTS + 1;
    }

    private int parts(List<Filter> filters, int most) {
        if (filters.size() > most) {
            return MOST_PARTS + 1;
        }
        int parts = 0;
        for (int i = 0; i < filters.size() && parts <= MOST_PARTS; i++) {
            parts += parts(filters.get(i));
        }
        return parts;
    }

    /** Whether returning these attributes of an entry is look-ups only, but for those that its record has not. */
    boolean areReturned(List<String> attributes) {
        for (String attribute : attributes) {
            if (attribute.equals("+") || !attribute.equals("*") && !isLookup(attribute)) {
                return false;
            }
        }
        return true;
    }

    /** What the schema does not know is looked up nowhere. */
    private boolean isLookup(String description) {
        AttributeDescription attribute = schema.descriptionOrNull(description);
        if (attribute != null) {
            for (AttributeType type : attribute.type().withSubtypes()) {
                if (type.isVirtual()) {
                    return false;
                }
            }
        }
        return true;
    }
}
