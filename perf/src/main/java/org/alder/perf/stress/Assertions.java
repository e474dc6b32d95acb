package org.alder.perf.stress;

import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
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
        }
        return values(entry, attribute(filter)).stream().anyMatch(value -> holds(value, filter));
    }

    /** What RFC 3876 leaves of an entry: the values of which one of the items is true. */
    static Map<String, SortedSet<String>> matchedValues(Map<String, SortedSet<String>> entry, List<SearchFilter> items) {
        Map<String, SortedSet<String>> matched = new TreeMap<>();
        entry.forEach((attribute, values) -> {
            for (String value : values) {
                if (items.stream().anyMatch(item -> attribute(item).equals(attribute) && holds(value, item))) {
                    matched.computeIfAbsent(attribute, name -> new TreeSet<>()).add(value);
                }
            }
        });
        return matched;
    }

    private static String attribute(SearchFilter item) {
        return item instanceof SearchFilter.Present present ? present.attribute()
                : item instanceof SearchFilter.Equality equality ? equality.attribute()
                : item instanceof SearchFilter.Ordering ordering ? ordering.attribute() : ((SearchFilter.Substring) item).attribute();
    }

    /** Whether an item is true of a value of its attribute. */
    private static boolean holds(String value, SearchFilter item) {
        if (item instanceof SearchFilter.Equality equality) {
            return value.equals(equality.value().toLowerCase(Locale.ROOT));
        } else if (item instanceof SearchFilter.Ordering ordering) {
            int asked = Integer.parseInt(ordering.value());
            return ordering.isGreater() ? Integer.parseInt(value) >= asked : Integer.parseInt(value) <= asked;
        }
        return item instanceof SearchFilter.Present || matches(value, (SearchFilter.Substring) item);
    }

    private static Boolean equality(Tree tree, String dn, SearchFilter.Equality equality) {
        String value = equality.value().toLowerCase(Locale.ROOT);
        return switch (equality.attribute()) {
            case UNKNOWN -> null;
            case MEMBER_OF -> tree.entries().containsKey(value) && values(tree.entries().get(value), Tree.MEMBER).contains(dn);
            default -> values(tree.entries().get(dn), equality.attribute()).stream().anyMatch(each -> holds(each, equality));
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
