package org.alder.server.access;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.alder.partition.entry.Attribute;
import org.alder.server.TestServer;

/** Entries of a server, each after the one above it, as texts; and the same with parts cut out. Immutable. */
record RandomTree(List<Node> nodes) {
    static final String PASSWORD = "password";

    /**
     * An entry.
     *
     * @param user values by their descriptions  @param operational the same of what the server maintains
     */
    record Node(String dn, Map<String, List<String>> user, Map<String, List<String>> operational) {
        String parent() {
            return dn.equals(TestServer.SUFFIX) ? "" : dn.substring(dn.indexOf(',') + 1);
        }

        boolean isBelow(String base) {
            return dn.equals(base) || dn.endsWith("," + base);
        }

        /** The values of a type, whatever its options. */
        List<String> values(String type) {
            List<String> all = new ArrayList<>();
            user.forEach((description, values) -> {
                if (description.split(";")[0].equalsIgnoreCase(type)) {
                    all.addAll(values);
                }
            });
            return all;
        }
    }

    /** Organizational units with people and groups in them, and people below people. */
    static RandomTree of(Random random, int size) {
        List<Node> nodes = new ArrayList<>();
        nodes.add(node(random, TestServer.SUFFIX, "domain", Map.of("objectClass", List.of("top", "domain"), "dc", List.of("example"))));
        List<String> people = new ArrayList<>();
        for (int i = 1; i < size; i++) {
            int kind = i < 4 ? 0 : random.nextInt(10);
            String parent = nodes.get(random.nextInt(Math.min(nodes.size(), kind == 0 ? 8 : 12))).dn;
            if (kind == 0) {
                nodes.add(node(random, "ou=unit" + i + "," + parent, "organizationalUnit", unit(random, "unit" + i)));
            } else if (kind < 3 && people.size() > 2) {
                nodes.add(node(random, "cn=group" + i + "," + parent, "groupOfNames", group(random, "group" + i, nodes)));
            } else {
                nodes.add(person(random, "p" + i, parent, people));
                people.add(nodes.get(i).dn);
            }
        }
        return new RandomTree(List.copyOf(nodes));
    }

    private static Node node(Random random, String dn, String structural, Map<String, List<String>> attributes) {
        UUID uuid = new UUID(random.nextLong(), random.nextLong());
        return new Node(dn, attributes, Map.of("entryUUID", List.of(uuid.toString()), "structuralObjectClass", List.of(structural),
                "createTimestamp", List.of("20240101000000Z")));
    }

    private static Map<String, List<String>> unit(Random random, String name) {
        Map<String, List<String>> unit = new LinkedHashMap<>();
        unit.put("objectClass", List.of("top", "organizationalUnit"));
        unit.put("ou", List.of(name));
        unit.put("description", List.of(word(random)));
        return unit;
    }

    private static Map<String, List<String>> group(Random random, String name, List<Node> nodes) {
        Map<String, List<String>> group = new LinkedHashMap<>();
        group.put("objectClass", List.of("top", "groupOfNames"));
        group.put("cn", List.of(name));
        int members = 1 + random.nextInt(random.nextInt(4) == 0 ? TestServer.LARGE_ATTRIBUTE_THRESHOLD + 4 : 4);
        group.put("member", random.ints(members, 0, nodes.size()).distinct().mapToObj(at -> nodes.get(at).dn).toList());
        if (random.nextBoolean()) {
            group.put("description", List.of(word(random)));
        }
        return group;
    }

    static Node marker(Random random, String dn) {
        return node(random, dn, "device", Map.of("objectClass", List.of("top", "device"), "cn", List.of("marker"), "description", List.of("m")));
    }

    /** @param others who may be the manager */
    static Node person(Random random, String uid, String parent, List<String> others) {
        return node(random, "uid=" + uid + "," + parent, "inetOrgPerson", person(random, uid, others));
    }

    private static Map<String, List<String>> person(Random random, String uid, List<String> others) {
        Map<String, List<String>> person = new LinkedHashMap<>();
        person.put("objectClass", List.of("top", "person", "organizationalPerson", "inetOrgPerson"));
        person.put("uid", List.of(uid));
        person.put("cn", List.of(word(random) + " " + uid));
        person.put("cn;lang-de", List.of("de " + word(random)));
        person.put("sn", List.of(word(random)));
        person.put("userPassword", List.of(PASSWORD));
        for (String name : List.of("title", "l", "employeeType", "description")) {
            if (random.nextInt(3) > 0) {
                person.put(name, List.of(word(random)));
            }
        }
        if (random.nextBoolean()) {
            person.put("telephoneNumber", List.of(Integer.toString(100 + random.nextInt(6))));
        }
        if (random.nextBoolean()) {
            person.put("employeeNumber", List.of(Integer.toString(random.nextInt(8))));
        }
        if (!others.isEmpty() && random.nextBoolean()) {
            person.put("manager", List.of(others.get(random.nextInt(others.size()))));
        }
        return person;
    }

    /** One of few, so that entries share them. */
    static String word(Random random) {
        return List.of("red", "green", "blue", "grey", "Red").get(random.nextInt(5));
    }

    List<String> dns() {
        return nodes.stream().map(Node::dn).toList();
    }

    List<Node> people() {
        return nodes.stream().filter(node -> node.dn.startsWith("uid=")).toList();
    }

    /** What is left for somebody; what stays below an entry that goes is left with nothing in the entry's place but its name. */
    RandomTree cut(Predicate<Node> visible, BiPredicate<Node, String> readable, Map<String, List<String>> placeholder) {
        List<Node> left = new ArrayList<>();
        for (Node node : nodes) {
            if (visible.test(node)) {
                left.add(new Node(node.dn, only(node, node.user, readable), only(node, node.operational, readable)));
            } else if (nodes.stream().anyMatch(other -> other != node && other.isBelow(node.dn) && visible.test(other))) {
                left.add(new Node(node.dn, placeholder, Map.of()));
            }
        }
        return new RandomTree(List.copyOf(left));
    }

    private static Map<String, List<String>> only(Node node, Map<String, List<String>> attributes,
            BiPredicate<Node, String> readable) {
        Map<String, List<String>> left = new LinkedHashMap<>();
        attributes.forEach((description, values) -> {
            if (readable.test(node, description.split(";")[0].toLowerCase(Locale.ROOT))) {
                left.put(description, values);
            }
        });
        return left;
    }

    /** Puts the entries into an empty server, without a look at the schema. */
    void load(TestServer server) {
        for (Node node : nodes) {
            server.addRecord(node.dn, attributes(node.user), attributes(node.operational));
        }
    }

    private static List<Attribute> attributes(Map<String, List<String>> texts) {
        List<Attribute> attributes = new ArrayList<>();
        texts.forEach((description, values) -> attributes.add(new Attribute(description,
                values.stream().map(value -> value.getBytes(StandardCharsets.UTF_8)).toList())));
        return attributes;
    }
}
