package org.alder.server;

import static org.alder.server.ClientTests.find;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
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
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Attributes that entries share (RFC 3671), in the subtrees that specifications name (RFC 3672 2.1). */
public class CollectiveAttributesTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final String BERLIN = "cn=berlin," + USERS;

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

    private void share(String dn, String subtree, String attribute, String... values) throws LDAPException {
        admin.add(dn, new Attribute("objectClass", "subentry", "collectiveAttributeSubentry"),
                new Attribute("subtreeSpecification", subtree), new Attribute(attribute, values));
    }

    @Test
    public void subtreeSpecificationsThatCannotBeRead() {
        for (String wrong : new String[] {"{ rubbish }", "{ minimum x }", "{ base \"no name\" }", "{ minimum 1", "{} {}"}) {
            LDAPException refused = assertThrows(wrong, LDAPException.class,
                    () -> share("cn=wrong," + TestServer.SUFFIX, wrong, "c-l", "Berlin"));
            assertEquals(refused.getMessage(), ResultCode.INVALID_ATTRIBUTE_SYNTAX, refused.getResultCode());
        }
    }

    private Set<String> values(String dn, String attribute) throws LDAPException {
        String[] values = admin.getEntry(dn, attribute).getAttributeValues(attribute);
        return values == null ? Set.of() : new TreeSet<>(Arrays.asList(values));
    }

    @Test
    @Requirement(rfc = 3671, section = "2.1",
            text = "The collective attributes of a subentry appear in the entries of its subtree")
    public void areReadAsIfEachEntryHadThem() throws LDAPException {
        share(BERLIN, "{ minimum 1 }", "c-l", "Berlin", "Potsdam");
        assertEquals(Set.of("Berlin", "Potsdam"), values(TestServer.userDn(1), "c-l"));
        assertTrue("by the name of the superior type", admin.getEntry(TestServer.userDn(1), "l").hasAttribute("c-l"));
        assertTrue("with all user attributes", admin.getEntry(TestServer.userDn(1)).hasAttribute("c-l"));
        assertFalse(admin.getEntry(TestServer.userDn(1), "cn").hasAttribute("c-l"));
        assertEquals(Set.of(), values(USERS, "c-l"));
        assertEquals(Set.of(BERLIN), values(TestServer.userDn(1), "collectiveAttributeSubentries"));
        assertTrue(admin.compare(TestServer.userDn(1), "c-l", "berlin").compareMatched());
        assertEquals(TestServer.USERS, find(admin, "(c-l=Berlin)").size());
        assertEquals(TestServer.USERS, find(admin, "(l=potsdam)").size());
        assertEquals(Set.of(TestServer.userDn(1)), find(admin, "(&(uid=user.1)(c-l=Ber*))"));
        assertEquals(Set.of(TestServer.SUFFIX, USERS), find(admin, "(!(l=Berlin))"));
        admin.modify(BERLIN, new Modification(ModificationType.REPLACE, "c-l", "Bonn"));
        assertEquals(Set.of("Bonn"), values(TestServer.userDn(1), "c-l"));
        admin.delete(BERLIN);
        assertEquals(Set.of(), values(TestServer.userDn(1), "c-l"));
    }

    @Test
    public void indexedTypesAreSearchedForInSubtreesThatShareThem() throws LDAPException {
        share(BERLIN, "{ base \"uid=user.2\" }", "c-l", "Bonn");
        admin.modify(TestServer.userDn(3), new Modification(ModificationType.ADD, "l", "Bonn"));
        admin.modify(TestServer.userDn(4), new Modification(ModificationType.ADD, "l", "Berlin"));
        assertEquals(Set.of(TestServer.userDn(2), TestServer.userDn(3)), find(admin, "(l=Bonn)"));
        assertEquals(Set.of(TestServer.userDn(4)), find(admin, "(l=Berlin)"));
        assertFalse(find(admin, "(&(objectClass=person)(!(l=Bonn)))").contains(TestServer.userDn(2)));
    }

    @Test
    public void specificationsSayWhoseTheyAre() throws LDAPException {
        admin.add("cn=box," + USERS, new Attribute("objectClass", "device"));
        share("cn=a," + USERS, "{ specificationFilter and:{item:person, not:item:device} }", "c-l", "A");
        share("cn=b," + TestServer.SUFFIX, "{ base \"ou=users\", specificExclusions { chopBefore:\"uid=user.3\" }, minimum 1,"
                + " maximum 1, specificationFilter or:{item:device, item:inetOrgPerson} }", "c-l", "B", "A");
        share("cn=c," + TestServer.SUFFIX, "{ specificExclusions { chopAfter:\"ou=users\" } }", "c-o", "C");
        assertEquals(Set.of("A", "B"), values(TestServer.userDn(1), "c-l"));
        assertEquals(Set.of("A"), values(TestServer.userDn(3), "c-l"));
        assertEquals(Set.of("A", "B"), values("cn=box," + USERS, "c-l"));
        assertEquals(Set.of(), values(USERS, "c-l"));
        assertEquals(Set.of("C"), values(USERS, "c-o"));
        assertEquals(Set.of(), values(TestServer.userDn(1), "c-o"));
    }

    @Test
    @Requirement(rfc = 3671, section = "2.3", text = "collectiveExclusions")
    public void entriesMayExcludeThem() throws LDAPException {
        share(BERLIN, "{}", "c-l", "Berlin");
        share("cn=phone," + USERS, "{}", "c-TelephoneNumber", "+49 30 1");
        admin.modify(TestServer.userDn(1), new Modification(ModificationType.ADD, "collectiveExclusions", "c-l"));
        admin.modify(TestServer.userDn(2), new Modification(ModificationType.ADD, "collectiveExclusions", "2.5.18.0"));
        assertEquals(Set.of(), values(TestServer.userDn(1), "c-l"));
        assertEquals(Set.of("+49 30 1"), values(TestServer.userDn(1), "c-TelephoneNumber"));
        assertEquals(Set.of(), values(TestServer.userDn(2), "c-TelephoneNumber"));
        assertFalse(find(admin, "(c-l=Berlin)").contains(TestServer.userDn(1)));
    }

    @Test
    public void standInSubentriesOnly() {
        LDAPException refused = assertThrows(LDAPException.class, () -> admin.modify(TestServer.userDn(1),
                new Modification(ModificationType.ADD, "c-l", "Berlin")));
        assertEquals(ResultCode.OBJECT_CLASS_VIOLATION, refused.getResultCode());
    }
}
