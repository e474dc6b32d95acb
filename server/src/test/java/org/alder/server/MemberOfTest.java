package org.alder.server;

import static org.alder.server.ClientTests.find;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** memberOf and nested groups as clients ask for them. */
public class MemberOfTest {
    private static final String CHAIN = ":1.2.840.113556.1.4.1941:=";

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
        admin.add("ou=groups," + TestServer.SUFFIX, new Attribute("objectClass", "organizationalUnit"));
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static String group(String name) {
        return "cn=" + name + ",ou=groups," + TestServer.SUFFIX;
    }

    private void add(String name, String... members) throws LDAPException {
        admin.add(group(name), new Attribute("objectClass", "groupOfNames"), new Attribute("member", members));
    }

    private Set<String> memberOf(String dn) throws LDAPException {
        String[] values = admin.getEntry(dn, "memberOf").getAttributeValues("memberOf");
        return values == null ? Set.of() : new TreeSet<>(Arrays.asList(values));
    }

    private static Set<String> users(int... numbers) {
        return new TreeSet<>(IntStream.of(numbers).mapToObj(TestServer::userDn).toList());
    }

    @Test
    public void isThereForMembersOfBothKindsOfGroups() throws LDAPException {
        add("staff", TestServer.userDn(1), TestServer.userDn(2));
        admin.add(group("board"), new Attribute("objectClass", "groupOfUniqueNames"),
                new Attribute("uniqueMember", "UID=USER.2, ou=users," + TestServer.SUFFIX));
        assertEquals(Set.of(group("staff")), memberOf(TestServer.userDn(1)));
        assertEquals(Set.of(group("board"), group("staff")), memberOf(TestServer.userDn(2)));
        assertEquals(Set.of(), memberOf(TestServer.userDn(3)));
        assertEquals(users(1, 2), find(admin, "(memberOf=" + group("staff") + ")"));
        assertEquals(users(2), find(admin, "(memberOf=CN=Board, ou=groups,dc=EXAMPLE,dc=com)"));
        assertEquals(users(1, 2), find(admin, "(memberOf=*)"));
        assertEquals(users(1), find(admin, "(&(memberOf=*)(!(memberOf=" + group("board") + ")))"));
        assertEquals(users(2), find(admin, "(&(uid=user.2)(memberOf=" + group("staff") + "))"));
        assertEquals(Set.of(), find(admin, "(memberOf=" + group("nobody") + ")"));
        assertEquals(Set.of(), find(admin, "(memberOf=no dn)"));
    }

    @Test
    public void isReturnedWhenAskedForByNameOrWithAllOperationalAttributes() throws LDAPException {
        add("staff", TestServer.userDn(1));
        assertNull(admin.getEntry(TestServer.userDn(1)).getAttribute("memberOf"));
        assertEquals(group("staff"), admin.getEntry(TestServer.userDn(1), "+").getAttributeValue("memberOf"));
        assertEquals(group("staff"), admin.getEntry(TestServer.userDn(1), "MEMBEROF").getAttributeValue("MEMBEROF"));
        assertNull(admin.getEntry(TestServer.userDn(2), "+").getAttribute("memberOf"));
    }

    @Test
    public void isCompared() throws LDAPException {
        add("staff", TestServer.userDn(1));
        assertTrue(admin.compare(TestServer.userDn(1), "memberOf", group("STAFF")).compareMatched());
        assertFalse(admin.compare(TestServer.userDn(1), "memberOf", group("board")).compareMatched());
        try {
            admin.compare(TestServer.userDn(2), "memberOf", group("staff"));
            throw new AssertionError("an entry in no group was compared");
        } catch (LDAPException e) {
            assertEquals(ResultCode.NO_SUCH_ATTRIBUTE, e.getResultCode());
        }
    }

    @Test
    public void followsEveryChangeAtOnce() throws LDAPException {
        add("staff", TestServer.userDn(1));
        admin.modify(group("staff"), new Modification(ModificationType.ADD, "member", TestServer.userDn(2)));
        assertEquals(users(1, 2), find(admin, "(memberOf=" + group("staff") + ")"));
        admin.modifyDN(group("staff"), "cn=crew", true);
        assertEquals(Set.of(group("crew")), memberOf(TestServer.userDn(2)));
        assertEquals(Set.of(), find(admin, "(memberOf=" + group("staff") + ")"));
        admin.modify(group("crew"), new Modification(ModificationType.DELETE, "member", TestServer.userDn(1)));
        assertEquals(users(2), find(admin, "(memberOf=" + group("crew") + ")"));
        admin.delete(group("crew"));
        assertEquals(Set.of(), memberOf(TestServer.userDn(2)));
        add("new", "uid=later,ou=users," + TestServer.SUFFIX);
        admin.add("uid=later,ou=users," + TestServer.SUFFIX, new Attribute("objectClass", "account"));
        assertEquals(Set.of(group("new")), memberOf("uid=later,ou=users," + TestServer.SUFFIX));
    }

    @Test
    public void isNotForClientsToWrite() {
        for (ModificationType type : new ModificationType[] {ModificationType.ADD, ModificationType.REPLACE}) {
            try {
                admin.modify(TestServer.userDn(1), new Modification(type, "memberOf", group("staff")));
                throw new AssertionError("memberOf was written");
            } catch (LDAPException e) {
                assertEquals(ResultCode.CONSTRAINT_VIOLATION, e.getResultCode());
            }
        }
    }

    @Test
    public void holdsForGroupsOutsideOfTheirRecords() throws LDAPException {
        String[] members = IntStream.rangeClosed(1, 40).mapToObj(TestServer::userDn).toArray(String[]::new);
        add("large", members);
        add("larger", IntStream.rangeClosed(1, 30).mapToObj(i -> "uid=gone." + i + ",dc=nowhere").toArray(String[]::new));
        admin.modify(group("larger"), new Modification(ModificationType.ADD, "member", TestServer.userDn(50), group("large")));
        assertEquals(users(IntStream.rangeClosed(1, 40).toArray()), find(admin, "(memberOf=" + group("large") + ")"));
        assertEquals(Set.of(group("large"), TestServer.userDn(50)), find(admin, "(memberOf=" + group("larger") + ")"));
        Set<String> all = users(IntStream.rangeClosed(1, 40).toArray());
        all.addAll(Set.of(group("large"), TestServer.userDn(50)));
        assertEquals(all, find(admin, "(memberOf" + CHAIN + group("larger") + ")"));
        assertEquals(Set.of(group("large")), memberOf(TestServer.userDn(40)));
    }

    @Test
    public void chainsAreFollowedInBothDirections() throws LDAPException {
        add("all", group("staff"), TestServer.userDn(3));
        add("staff", group("board"), TestServer.userDn(2));
        add("board", TestServer.userDn(1));
        assertEquals(Set.of(group("all"), group("board"), group("staff")),
                find(admin, "(member" + CHAIN + TestServer.userDn(1) + ")"));
        Set<String> members = users(1, 2, 3);
        members.addAll(Set.of(group("board"), group("staff")));
        assertEquals(members, find(admin, "(memberOf" + CHAIN + group("all") + ")"));
        assertEquals(users(1), find(admin, "(memberOf" + CHAIN + group("board") + ")"));
        assertEquals(users(1), find(admin, "(&(uid=user.1)(memberOf" + CHAIN + group("all") + "))"));
        assertEquals(users(2), find(admin, "(&(objectClass=person)(!(uid=user.3))(memberOf" + CHAIN + group("all")
                + ")(!(memberOf:inChainMatch:=" + group("board") + ")))"));
        assertEquals(Set.of(), find(admin, "(memberOf" + CHAIN + group("nobody") + ")"));
    }

    @Test
    public void loopsEnd() throws LDAPException {
        add("one", group("two"));
        add("two", group("three"), TestServer.userDn(1));
        add("three", group("one"));
        Set<String> loop = new TreeSet<>(Set.of(group("one"), group("two"), group("three")));
        assertEquals(loop, find(admin, "(member" + CHAIN + TestServer.userDn(1) + ")"));
        loop.add(TestServer.userDn(1));
        assertEquals(loop, find(admin, "(memberOf" + CHAIN + group("one") + ")"));
        assertEquals(Set.of(group("one")), memberOf(group("two")));
    }

    @Test
    public void theRuleIsPublished() throws LDAPException {
        assertTrue(Arrays.stream(admin.getEntry("cn=schema", "matchingRules").getAttributeValues("matchingRules"))
                .anyMatch(rule -> rule.startsWith("( 1.2.840.113556.1.4.1941 NAME 'inChainMatch'")));
    }
}
