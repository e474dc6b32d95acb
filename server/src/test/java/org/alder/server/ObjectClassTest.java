package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.testing.Requirement;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** RFC 4512 3.3: an entry has the superclasses of its object classes, whether or not a client names them. */
public class ObjectClassTest {
    private static final String DN = "uid=short,ou=users," + TestServer.SUFFIX;
    private static final Set<String> PERSON =
            new TreeSet<>(List.of("inetOrgPerson", "organizationalPerson", "person", "top"));

    private TestServer server;
    private LDAPConnection connection;

    @Before
    public void start() throws Exception {
        server = new TestServer();
        connection = server.admin();
        connection.add("dn: " + DN, "objectClass: inetOrgPerson", "uid: short", "cn: x", "sn: x");
    }

    @After
    public void stop() {
        connection.close();
        server.close();
    }

    private Set<String> classes() throws LDAPException {
        return new TreeSet<>(List.of(connection.getEntry(DN).getObjectClassValues()));
    }

    private void modify(ModificationType type, String... values) throws LDAPException {
        connection.modify(DN, new Modification(type, "objectClass", values));
    }

    private void isRefused(ModificationType type, String value) throws LDAPException {
        LDAPException refused = assertThrows(LDAPException.class, () -> modify(type, value));
        assertEquals(ResultCode.OBJECT_CLASS_VIOLATION, refused.getResultCode());
        assertTrue(refused.getDiagnosticMessage(), refused.getDiagnosticMessage().contains(value));
    }

    @Test
    @Requirement(rfc = 4512, section = "3.3", text = "Superclasses are added implicitly when an entry is created")
    public void anAddedEntryGetsAllSuperclasses() throws LDAPException {
        assertEquals(PERSON, classes());
        assertEquals(1, connection.search(TestServer.SUFFIX, SearchScope.SUB,
                "(&(uid=short)(objectClass=PERSON)(objectClass=top))").getEntryCount());
    }

    @Test
    @Requirement(rfc = 4512, section = "3.3", text = "Superclasses are added implicitly with a class")
    public void anAddedClassBringsItsSuperclasses() throws LDAPException {
        connection.modify(DN, new Modification(ModificationType.ADD, "objectClass", "javaNamingReference"),
                new Modification(ModificationType.ADD, "javaClassName", "java.lang.String"));
        Set<String> expected = new TreeSet<>(PERSON);
        expected.addAll(List.of("javaNamingReference", "javaObject"));
        assertEquals(expected, classes());
    }

    @Test
    public void replacedClassesGetTheirSuperclassesAgain() throws LDAPException {
        modify(ModificationType.REPLACE, "inetOrgPerson", "ldapPublicKey");
        Set<String> expected = new TreeSet<>(PERSON);
        expected.add("ldapPublicKey");
        assertEquals(expected, classes());
        modify(ModificationType.DELETE, "ldapPublicKey");
        assertEquals(PERSON, classes());
    }

    @Test
    @Requirement(rfc = 4512, section = "3.3", text = "Superclasses of remaining classes cannot be deleted")
    public void superclassesOfRemainingClassesCannotBeDeleted() throws LDAPException {
        isRefused(ModificationType.DELETE, "person");
        isRefused(ModificationType.DELETE, "top");
        assertEquals(PERSON, classes());
    }
}
