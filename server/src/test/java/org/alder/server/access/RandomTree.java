package org.alder.server.access;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.alder.partition.entry.Attribute;
import org.alder.server.TestServer;

/** Entries of a server, each after the one above it, as texts; and the same with parts cut out. Immutable. */
record RandomTree(List<Node> nodes) {
    static final String PASSWORD = "password";
    /** Where referral objects lead. */
    static final List<String> URLS = List.of("ldap://red.example.com/", "ldap://green.example.com/dc=x");

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

        /** Whether it is more than what is written in it: an alias, a referral object or a dynamic group. */
        boolean leads() {
            return isAlias() || isReferral() || user.containsKey("memberURL");
        }

        boolean isAlias() {
            return user.get("objectClass").contains("alias");
        }

        boolean isReferral() {
            return user.get("objectClass").contains("referral");
        }

        /** The DN of an alias, the URLs of a referral object. */
        List<String> leadsTo() {
            return isAlias() ? values("aliasedObjectName") : operational.getOrDefault("ref", List.of());
        }

        /** What a dynamic group finds, in all of the tree; null for other entries. */
        Filter finds() {
            try {
                List<String> urls = values("memberURL");
                return urls.isEmpty() ? null : Filter.create(urls.get(0).substring(urls.get(0).lastIndexOf('?') + 1).replace("%2C", ","));
            } catch (LDAPException e) {
                throw new IllegalStateException(e);
            }
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

    /** The same with aliases, referral objects and dynamic groups. */
    RandomTree withLeading(Random random) {
        List<Node> all = new ArrayList<>(nodes);
        for (int i = 0; i < 9; i++) {
            String parent = nodes.get(random.nextInt(nodes.size())).dn;
            all.add(switch (i % 3) {
                case 0 -> alias(random, "alias" + i, parent, all);
                case 1 -> referral(random, "referral" + i, parent);
                default -> dynamic(random, "dynamic" + i, parent);
            });
        }
        return new RandomTree(List.copyOf(all));
    }

    /** Of another entry, of a missing one, or of another alias. */
    private static Node alias(Random random, String name, String parent, List<Node> others) {
        String target = others.get(random.nextInt(others.size())).dn;
        return node(random, "cn=" + name + "," + parent, "alias", Map.of("objectClass", List.of("top", "alias", "extensibleObject"),
                "cn", List.of(name), "description", List.of(word(random)), "aliasedObjectName",
                List.of(random.nextInt(6) == 0 ? "cn=missing," + target : target)));
    }

    private static Node referral(Random random, String name, String parent) {
        Node made = node(random, "cn=" + name + "," + parent, "referral", Map.of("objectClass", List.of("top", "referral",
                "extensibleObject"), "cn", List.of(name), "description", List.of(word(random))));
        Map<String, List<String>> operational = new LinkedHashMap<>(made.operational);
        operational.put("ref", random.nextBoolean() ? URLS : List.of(URLS.get(random.nextInt(URLS.size()))));
        return new Node(made.dn, made.user, operational);
    }

    private static Node dynamic(Random random, String name, String parent) {
        Filter found = switch (random.nextInt(4)) {
            case 0 -> Filter.createEqualityFilter("title", word(random));
            case 1 -> Filter.createANDFilter(Filter.createPresenceFilter("uid"), Filter.createNOTFilter(
                    Filter.createEqualityFilter("l", word(random))));
            case 2 -> Filter.createORFilter(Filter.createEqualityFilter("employeeType", word(random)),
                    Filter.createEqualityFilter("description", word(random)));
            default -> Filter.createEqualityFilter("objectClass", "inetOrgPerson");
        };
        return node(random, "cn=" + name + "," + parent, "groupOfURLs", Map.of("objectClass", List.of("top", "groupOfURLs",
                "extensibleObject"), "cn", List.of(name), "description", List.of(word(random)), "memberURL", List.of(url(found))));
    }

    static String url(Filter found) {
        return "ldap:///" + (TestServer.SUFFIX + "??sub?" + found).replace(",", "%2C");
    }

    /** With an entry in another place, and all that is below it; what names these is as it was. */
    RandomTree moved(Node node, Node after) {
        return new RandomTree(nodes.stream().map(each -> each == node ? after : !each.isBelow(node.dn) ? each
                : new Node(each.dn.substring(0, each.dn.length() - node.dn.length()) + after.dn, each.user, each.operational)).toList());
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

    /** Null if there is none. */
    Node node(String dn) {
        return nodes.stream().filter(node -> node.dn.equals(dn)).findFirst().orElse(null);
    }

    List<String> dns() {
        return nodes.stream().map(Node::dn).toList();
    }

    List<Node> people() {
        return nodes.stream().filter(node -> node.dn.startsWith("uid=")).toList();
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
