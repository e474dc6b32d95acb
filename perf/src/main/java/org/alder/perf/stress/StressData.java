package org.alder.perf.stress;

import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.perf.client.Request;

/** Names and the entries that are there before the first worker begins. Stateless. */
final class StressData {
    static final String SUFFIX = "dc=example,dc=com";
    /** A group in which every worker has members of its own, and so many that nobody changes. */
    static final String SHARED_GROUP = "cn=shared," + SUFFIX;
    private static final int LASTING_MEMBERS = 1200;
    private static final String MEMBERS_BASE = ",ou=elsewhere,dc=example,dc=org";

    private StressData() {
    }

    /** The uppermost entry of a worker's subtree. */
    static String root(int worker) {
        return "ou=w" + worker + "," + SUFFIX;
    }

    /** Members outside of the suffix: no reference follows them. */
    static String member(int worker, int number) {
        return "uid=m" + number + ",ou=w" + worker + MEMBERS_BASE;
    }

    /** Whether a member of the shared group is one of that worker. */
    static boolean isMemberOf(int worker, String member) {
        return member.endsWith(",ou=w" + worker + MEMBERS_BASE);
    }

    static Request.Add unit(String dn) {
        return new Request.Add(dn, attributes("objectclass", "top", "objectclass", "organizationalunit", "ou", rdnValue(dn)));
    }

    static String rdnValue(String dn) {
        return dn.substring(dn.indexOf('=') + 1, dn.indexOf(','));
    }

    static TreeMap<String, SortedSet<String>> attributes(String... namesAndValues) {
        TreeMap<String, SortedSet<String>> attributes = new TreeMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            attributes.computeIfAbsent(namesAndValues[i], name -> new TreeSet<>()).add(namesAndValues[i + 1]);
        }
        return attributes;
    }

    /** What is in the shared group for ever. */
    static SortedSet<String> lastingMembers() {
        TreeSet<String> members = new TreeSet<>();
        for (int i = 0; i < LASTING_MEMBERS; i++) {
            members.add("uid=l" + i + MEMBERS_BASE);
        }
        return members;
    }

    static List<Request> first() {
        Map<String, SortedSet<String>> group = attributes("objectclass", "top", "objectclass", "groupofnames", "cn", "shared");
        group.put(Tree.MEMBER, lastingMembers());
        return List.of(new Request.Add(SUFFIX, attributes("objectclass", "top", "objectclass", "domain", "dc", "example")),
                new Request.Add(SHARED_GROUP, group));
    }
}
