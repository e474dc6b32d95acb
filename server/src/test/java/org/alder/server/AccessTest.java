package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.PLAINBindRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedResult;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import com.unboundid.ldif.LDIFException;
import org.alder.partition.testing.Requirement;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Binding, passwords, and what who may do. */
public class AccessTest {
    private static TestServer server;

    @BeforeClass
    public static void start() {
        server = new TestServer();
    }

    @AfterClass
    public static void stop() {
        server.close();
    }

    private static String whoAmI(LDAPConnection connection) throws LDAPException {
        return ((WhoAmIExtendedResult) connection.processExtendedOperation(new WhoAmIExtendedRequest())).getAuthorizationID();
    }

    private static String failedBind(LDAPConnection connection, String dn, String password) {
        LDAPException failure = assertThrows(LDAPException.class, () -> connection.bind(dn, password));
        assertEquals(ResultCode.INVALID_CREDENTIALS, failure.getResultCode());
        return failure.getDiagnosticMessage();
    }

    @Test
    @Proves("1.3.6.1.4.1.4203.1.11.3")
    @Requirement(rfc = 4511, section = "4.2", text = "Bind, and bind again on the same connection")
    public void bindsAndRebinds() throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            assertEquals("", whoAmI(connection));
            connection.bind(TestServer.userDn(3), TestServer.USER_PASSWORD);
            assertEquals("dn:" + TestServer.userDn(3), whoAmI(connection));
            connection.bind("CN=directory  manager", TestServer.ADMIN_PASSWORD);
            assertEquals("dn:" + TestServer.ADMIN, whoAmI(connection));
            connection.bind("", "");
            assertEquals("", whoAmI(connection));
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2.1", text = "After a failed bind the connection is anonymous")
    @Requirement(rfc = 4513, section = "5.1.3", text = "invalidCredentials does not tell whether there is such a user")
    public void failedBindsAllSayTheSameAndLeaveTheConnectionAnonymous() throws LDAPException {
        try (LDAPConnection connection = server.user(3)) {
            String wrong = failedBind(connection, TestServer.userDn(3), "wrong");
            assertEquals("", whoAmI(connection));
            assertEquals(wrong, failedBind(connection, "uid=nobody,ou=users," + TestServer.SUFFIX, "wrong"));
            assertEquals(wrong, failedBind(connection, "dc=nowhere", "wrong"));
            assertEquals(wrong, failedBind(connection, TestServer.ADMIN, "wrong"));
            assertEquals(wrong, failedBind(connection, "ou=users," + TestServer.SUFFIX, "wrong"));
            assertEquals(wrong, failedBind(connection, "", "wrong"));
        }
    }

    @Test
    @Requirement(rfc = 4513, section = "5.1.2", text = "Unauthenticated binds are refused with unwillingToPerform")
    public void aDnWithoutAPasswordIsNoProof() throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            connection.getConnectionOptions().setBindWithDNRequiresPassword(false);
            fails(ResultCode.UNWILLING_TO_PERFORM, () -> connection.bind(TestServer.userDn(3), ""));
        }
    }

    @Test
    @Requirement(rfc = 4513, section = "5.1.1", text = "Anonymous binds")
    public void anonymousClientsReadNoEntries() throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () ->
                    connection.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1)"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> connection.search("", SearchScope.SUB, "(uid=user.1)"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> connection.compare(TestServer.userDn(1), "sn", "x"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> connection.delete(TestServer.userDn(1)));
        }
    }

    @Test
    public void anonymousClientsReadWhenConfigured() throws LDAPException {
        try (TestServer open = new TestServer(settings ->
                settings.withAnonymousRead(true)); LDAPConnection connection = open.anonymous()) {
            assertEquals(1, connection.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1)").getEntryCount());
            assertFalse(connection.getEntry(TestServer.userDn(1)).hasAttribute("userPassword"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> connection.delete(TestServer.userDn(1)));
        }
    }

    @Test
    public void usersSeeNoPasswordsAndCannotGuessThem() throws LDAPException {
        try (LDAPConnection connection = server.user(3); LDAPConnection admin = server.admin()) {
            String others = TestServer.userDn(4);
            assertTrue(admin.getEntry(others).hasAttribute("userPassword"));
            assertFalse(connection.getEntry(others).hasAttribute("userPassword"));
            assertTrue(connection.getEntry(others).hasAttribute("sn"));
            assertFalse(connection.getEntry(others, "2.5.4.35").hasAttribute("userPassword"));
            for (String filter : new String[] {"(userPassword=password)", "(userPassword=*)", "(!(userPassword=x))",
                    "(2.5.4.35=password)",
                    "(:octetStringMatch:=password)", "(&(uid=user.4)(userPassword=password))"}) {
                assertEquals(filter, 0, connection.search(TestServer.SUFFIX, SearchScope.SUB, filter).getEntryCount());
            }
            assertEquals(1, admin.search(others, SearchScope.BASE, "(userPassword=password)").getEntryCount());
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> connection.compare(others, "userPassword", "password"));
        }
    }

    @Test
    public void usersChangeNothingButTheirOwnPassword() throws LDAPException {
        try (LDAPConnection connection = server.user(5)) {
            String own = TestServer.userDn(5);
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> connection.delete(own));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> connection.modifyDN(own, "uid=x", true));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () ->
                    connection.add("ou=x," + TestServer.SUFFIX, new Attribute("ou", "x")));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () ->
                    connection.modify(own, new Modification(ModificationType.REPLACE, "sn", "x")));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () ->
                    connection.modify(TestServer.userDn(6), new Modification(ModificationType.REPLACE, "userPassword", "x")));
            connection.modify(own, new Modification(ModificationType.DELETE, "userPassword", TestServer.USER_PASSWORD),
                    new Modification(ModificationType.ADD, "userPassword", "new one"));
            connection.bind(own, "new one");
            failedBind(connection, own, TestServer.USER_PASSWORD);
            connection.bind(own, "new one");
            connection.modify(own, new Modification(ModificationType.DELETE, "userPassword", "new one"),
                    new Modification(ModificationType.ADD, "userPassword", "newer"));
            connection.bind(own, "newer");
        }
    }

    @Test
    @Requirement(rfc = 4513, section = "6.3.3", text = "Passwords are not kept readable")
    public void newPasswordsAreStoredHashed() throws LDAPException, LDIFException {
        try (LDAPConnection admin = server.admin()) {
            String dn = "uid=hashed,ou=users," + TestServer.SUFFIX;
            admin.add("dn: " + dn, "objectClass: inetOrgPerson", "uid: hashed", "cn: x", "sn: x", "userPassword: first",
                    "userPassword: {SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=");
            fails(ResultCode.ATTRIBUTE_OR_VALUE_EXISTS, () ->
                    admin.modify(dn, new Modification(ModificationType.REPLACE, "userPassword", "same", "same")));
            String[] stored = admin.getEntry(dn, "userPassword").getAttributeValues("userPassword");
            assertEquals(2, stored.length);
            assertTrue(stored[0], stored[0].startsWith("{SSHA}"));
            assertEquals("{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=", stored[1]);
            try (LDAPConnection user = server.anonymous()) {
                user.bind(dn, "first");
                user.bind(dn, "password");
            }
        }
    }

    private static PasswordModifyExtendedResult passwordModify(LDAPConnection connection, String user, String old,
            String wanted) throws LDAPException {
        PasswordModifyExtendedResult result =
                (PasswordModifyExtendedResult) connection.processExtendedOperation(new PasswordModifyExtendedRequest(user, old,
                        wanted));
        if (result.getResultCode() != ResultCode.SUCCESS) {
            throw new LDAPException(result);
        }
        return result;
    }

    @Test
    @Proves("1.3.6.1.4.1.4203.1.11.1")
    @Requirement(rfc = 3062, section = "2", text = "Password modify: own and others' passwords, generated ones")
    public void passwordModify() throws LDAPException {
        String dn = TestServer.userDn(8);
        try (LDAPConnection user = server.user(8); LDAPConnection admin = server.admin()) {
            passwordModify(user, null, TestServer.USER_PASSWORD, "second");
            user.bind(dn, "second");
            String generated = passwordModify(user, null, null, null).getGeneratedPassword();
            assertNotNull(generated);
            user.bind(dn, generated);
            passwordModify(admin, "dn:" + dn, null, "third");
            passwordModify(admin, "u:USER.8", null, "fourth");
            user.bind(dn, "fourth");
            fails(ResultCode.INVALID_CREDENTIALS, () -> passwordModify(user, null, "wrong", "fifth"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> passwordModify(user, TestServer.userDn(9), null, "x"));
            fails(ResultCode.NO_SUCH_OBJECT, () -> passwordModify(admin, "u:nobody", null, "x"));
            fails(ResultCode.NO_SUCH_OBJECT, () -> passwordModify(admin, "uid=nobody," + TestServer.SUFFIX, null, "x"));
            LDAPException own = assertThrows(LDAPException.class, () -> passwordModify(admin, null, null, "x"));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, own.getResultCode());
            assertTrue(own.getMessage(), own.getMessage().contains("DATA/admin.password"));
            fails(ResultCode.UNWILLING_TO_PERFORM, () -> passwordModify(user, null, null, ""));
        }
        try (LDAPConnection anonymous = server.anonymous()) {
            fails(ResultCode.UNWILLING_TO_PERFORM, () -> passwordModify(anonymous, null, null, "x"));
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> passwordModify(anonymous, dn, null, "x"));
            passwordModify(anonymous, dn, "fourth", "fifth");
            anonymous.bind(dn, "fifth");
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.12", text = "Extended operations that are not known get protocolError")
    public void unknownExtendedOperations() throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            fails(ResultCode.PROTOCOL_ERROR, () -> connection.processExtendedOperation(new ExtendedRequest("1.2.3.4")));
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.2", text = "Unknown authentication choices get authMethodNotSupported")
    public void otherMechanismsAreRefused() throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            fails(ResultCode.AUTH_METHOD_NOT_SUPPORTED,
                    () -> connection.bind(new PLAINBindRequest("u:x", "y")));
            fails(ResultCode.UNAVAILABLE_CRITICAL_EXTENSION, () -> connection.bind(new SimpleBindRequest(TestServer.ADMIN,
                    TestServer.ADMIN_PASSWORD, new Control("1.2.3.4", true))));
        }
    }
}
