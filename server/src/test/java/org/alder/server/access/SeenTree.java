package org.alder.server.access;

import com.unboundid.ldap.sdk.Filter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
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
        public boolean searches(RandomTree.Node entry, String type, String value) {
            return true;
        }

        @Override
        public boolean reads(RandomTree.Node entry, String type) {
            return true;
        }

        @Override
        public boolean reads(RandomTree.Node entry, String type, String value) {
            return true;
        }

        @Override
        public boolean compares(RandomTree.Node entry, String type, String value) {
            return true;
        }
    };

    /** What somebody may know. Types are lower case, without options. */
    interface Sight {
        boolean finds(RandomTree.Node entry);

        /** All values. */
        boolean searches(RandomTree.Node entry, String type);

        boolean searches(RandomTree.Node entry, String type, String value);

        /** All values. */
        boolean reads(RandomTree.Node entry, String type);

        boolean reads(RandomTree.Node entry, String type, String value);

        boolean compares(RandomTree.Node entry, String type, String value);
    }

    /** The entries that a filter is true of for whoever looks. */
    List<RandomTree.Node> matches(Filter filter) {
        return tree.nodes().stream().filter(sight::finds).filter(node -> Boolean.TRUE.equals(truth(node, filter))).toList();
    }

    /** Finds the same in a tree that has no more than what is seen: by the names, whatever the filter says. */
    Filter named(Filter filter) {
        return named(matches(filter).stream().map(RandomTree.Node::dn));
    }

    private static Filter named(Stream<String> dns) {
        List<Filter> names = new ArrayList<>();
        names.add(Filter.createEqualityFilter("entryDN", "cn=nobody"));
        dns.forEach(dn -> names.add(Filter.createEqualityFilter("entryDN", dn)));
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
            if (types.contains("telephonenumber")) {
                // A subtype (RFC 3671), which may be hidden where it is not: no class has it.
                types.add("c-telephonenumber");
            }
        }
        boolean all = description != null;
        for (String type : types) {
            boolean present = filter.getFilterType() == Filter.FILTER_TYPE_PRESENCE;
            if (values(entry, type, description, present).anyMatch(value -> sight.searches(entry, type, value)
                    && matches(value, type, filter))) {
                return true;
            }
            all &= sight.searches(entry, type);
        }
        return all ? Boolean.FALSE : null;
    }

    /** @param stored without the members that a dynamic group finds */
    private Stream<String> values(RandomTree.Node entry, String type, String description, boolean stored) {
        switch (type) {
            case "memberof" -> {
                return tree.nodes().stream().filter(group -> hasMember(group, entry) && sight.finds(group)
                        && sight.searches(group, "member", entry.dn())).map(RandomTree.Node::dn);
            }
            case "hassubordinates" -> {
                return Stream.of(children(entry) > 0 ? "TRUE" : "FALSE");
            }
            case "numsubordinates" -> {
                return Stream.of(Long.toString(children(entry)));
            }
            case "member" -> {
                return stored ? entry.values(type).stream() : members(entry);
            }
            default -> {
                return stored(entry, type, description);
            }
        }
    }

    private long children(RandomTree.Node entry) {
        return tree.nodes().stream().filter(each -> each.parent().equals(entry.dn()) && sight.finds(each)).count();
    }

    private boolean hasMember(RandomTree.Node group, RandomTree.Node entry) {
        Filter found = group.finds();
        return group.values("member").contains(entry.dn()) || found != null && Boolean.TRUE.equals(truth(entry, found));
    }

    /** Those that a group names, and those that it finds by what may be known of them. */
    Stream<String> members(RandomTree.Node group) {
        Filter found = group.finds();
        return Stream.concat(group.values("member").stream(), found == null ? Stream.of() : tree.nodes().stream()
                .filter(node -> sight.finds(node) && Boolean.TRUE.equals(truth(node, found))).map(RandomTree.Node::dn));
    }

    private static Stream<String> stored(RandomTree.Node entry, String type, String description) {
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
        List<RandomTree.Node> left = new ArrayList<>();
        for (RandomTree.Node node : tree.nodes()) {
            if (sight.finds(node)) {
                left.add(new RandomTree.Node(node.dn(), only(node, node.user()), only(node, node.operational())));
            } else if (tree.nodes().stream().anyMatch(other -> other != node && other.isBelow(node.dn()) && sight.finds(other))) {
                left.add(new RandomTree.Node(node.dn(), PLACEHOLDER, Map.of()));
            }
        }
        return new RandomTree(List.copyOf(left));
    }

    /** What may be read; and what makes an entry lead to others, to those that may be seen. */
    private Map<String, List<String>> only(RandomTree.Node node, Map<String, List<String>> attributes) {
        Map<String, List<String>> left = new LinkedHashMap<>();
        attributes.forEach((description, values) -> {
            boolean kept = node.leads() && description.equals("objectClass");
            List<String> read = values.stream().filter(value -> kept || sight.reads(node, type(description), value)).toList();
            if (description.equals("memberURL")) {
                left.put(description, List.of(RandomTree.url(named(members(node).filter(dn -> sight.reads(node, "member", dn))))));
            } else if (!read.isEmpty()) {
                left.put(description, description.equals("aliasedObjectName") ? List.of(reached(read.get(0))) : read);
            }
        });
        return left;
    }

    /** The name, or a missing one if there is a hidden entry of this name. */
    private String reached(String dn) {
        return node(dn) == null || sight.finds(node(dn)) ? dn : nearest(dn).isEmpty() ? "cn=gone" : "cn=gone," + nearest(dn);
    }

    /** What is told of an entry: its name, and the user attributes that may be read, but for passwords. @see RandomRequest#text */
    String text(RandomTree.Node entry) {
        TreeMap<String, String> attributes = new TreeMap<>();
        entry.user().forEach((description, values) -> {
            List<String> read = values.stream().filter(value -> sight.reads(entry, type(description), value)).sorted().toList();
            if (!description.equals("userPassword") && !read.isEmpty()) {
                attributes.put(description, read.toString());
            }
        });
        return entry.dn() + " " + attributes;
    }

    RandomTree.Node node(String dn) {
        return tree.node(dn);
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
