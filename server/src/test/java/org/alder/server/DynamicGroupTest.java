package org.alder.server;

import static org.alder.server.ClientTests.find;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Groups whose members are found by URLs look to clients like others. */
public class DynamicGroupTest {
    private static final String CHAIN = ":1.2.840.113556.1.4.1941:=";
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    private TestServer server;
    private LDAPConnection admin;

    @Before
    public void start() throws LDAPException {
        server = new TestServer();
        admin = server.admin();
    }

    @After
    public void stop() {
        admin.close();
        server.close();
    }

    private static String group(String name) {
        return "cn=" + name + "," + TestServer.SUFFIX;
    }

    private void add(String name, String... urls) throws LDAPException {
        admin.add(group(name), new Attribute("objectClass", "groupOfURLs"), new Attribute("memberURL", urls));
    }

    private Set<String> members(String name) throws LDAPException {
        String[] members = admin.getEntry(group(name)).getAttributeValues("member");
        return members == null ? Set.of() : new TreeSet<>(Arrays.asList(members));
    }

    private static Set<String> users(int... numbers) {
        return new TreeSet<>(Arrays.stream(numbers).mapToObj(TestServer::userDn).toList());
    }

    @Test
    public void membersAreThoseWhomTheUrlsFind() throws LDAPException {
        add("tens", "ldap:///" + USERS + "??sub?(employeeNumber=1*0)", "ldap:///" + USERS.replace(",",
                "%2C") + "??one?(uid=user.20)");
        assertEquals(users(10, 20), members("tens"));
        admin.modify(TestServer.userDn(7), new Modification(ModificationType.REPLACE, "employeeNumber", "100"));
        assertEquals(users(7, 10, 20), members("tens"));
        admin.delete(TestServer.userDn(20));
        assertEquals(users(7, 10), members("tens"));
    }

    @Test
    public void subentriesAreNoMembers() throws LDAPException {
        String subentry = "cn=berlin," + USERS;
        admin.add(subentry, new Attribute("objectClass", "subentry", "collectiveAttributeSubentry"),
                new Attribute("subtreeSpecification", "{ base \"uid=user.3\" }"), new Attribute("c-l", "Berlin"));
        add("berlin", "ldap:///" + USERS + "??sub?(l=Berlin)");
        assertEquals(users(3), members("berlin"));
        assertEquals(Set.of(), find(admin, "(member=" + subentry + ")"));
        assertEquals(users(3), find(admin, "(memberOf=" + group("berlin") + ")"));
        assertFalse(admin.getEntry(subentry, "memberOf").hasAttribute("memberOf"));
    }

    @Test
    public void membersAreSearchedForAndCompared() throws LDAPException {
        add("tens", "ldap:///" + USERS + "??sub?(employeeNumber=10)");
        add("all", "ldap:///" + USERS + "??one?(objectClass=person)");
        admin.add(group("named"), new Attribute("objectClass", "groupOfNames"),
                new Attribute("member", TestServer.userDn(10)));
        assertEquals(Set.of(group("tens"), group("all"), group("named")), find(admin, "(member=" + TestServer.userDn(10) + ")"));
        assertEquals(Set.of(group("all")), find(admin, "(member=UID=User.11, " + USERS + ")"));
        assertEquals(Set.of(), find(admin, "(member=" + USERS + ")"));
        assertTrue(admin.compare(group("tens"), "member", TestServer.userDn(10)).compareMatched());
        SearchRequest typesOnly = new SearchRequest(group("tens"), SearchScope.BASE, Filter.createPresenceFilter("objectClass"));
        typesOnly.setTypesOnly(true);
        assertTrue(admin.search(typesOnly).getSearchEntries().get(0).hasAttribute("member"));
        assertFalse(admin.getEntry(group("tens"), "cn").hasAttribute("member"));
        assertEquals(TestServer.userDn(10), admin.getEntry(group("tens"), "MEMBER").getAttributeValue("MEMBER"));
    }

    @Test
    public void countForMemberOf() throws LDAPException {
        add("tens", "ldap:///" + USERS + "??sub?(employeeNumber=10)");
        admin.add(group("outer"), new Attribute("objectClass", "groupOfNames"),
                new Attribute("member", group("tens"), TestServer.userDn(1)));
        assertEquals(group("tens"), admin.getEntry(TestServer.userDn(10), "memberOf").getAttributeValue("memberOf"));
        assertNull(admin.getEntry(TestServer.userDn(11), "memberOf").getAttribute("memberOf"));
        assertEquals(users(10), find(admin, "(memberOf=" + group("tens") + ")"));
        Set<String> any = users(1, 10);
        any.add(group("tens"));
        assertEquals(any, find(admin, "(memberOf=*)"));
        assertEquals(any, find(admin, "(memberOf" + CHAIN + group("outer") + ")"));
        assertEquals(Set.of(group("tens"), group("outer")), find(admin, "(member" + CHAIN + TestServer.userDn(10) + ")"));
    }

    @Test
    public void groupsThatAskForMemberOfMeanNamedMembers() throws LDAPException {
        admin.add(group("named"), new Attribute("objectClass", "groupOfNames"),
                new Attribute("member", TestServer.userDn(1), TestServer.userDn(2)));
        add("some", "ldap:///" + USERS + "??one?(&(memberOf=" + group("named") + ")(!(uid=user.2)))");
        add("loop", "ldap:///" + USERS + "??one?(memberOf=" + group("loop") + ")");
        assertEquals(users(1), members("some"));
        assertEquals(users(1), find(admin, "(memberOf=" + group("some") + ")"));
        assertEquals(Set.of(), members("loop"));
    }

    @Test
    public void namedMembersStayAndComeOnce() throws LDAPException {
        admin.add(group("mixed"), new Attribute("objectClass", "groupOfURLs", "extensibleObject"),
                new Attribute("memberURL", "ldap:///" + USERS + "??one?(uid=user.1)"),
                new Attribute("member", "UID=user.1, " + USERS, TestServer.userDn(2)));
        assertEquals(Set.of("UID=user.1, " + USERS, TestServer.userDn(2)), members("mixed"));
        assertEquals(users(1, 2), find(admin, "(memberOf=" + group("mixed") + ")"));
    }

    @Test
    public void urlsThatCannotBeUsedFindNobody() throws LDAPException {
        add("wrong", "http://example.com/", "ldap://elsewhere/" + USERS + "??sub?(uid=user.1)",
                "ldap:///" + USERS + "??sub?(uid=",
                "ldap:///nothing??sub", "ldap:///" + USERS + "??sub?(userPassword=*)", "ldap:///" + USERS + "??deep?(uid=user.1)",
                "ldap:///ou=gone,dc=example,dc=com??sub?(objectClass=*)", "ldap:///dc=elsewhere??sub?(objectClass=*)",
                "ldap:///" + USERS + "%2??sub?(objectClass=*)",
                "ldap:///" + USERS + "??sub?(objectClass=*)?x=1,!x=2", "ldap:///" + USERS + "??sub?(objectClass=*)??");
        assertEquals(Set.of(), members("wrong"));
        assertNull(admin.getEntry(TestServer.userDn(1), "memberOf").getAttribute("memberOf"));
        assertEquals(Set.of(), find(admin, "(memberOf=" + group("wrong") + ")"));
    }
}
