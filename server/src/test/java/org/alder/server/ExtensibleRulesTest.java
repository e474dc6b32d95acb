package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldif.LDIFException;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Rules of other servers that filters name: bits of numbers, and where names stand. */
public class ExtensibleRulesTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String AND = "uidNumber:1.2.840.113556.1.4.803:";
    private static final String OR = "uidNumber:1.2.840.113556.1.4.804:";

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

    private Set<String> found(String filter) throws LDAPException {
        return admin.search(TestServer.SUFFIX, SearchScope.SUB, filter, "1.1").getSearchEntries().stream()
                .map(entry -> entry.getDN().replace("," + TestServer.SUFFIX, "")).collect(Collectors.toCollection(TreeSet::new));
    }

    private void assertUsers(String filter, int... users) throws LDAPException {
        assertEquals(filter, Arrays.stream(users).mapToObj(user -> "uid=user." + user + ",ou=users")
                .collect(Collectors.toCollection(TreeSet::new)), found(filter));
    }

    private void number(int user, String value) throws LDAPException {
        admin.modify(TestServer.userDn(user),
                new Modification(ModificationType.ADD, "objectClass", "posixAccount"),
                new Modification(ModificationType.ADD, "uidNumber", value),
                new Modification(ModificationType.ADD, "gidNumber", "1"),
                new Modification(ModificationType.ADD, "homeDirectory", "/"));
    }

    @Test
    public void bits() throws LDAPException {
        number(1, "6");
        number(2, "3");
        number(3, "0");
        number(4, "-1");
        number(5, "36893488147419103232");
        assertUsers("(" + AND + "=2)", 1, 2, 4);
        assertUsers("(" + AND + "=6)", 1, 4);
        assertUsers("(" + AND + "=0)", 1, 2, 3, 4, 5);
        assertUsers("(uidNumber:integerBitAndMatch:=36893488147419103232)", 4, 5);
        assertUsers("(" + OR + "=5)", 1, 2, 4);
        assertUsers("(" + OR + "=0)");
        assertUsers("(uidNumber:integerBitOrMatch:=36893488147419103240)", 4, 5);
        assertUsers("(&(uidNumber=*)(!(" + AND + "=2)))", 3, 5);
        assertUsers("(" + AND + "=two)");
        assertUsers("(!(" + AND + "=two))");
        assertUsers("(cn:1.2.840.113556.1.4.803:=1)");
    }

    @Test
    public void placesOfNames() throws LDAPException, LDIFException {
        admin.add("dn: cn=boss," + TestServer.userDn(7), "objectClass: device", "cn: boss", "owner: " + TestServer.userDn(7));
        assertEquals(TestServer.USERS + 2, found("(entryDN:dnSubtreeMatch:=OU=Users, " + TestServer.SUFFIX + ")").size());
        assertEquals(TestServer.USERS + 1, found("(entryDN:dnSubordinateMatch:=" + USERS + ")").size());
        assertEquals(TestServer.USERS, found("(entryDN:dnOneLevelMatch:=" + USERS + ")").size());
        assertEquals(Set.of("ou=users", TestServer.SUFFIX), found("(entryDN:dnSuperiorMatch:=" + TestServer.userDn(3) + ")"));
        assertEquals(Set.of("cn=boss,uid=user.7,ou=users"), found("(owner:1.3.6.1.4.1.4203.666.4.9:=" + USERS + ")"));
        assertEquals(Set.of(), found("(owner:dnSubordinateMatch:=" + TestServer.userDn(7) + ")"));
        assertEquals(Set.of(), found("(entryDN:dnSubtreeMatch:=no name)"));
        assertEquals("a longer RDN is no superior", Set.of(),
                found("(entryDN:dnSubtreeMatch:=ou=user," + TestServer.SUFFIX + ")"));
    }

    @Test
    public void theyArePublished() throws LDAPException {
        String rules = String.join("\n", admin.getEntry("cn=schema", "matchingRules").getAttributeValues("matchingRules"));
        for (String name : new String[] {"integerBitAndMatch", "integerBitOrMatch", "dnSubtreeMatch", "dnOneLevelMatch",
                "dnSubordinateMatch", "dnSuperiorMatch"}) {
            assertTrue(name, rules.contains("NAME '" + name + "'"));
        }
    }
}
