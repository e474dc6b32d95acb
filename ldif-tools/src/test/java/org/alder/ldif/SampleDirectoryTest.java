package org.alder.ldif;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.Test;

public class SampleDirectoryTest {
    private static List<String> values(LdifEntry entry, String description) {
        return entry.attributes().stream().filter(attribute -> attribute.description().equals(description))
                .map(LdifAttribute::text).toList();
    }

    @Test
    public void everyUserIsAPersonWithANameAndAMemberOfOneGroup() {
        List<LdifEntry> entries = new SampleDirectory(300).entries().toList();
        assertEquals("what progress is measured by", new SampleDirectory(300).count(), entries.size());
        Set<String> users = new HashSet<>();
        Set<String> members = new HashSet<>();
        Set<String> parents = new HashSet<>(Set.of("dc=com"));
        for (LdifEntry entry : entries) {
            assertTrue(entry.dn() + " comes before its parent", parents.contains(entry.dn().substring(entry.dn().indexOf(',') + 1)));
            parents.add(entry.dn());
            if (values(entry, "objectClass").contains("inetOrgPerson")) {
                users.add(entry.dn());
                String name = values(entry, "givenName").get(0) + " " + values(entry, "sn").get(0);
                assertEquals(List.of(name), values(entry, "cn"));
            }
            for (String member : values(entry, "member")) {
                assertTrue(member + " is in two groups", members.add(member));
            }
        }
        assertEquals(300, users.size());
        assertEquals(users, members);
    }

    @Test
    public void nobodyHasAPasswordThatAllKnow() {
        new SampleDirectory(50).entries().forEach(entry -> assertEquals(List.of(), values(entry, "userPassword")));
    }

    @Test
    public void aDepartmentWithoutPeopleHasNoGroup() {
        List<LdifEntry> groups = new SampleDirectory(1).entries().filter(entry -> entry.dn().endsWith(SampleDirectory.GROUPS)).toList();
        assertEquals(2, groups.size());
        assertFalse(values(groups.get(1), "member").isEmpty());
    }
}
