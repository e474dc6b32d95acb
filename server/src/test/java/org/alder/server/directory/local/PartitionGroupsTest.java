package org.alder.server.directory.local;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.testing.Seed;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** What group a name is in is known in the newest state, however it is in it. */
public class PartitionGroupsTest {
    private static final int GROUPS = 12;

    private TestServer server;
    private LDAPConnection admin;
    private PartitionGroups groups;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
        groups = new PartitionGroups(TestServer.SCHEMA, server::partitions);
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static String group(int number) {
        return "cn=group " + number + "," + (number % 3 == 0 ? TestServer.OTHER_SUFFIX : TestServer.SUFFIX);
    }

    private void add(int number, String attribute, String... members) throws LDAPException {
        admin.add(group(number), new Attribute("objectClass", attribute.equals("member") ? "groupOfNames" : "groupOfUniqueNames"),
                new Attribute(attribute, members));
    }

    private Set<String> groupsOf(String member) throws DirectoryException {
        return groups.of(TestServer.dn(member)).stream().map(Dn::text).collect(Collectors.toSet());
    }

    @Test
    public void membersAreNamedDirectlyAndOverOtherGroupsAlsoOfOtherPartitions() throws LDAPException, DirectoryException {
        add(1, "member", TestServer.userDn(1));
        add(3, "uniqueMember", group(1), TestServer.userDn(2));
        add(2, "member", group(3), "cn=nobody has this name");
        assertEquals(Set.of(group(1), group(2), group(3)), groupsOf(TestServer.userDn(1)));
        assertEquals(Set.of(group(2), group(3)), groupsOf(TestServer.userDn(2).toUpperCase(Locale.ROOT)));
        assertEquals(Set.of(group(2)), groupsOf("cn=Nobody has  this name"));
        assertEquals(Set.of(), groupsOf(TestServer.userDn(3)));
        assertTrue(groups.isNamed(TestServer.dn(group(1)), TestServer.dn(TestServer.userDn(1))));
        assertFalse("over another group", groups.isNamed(TestServer.dn(group(3)), TestServer.dn(TestServer.userDn(1))));
        assertFalse("no such group", groups.isNamed(TestServer.dn("cn=none," + TestServer.SUFFIX),
                TestServer.dn(TestServer.userDn(1))));
    }

    @Test
    public void aNameWithAUniqueIdentifierIsNobodys() throws LDAPException, DirectoryException {
        add(1, "uniqueMember", TestServer.userDn(1) + "#'01'B");
        assertEquals(Set.of(), groupsOf(TestServer.userDn(1)));
    }

    @Test
    public void urlsFindMembersAndTheGroupsOfTheirGroupsCount() throws LDAPException, DirectoryException {
        admin.add(group(1), new Attribute("objectClass", "groupOfURLs"),
                new Attribute("memberURL", "ldap:///ou=users," + TestServer.SUFFIX + "??sub?(l=Berlin)"));
        add(2, "member", group(1));
        assertEquals(Set.of(), groupsOf(TestServer.userDn(1)));
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.ADD, "l", "Berlin"));
        assertEquals(Set.of(group(1), group(2)), groupsOf(TestServer.userDn(1)));
        assertFalse("by a URL", groups.isNamed(TestServer.dn(group(1)), TestServer.dn(TestServer.userDn(1))));
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.DELETE, "l"));
        assertEquals(Set.of(), groupsOf(TestServer.userDn(1)));
    }

    @Test
    public void theSameAnswerIsGivenUntilSomethingIsCommitted() throws LDAPException, DirectoryException {
        add(1, "member", TestServer.userDn(1));
        Set<Dn> first = groups.of(TestServer.dn(TestServer.userDn(1)));
        assertSame(first, groups.of(TestServer.dn(TestServer.userDn(1))));
        admin.modify("dc=other", new Modification(ModificationType.REPLACE, "description", "something else"));
        assertNotSame(first, groups.of(TestServer.dn(TestServer.userDn(1))));
        assertEquals(first, groups.of(TestServer.dn(TestServer.userDn(1))));
    }

    @Test
    public void whoIsInTooManyGroupsIsRefused() throws LDAPException {
        String[] names = new String[PartitionGroups.MOST_GROUPS + 1];
        for (int i = 0; i < names.length; i++) {
            server.add("cn=many " + i + ",ou=users," + TestServer.SUFFIX, "objectClass: groupOfNames", "cn: many " + i,
                    "member: " + (i == 0 ? TestServer.userDn(1) : "cn=many 0,ou=users," + TestServer.SUFFIX));
        }
        DirectoryException refusal =
                assertThrows(DirectoryException.class, () -> groups.of(TestServer.dn(TestServer.userDn(1))));
        assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED, refusal.resultCode());
    }

    @Test
    public void namesBelowATopAreFoundAlsoAmongMany() throws LDAPException {
        String[] members = new String[TestServer.LARGE_ATTRIBUTE_THRESHOLD * 3];
        Arrays.setAll(members, i -> TestServer.userDn(i + 1));
        add(1, "member", members);
        Dn group = TestServer.dn(group(1));
        assertTrue(groups.namesBelow(group, TestServer.dn(TestServer.userDn(members.length))));
        assertTrue(groups.namesBelow(group, TestServer.dn("ou=users," + TestServer.SUFFIX)));
        assertTrue(groups.isNamed(group, TestServer.dn(TestServer.userDn(members.length))));
        assertFalse(groups.namesBelow(group, TestServer.dn(TestServer.userDn(members.length + 1))));
        assertFalse(groups.namesBelow(group, TestServer.dn(TestServer.OTHER_SUFFIX)));
    }

    @Test
    public void everyAcknowledgedChangeIsInTheNextAnswer() throws LDAPException, DirectoryException {
        Random random = Seed.random(PartitionGroupsTest.class);
        Map<String, Set<String>> model = new HashMap<>();
        for (int i = 0; i < GROUPS; i++) {
            String member = pick(random);
            add(i, "member", member);
            model.put(group(i), new HashSet<>(Set.of(member)));
        }
        for (int change = 0; change < 300; change++) {
            String group = group(random.nextInt(GROUPS));
            String member = pick(random);
            Set<String> members = model.get(group);
            if (members.contains(member) && members.size() > 1) {
                admin.modify(group, new Modification(ModificationType.DELETE, "member", member));
                members.remove(member);
            } else if (members.add(member)) {
                admin.modify(group, new Modification(ModificationType.ADD, "member", member));
            }
            String asked = pick(random);
            assertEquals(asked, closure(model, asked), groupsOf(asked));
        }
    }

    private static String pick(Random random) {
        return random.nextBoolean() ? group(random.nextInt(GROUPS)) : TestServer.userDn(1 + random.nextInt(5));
    }

    private static Set<String> closure(Map<String, Set<String>> model, String member) {
        Set<String> found = new HashSet<>();
        Deque<String> open = new ArrayDeque<>(List.of(member));
        while (!open.isEmpty()) {
            String next = open.poll();
            model.forEach((group, members) -> {
                if (members.contains(next) && found.add(group)) {
                    open.add(group);
                }
            });
        }
        return found;
    }
}
