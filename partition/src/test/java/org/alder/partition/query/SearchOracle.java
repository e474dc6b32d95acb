package org.alder.partition.query;

import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.partition.filter.Filter;
import org.alder.partition.request.SearchScope;

/**
 * Answers searches the slow and plain way, from strings: shares no code with the planner, the evaluator, the schema or the
 * indexes. Knows the few attributes the model test uses. DNs are lower case without superfluous spaces.
 */
final class SearchOracle {
    /** @param attributes lower-case names, with options, to values */
    record Entry(long id, String dn, Map<String, List<String>> attributes) {
        private String parent() {
            return dn.substring(dn.indexOf(',') + 1);
        }
    }

    private static final Map<String, Set<String>> SUBTYPES = Map.of("name", Set.of("name", "cn", "sn", "givenname"));
    private static final Set<String> TEXT = Set.of("name", "cn", "sn", "givenname", "description");
    private static final Set<String> NUMBERS = Set.of("uidnumber");
    private static final Set<String> BYTES = Set.of("jpegphoto");
    private static final Map<String, Set<String>> SUBCLASSES = Map.of("person", Set.of("person", "inetorgperson"),
            "top", Set.of("top", "person", "inetorgperson", "groupofnames"));

    private final List<Entry> entries;

    SearchOracle(List<Entry> entries) {
        this.entries = entries;
    }

    List<Long> search(String base, SearchScope scope, Filter filter) {
        return entries.stream().filter(entry -> inScope(entry, base, scope)).filter(entry -> Boolean.TRUE.equals(truth(entry,
                filter)))
                .map(Entry::id).toList();
    }

    private static boolean inScope(Entry entry, String base, SearchScope scope) {
        boolean below = entry.dn().endsWith("," + base);
        return switch (scope) {
            case BASE -> entry.dn().equals(base);
            case ONE_LEVEL -> below && entry.parent().equals(base);
            case SUBTREE -> below || entry.dn().equals(base);
            case CHILDREN -> below;
        };
    }

    /** TRUE, FALSE, or null for Undefined. */
    Boolean truth(Entry entry, Filter filter) {
        if (filter instanceof Filter.And and) {
            List<Boolean> parts = new ArrayList<>();
            and.parts().forEach(part -> parts.add(truth(entry, part)));
            return parts.contains(false) ? Boolean.FALSE : parts.contains(null) ? null : Boolean.TRUE;
        } else if (filter instanceof Filter.Or or) {
            List<Boolean> parts = new ArrayList<>();
            or.parts().forEach(part -> parts.add(truth(entry, part)));
            return parts.contains(true) ? Boolean.TRUE : parts.contains(null) ? null : Boolean.FALSE;
        } else if (filter instanceof Filter.Not not) {
            Boolean inner = truth(entry, not.part());
            return inner == null ? null : !inner;
        }
        return item(entry, filter);
    }

    private Boolean item(Entry entry, Filter filter) {
        if (filter instanceof Filter.Present present) {
            return values(entry, present.description()).findAny().isPresent();
        } else if (filter instanceof Filter.Equality equality) {
            return equality(entry, equality.description(), text(equality.value()));
        } else if (filter instanceof Filter.Approximate approximate) {
            return equality(entry, approximate.description(), text(approximate.value()));
        } else if (filter instanceof Filter.GreaterOrEqual order) {
            return order(entry, order.description(), text(order.value()), 1);
        } else if (filter instanceof Filter.LessOrEqual order) {
            return order(entry, order.description(), text(order.value()), -1);
        } else if (filter instanceof Filter.Substring substring) {
            return substring(entry, substring);
        }
        return extensible(entry, (Filter.Extensible) filter);
    }

    private static Boolean equality(Entry entry, String description, String asked) {
        String type = type(description);
        if (type.equals("objectclass")) {
            Set<String> classes = SUBCLASSES.getOrDefault(asked.toLowerCase(Locale.ROOT), Set.of(asked.toLowerCase(Locale.ROOT)));
            return values(entry, description).anyMatch(value -> classes.contains(value.toLowerCase(Locale.ROOT)));
        } else if (NUMBERS.contains(type)) {
            return number(asked) == null ? null : values(entry,
                    description).anyMatch(value -> number(value).equals(number(asked)));
        } else if (type.equals("member")) {
            return values(entry, description).anyMatch(value -> value.equalsIgnoreCase(asked));
        }
        return TEXT.contains(type) ? any(entry, description, value -> value.equals(squeezed(asked))) : null;
    }

    private static Boolean order(Entry entry, String description, String asked, int sign) {
        if (!NUMBERS.contains(type(description)) || number(asked) == null) {
            return null;
        }
        return values(entry, description).anyMatch(value -> Integer.signum(number(value).compareTo(number(asked))) != -sign);
    }

    /** The test's pieces hold no spaces. */
    private static Boolean substring(Entry entry, Filter.Substring asked) {
        if (!TEXT.contains(type(asked.description()))) {
            return null;
        }
        String pattern = Stream.of(Stream.of(quoted(asked.initial())), asked.any().stream().map(SearchOracle::quoted),
                Stream.of(quoted(asked.last()))).flatMap(pieces -> pieces).reduce((a, b) -> a + ".*" + b).orElse("");
        return any(entry, asked.description(), value -> value.matches(pattern));
    }

    private static String quoted(byte[] piece) {
        return piece == null ? "" : Pattern.quote(text(piece).toLowerCase(Locale.ROOT));
    }

    private Boolean extensible(Entry entry, Filter.Extensible asked) {
        String value = text(asked.value());
        if (asked.rule() == null) {
            return equality(entry, asked.description(), value) == null ? null
                    : equality(entry, asked.description(), value) || asked.dnAttributes()
                    && inDn(entry, asked.description(), value);
        } else if (asked.rule().equals("1.2.840.113556.1.4.1941")) {
            return reaches(entry, value.toLowerCase(Locale.ROOT));
        }
        return asked.rule().equals("caseExactMatch") && TEXT.contains(type(asked.description()))
                ? values(entry, asked.description()).anyMatch(one -> one.trim().replaceAll(" +", " ").equals(value)) : null;
    }

    private static boolean inDn(Entry entry, String description, String asked) {
        return Stream.of(entry.dn().split(",")).map(rdn -> rdn.split("="))
                .anyMatch(rdn -> isSubtype(rdn[0], type(description)) && squeezed(rdn[1]).equals(squeezed(asked)));
    }

    private boolean reaches(Entry entry, String target) {
        Set<String> seen = new HashSet<>();
        Deque<Entry> open = new ArrayDeque<>(List.of(entry));
        while (!open.isEmpty()) {
            for (String value : values(open.poll(), "member").map(one -> one.toLowerCase(Locale.ROOT)).toList()) {
                if (value.equals(target)) {
                    return true;
                }
                if (seen.add(value)) {
                    entries.stream().filter(other -> other.dn().equals(value)).forEach(open::add);
                }
            }
        }
        return false;
    }

    private static boolean any(Entry entry, String description, Predicate<String> test) {
        return values(entry, description).map(SearchOracle::squeezed).anyMatch(test);
    }

    private static Stream<String> values(Entry entry, String description) {
        List<String> asked = List.of(description.toLowerCase(Locale.ROOT).split(";"));
        return entry.attributes().entrySet().stream().filter(attribute -> {
            List<String> stored = List.of(attribute.getKey().split(";"));
            return isSubtype(stored.get(0), asked.get(0)) && stored.containsAll(asked.subList(1, asked.size()));
        }).flatMap(attribute -> attribute.getValue().stream());
    }

    private static boolean isSubtype(String type, String superior) {
        return SUBTYPES.getOrDefault(superior, Set.of(superior)).contains(type);
    }

    private static String type(String description) {
        return description.toLowerCase(Locale.ROOT).split(";")[0];
    }

    private static Integer number(String text) {
        return text.matches("-?(0|[1-9][0-9]*)") ? Integer.valueOf(text) : null;
    }

    private static String squeezed(String text) {
        return text.trim().replaceAll(" +", " ").toLowerCase(Locale.ROOT);
    }

    private static String text(byte[] value) {
        return new String(value, StandardCharsets.UTF_8);
    }
}
