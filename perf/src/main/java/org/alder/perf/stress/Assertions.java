package org.alder.perf.stress;

import java.util.Collection;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import org.alder.perf.client.SearchFilter;

/** Whether one assertion of a filter is true of an entry of the model. Stateless. */
final class Assertions {
    /** No server knows it. */
    static final String UNKNOWN = "nosuchtype";
    static final String MEMBER_OF = "memberof";
    static final String NUMBER = "uidnumber";

    private Assertions() {
    }

    /** @return null for Undefined */
    static Boolean test(Tree tree, String dn, SearchFilter filter) {
        Map<String, SortedSet<String>> entry = tree.entries().get(dn);
        if (filter instanceof SearchFilter.Present present) {
            // Never Undefined, not even of a type that nobody knows (RFC 4511 4.5.1.7.5).
            return entry.containsKey(present.attribute());
        } else if (filter instanceof SearchFilter.Equality equality) {
            return equality(tree, dn, equality);
        } else if (filter instanceof SearchFilter.Ordering ordering) {
            int asked = Integer.parseInt(ordering.value());
            return values(entry, ordering.attribute()).stream().map(Integer::valueOf)
                    .anyMatch(value -> ordering.isGreater() ? value >= asked : value <= asked);
        }
        SearchFilter.Substring substring = (SearchFilter.Substring) filter;
        return values(entry, substring.attribute()).stream().anyMatch(value -> matches(value, substring));
    }

    private static Boolean equality(Tree tree, String dn, SearchFilter.Equality equality) {
        String value = equality.value().toLowerCase(Locale.ROOT);
        return switch (equality.attribute()) {
            case UNKNOWN -> null;
            case MEMBER_OF -> tree.entries().containsKey(value) && values(tree.entries().get(value), Tree.MEMBER).contains(dn);
            default -> values(tree.entries().get(dn), equality.attribute()).contains(value);
        };
    }

    private static boolean matches(String value, SearchFilter.Substring asked) {
        if (!value.startsWith(asked.initial())) {
            return false;
        }
        int at = value.indexOf(asked.any(), asked.initial().length());
        return at >= 0 && value.endsWith(asked.last()) && value.length() - asked.last().length() >= at + asked.any().length();
    }

    private static Collection<String> values(Map<String, SortedSet<String>> entry, String attribute) {
        return entry.getOrDefault(attribute, Collections.emptySortedSet());
    }
}
