package org.alder.ldif;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.Test;

public class SampleDirectoryTest {
    private static List<String> values(LdifEntry entry, String description) {
        return entry.attributes().stream().filter(attribute -> attribute.description().equals(description))
                .map(LdifAttribute::text).toList();
    }

    /** Each account has another one. */
    private static SampleDirectory sample(long users) {
        return new SampleDirectory(users, SampleDirectory.accounts(users).stream().collect(Collectors.toMap(dn -> dn,
                dn -> ("{X}" + dn).getBytes(StandardCharsets.UTF_8))));
    }

    @Test
    public void everyUserIsAPersonWithANameAndAMemberOfOneDepartment() {
        List<LdifEntry> entries = sample(300).entries().toList();
        assertEquals("what progress is measured by", sample(300).count(), entries.size());
        Set<String> users = new HashSet<>();
        Set<String> departments = new HashSet<>();
        Set<String> members = new HashSet<>();
        Set<String> heads = new HashSet<>();
        Set<String> parents = new HashSet<>(Set.of("dc=com"));
        for (LdifEntry entry : entries) {
            assertTrue(entry.dn() + " comes before its parent", parents.contains(entry.dn().substring(entry.dn().indexOf(',') + 1)));
            parents.add(entry.dn());
            if (values(entry, "objectClass").contains("inetOrgPerson")) {
                users.add(entry.dn());
                String name = values(entry, "givenName").get(0) + " " + values(entry, "sn").get(0);
                assertEquals(List.of(name), values(entry, "cn"));
                if (values(entry, "manager").isEmpty()) {
                    heads.add(entry.dn());
                } else {
                    assertTrue(entry.dn() + " is headed by somebody who comes before", users.contains(values(entry, "manager").get(0)));
                }
            }
            if (values(entry, "objectClass").contains("posixGroup")) {
                departments.add(entry.dn());
                for (String member : values(entry, "member")) {
                    assertTrue(member + " is in two groups", members.add(member));
                }
                assertTrue(heads.contains(values(entry, "owner").get(0)));
            }
        }
        assertEquals(300, users.size());
        assertEquals(users, members);
        assertEquals("groups in a group", departments, membersOf(entries, "staff"));
        assertEquals(heads, membersOf(entries, "managers"));
        assertEquals(10, heads.size());
    }

    private static Set<String> membersOf(List<LdifEntry> entries, String group) {
        return Set.copyOf(values(entries.stream().filter(entry -> entry.dn().equals("cn=" + group + "," + SampleDirectory.GROUPS)).findFirst()
                .orElseThrow(), "member"));
    }

    @Test
    public void nobodyHasAPasswordThatAllKnow() {
        Map<String, String> found = new HashMap<>();
        sample(50).entries().forEach(entry -> values(entry, "userPassword").forEach(value -> found.put(entry.dn(), value)));
        assertEquals(SampleDirectory.accounts(50).stream().collect(Collectors.toMap(dn -> dn, dn -> "{X}" + dn)), found);
        assertTrue(found.containsKey(SampleDirectory.READER) && found.size() == 6);
    }

    @Test
    public void aDepartmentWithoutPeopleHasNoGroup() {
        assertEquals("the unit, one department, staff and managers", 4, groups(1).size());
        assertFalse(values(groups(1).get(1), "member").isEmpty());
        assertEquals("nor is there a group without members", 1, groups(0).size());
    }

    private static List<LdifEntry> groups(long users) {
        return sample(users).entries().filter(entry -> entry.dn().endsWith(SampleDirectory.GROUPS)).toList();
    }
}
