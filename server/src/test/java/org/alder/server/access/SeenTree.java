package org.alder.server.access;

import com.unboundid.ldap.sdk.Filter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A tree as somebody sees it, asked the slow and plain way: shares no code with the server. Knows what {@link RandomTree} has. */
record SeenTree(RandomTree tree, Sight sight) {
    private static final Map<String, List<String>> PLACEHOLDER = Map.of("objectClass", List.of("top"));
    private static final Set<String> NAMES = Set.of("cn", "sn", "ou", "l", "title");
    private static final Set<String> NUMBERS = Set.of("employeenumber");
    private static final Set<String> DNS = Set.of("member", "manager", "memberof");

    /** Of whoever may know everything. */
    static final Sight EVERYTHING = new Sight() {
        @Override
        public boolean finds(RandomTree.Node entry) {
            return true;
        }

        @Override
        public boolean searches(RandomTree.Node entry, String type) {
            return true;
        }

        @Override
        public boolean reads(RandomTree.Node entry, String type) {
            return true;
        }

        @Override
        public boolean compares(RandomTree.Node entry, String type) {
            return true;
        }
    };

    /** What somebody may know. Types are lower case, without options. */
    interface Sight {
        boolean finds(RandomTree.Node entry);

        boolean searches(RandomTree.Node entry, String type);

        boolean reads(RandomTree.Node entry, String type);

        boolean compares(RandomTree.Node entry, String type);
    }

    /** The entries that a filter is true of for whoever looks. */
    List<RandomTree.Node> matches(Filter filter) {
        return tree.nodes().stream().filter(sight::finds).filter(node -> Boolean.TRUE.equals(truth(node, filter))).toList();
    }

    /** Finds the same in a tree that has no more than what is seen: by the names, whatever the filter says. */
    Filter named(Filter filter) {
        List<Filter> names = new ArrayList<>();
        names.add(Filter.createEqualityFilter("entryDN", "cn=nobody"));
        matches(filter).forEach(node -> names.add(Filter.createEqualityFilter("entryDN", node.dn())));
        return Filter.createORFilter(names);
    }

    /** TRUE, FALSE, or null for Undefined (RFC 4511 4.5.1.7), as what may not be searched for is. */
    Boolean truth(RandomTree.Node entry, Filter filter) {
        switch (filter.getFilterType()) {
            case Filter.FILTER_TYPE_AND -> {
                List<Boolean> parts = truths(entry, filter);
                return parts.contains(false) ? Boolean.FALSE : parts.contains(null) ? null : Boolean.TRUE;
            }
            case Filter.FILTER_TYPE_OR -> {
                List<Boolean> parts = truths(entry, filter);
                return parts.contains(true) ? Boolean.TRUE : parts.contains(null) ? null : Boolean.FALSE;
            }
            case Filter.FILTER_TYPE_NOT -> {
                Boolean part = truth(entry, filter.getNOTComponent());
                return part == null ? null : !part;
            }
            default -> {
                return item(entry, filter);
            }
        }
    }

    private List<Boolean> truths(RandomTree.Node entry, Filter filter) {
        List<Boolean> parts = new ArrayList<>();
        for (Filter part : filter.getComponents()) {
            parts.add(truth(entry, part));
        }
        return parts;
    }

    private Boolean item(RandomTree.Node entry, Filter filter) {
        String description = filter.getAttributeName();
        if (filter.getFilterType() == Filter.FILTER_TYPE_PRESENCE && description.equals("objectClass")) {
            // Every entry that is found is of some class.
            return true;
        }
        Set<String> types = new TreeSet<>();
        if (description == null) {
            entry.user().keySet().forEach(each -> types.add(type(each)));
            types.removeIf(type -> DNS.contains(type) || NUMBERS.contains(type) || type.equals("objectclass")
                    || type.equals("userpassword") || type.equals("telephonenumber"));
        } else if (type(description).equals("name")) {
            types.addAll(NAMES);
        } else {
            types.add(type(description));
        }
        boolean all = description != null;
        for (String type : types) {
            if (sight.searches(entry, type)) {
                if (values(entry, type, description).anyMatch(value -> matches(value, type, filter))) {
                    return true;
                }
            } else {
                all = false;
            }
        }
        return all ? Boolean.FALSE : null;
    }

    private Stream<String> values(RandomTree.Node entry, String type, String description) {
        if (type.equals("memberof")) {
            return tree.nodes().stream().filter(group -> sight.finds(group) && sight.searches(group, "member"))
                    .filter(group -> group.values("member").contains(entry.dn())).map(RandomTree.Node::dn);
        }
        String options = description == null || !description.contains(";") ? "" : description.substring(description.indexOf(';'));
        return entry.user().entrySet().stream().filter(each -> type(each.getKey()).equals(type) && each.getKey().endsWith(options))
                .flatMap(each -> each.getValue().stream());
    }

    private static boolean matches(String value, String type, Filter filter) {
        String asked = filter.getAssertionValue();
        return switch (filter.getFilterType()) {
            case Filter.FILTER_TYPE_PRESENCE -> true;
            case Filter.FILTER_TYPE_SUBSTRING -> normal(value, type).startsWith(normal(filter.getSubInitialString(), type));
            case Filter.FILTER_TYPE_GREATER_OR_EQUAL -> normal(value, type).compareTo(normal(asked, type)) >= 0;
            default -> type.equals("objectclass") ? isClass(value, asked) : normal(value, type).equals(normal(asked, type));
        };
    }

    private static boolean isClass(String value, String asked) {
        return Pattern.compile(Pattern.quote(asked), Pattern.CASE_INSENSITIVE).matcher(value).matches();
    }

    private static String normal(String text, String type) {
        return text.toLowerCase(Locale.ROOT);
    }

    private static String type(String description) {
        return description.split(";")[0].toLowerCase(Locale.ROOT);
    }

    /** What is left of it. @see RandomTree#cut */
    RandomTree cut() {
        return tree.cut(sight::finds, sight::reads, PLACEHOLDER);
    }

    /** What is told of an entry: its name, and the user attributes that may be read, but for passwords. @see RandomRequest#text */
    String text(RandomTree.Node entry) {
        TreeMap<String, String> attributes = new TreeMap<>();
        entry.user().forEach((description, values) -> {
            if (!description.equals("userPassword") && sight.reads(entry, type(description))) {
                attributes.put(description, values.stream().sorted().toList().toString());
            }
        });
        return entry.dn() + " " + attributes;
    }

    RandomTree.Node node(String dn) {
        return tree.nodes().stream().filter(node -> node.dn().equals(dn)).findFirst().orElse(null);
    }

    /** The DN of the deepest entry above a DN that is found; empty if there is none. */
    String nearest(String dn) {
        String above = dn;
        while (above.contains(",")) {
            above = above.substring(above.indexOf(',') + 1);
            RandomTree.Node node = node(above);
            if (node != null && sight.finds(node)) {
                return above;
            }
        }
        return "";
    }

    String describe() {
        return tree.nodes().stream().filter(sight::finds).map(node -> node.dn() + " " + node.user().keySet().stream()
                .map(SeenTree::type).distinct().filter(type -> sight.reads(node, type)).collect(Collectors.joining(" ")))
                .collect(Collectors.joining("\n"));
    }
}
