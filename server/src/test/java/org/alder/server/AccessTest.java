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
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.PLAINBindRequest;
import com.unboundid.ldap.sdk.ReadOnlyEntry;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.controls.AssertionRequestControl;
import com.unboundid.ldap.sdk.controls.MatchedValuesFilter;
import com.unboundid.ldap.sdk.controls.MatchedValuesRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadRequestControl;
import com.unboundid.ldap.sdk.controls.PostReadResponseControl;
import com.unboundid.ldap.sdk.controls.PreReadRequestControl;
import com.unboundid.ldap.sdk.controls.PreReadResponseControl;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedResult;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedRequest;
import com.unboundid.ldap.sdk.extensions.WhoAmIExtendedResult;
import com.unboundid.ldif.LDIFException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.alder.partition.testing.Requirement;
import org.alder.server.auth.Administrator;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PolicySettings;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;

/** Binding, passwords, and what who may do. */
public class AccessTest {
    private static TestServer server;

    @BeforeClass
    public static void start() {
        // It sends many wrong passwords, one after the other.
        server = new TestServer(settings -> settings.with(draft -> draft.passwordPolicy = PolicySettings.STANDARD.withPolicy(PasswordPolicy.NONE)));
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
                    new Modification(ModificationType.ADD, "userPassword", "new one that does"));
            connection.bind(own, "new one that does");
            failedBind(connection, own, TestServer.USER_PASSWORD);
            connection.bind(own, "new one that does");
            connection.modify(own, new Modification(ModificationType.DELETE, "userPassword", "new one that does"),
                    new Modification(ModificationType.ADD, "userPassword", "newer one that does"));
            connection.bind(own, "newer one that does");
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
            assertTrue(stored[0], stored[0].startsWith("{SSHA512}"));
            assertEquals("{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=", stored[1]);
            try (LDAPConnection user = server.anonymous()) {
                user.bind(dn, "first");
                user.bind(dn, "password");
            }
        }
    }

    private static void replacePassword(LDAPConnection connection, String dn, String value) throws LDAPException {
        connection.modify(dn, new Modification(ModificationType.REPLACE, "userPassword", value));
    }

    @Test
    public void aStoredHashIsNoPasswordWhateverItsScheme() throws LDAPException {
        String dn = TestServer.userDn(11);
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.anonymous()) {
            for (String stored : new String[] {"{CRYPT}zz", "{crypt}$6$salt$hash", "{ARGON2}$argon2id$v=19$m=1,t=1,p=1$AA$AA",
                    "{PBKDF2-SHA512}10000$c2FsdA$aGFzaA", "{SASL}user@REALM", "{K5KEY}", "{SSHA512}AAAA", "{MD5}AAAA", "*", "!",
                    "!{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk"}) {
                replacePassword(admin, dn, stored);
                assertEquals(stored, admin.getEntry(dn, "userPassword").getAttributeValue("userPassword"));
                failedBind(user, dn, stored);
                failedBind(user, dn, TestServer.USER_PASSWORD);
                assertFalse(stored, admin.compare(dn, "userPassword", stored).compareMatched());
                assertEquals(1, admin.search(dn, SearchScope.BASE, Filter.createEqualityFilter("userPassword", stored)
                        .toString()).getEntryCount());
            }
            replacePassword(admin, dn, "{CLEARTEXT}plain");
            user.bind(dn, "plain");
            replacePassword(admin, dn, "!plain");
            user.bind(dn, "!plain");
            for (String stored : new String[] {"{CRYPT}zz", "*", "{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk"}) {
                fails(ResultCode.CONSTRAINT_VIOLATION, () -> passwordModify(admin, dn, null, stored));
                failedBind(user, dn, stored);
            }
            user.bind(dn, "!plain");
        }
    }

    @Test
    public void whatWasImportedInAnUnknownSchemeOrLockedLetsNobodyIn() throws LDAPException {
        String[] values = {"{CRYPT}x", "{SASL}u", "*", "!{SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk", "!clear", "{CLEARTEXT}known"};
        for (int i = 0; i < values.length; i++) {
            server.add("uid=imported." + i + ",ou=users," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "cn: x", "sn: x",
                    "uid: imported." + i, "userPassword: " + values[i]);
        }
        try (LDAPConnection user = server.anonymous()) {
            for (int i = 0; i < values.length; i++) {
                failedBind(user, "uid=imported." + i + ",ou=users," + TestServer.SUFFIX, values[i]);
            }
            user.bind("uid=imported.5,ou=users," + TestServer.SUFFIX, "known");
        }
    }

    @Test
    public void comparingAPasswordAsksWhetherItIsRight() throws LDAPException {
        String dn = TestServer.userDn(12);
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.user(12);
                LDAPConnection other = server.user(13)) {
            replacePassword(user, dn, "just written");
            for (LDAPConnection each : new LDAPConnection[] {admin, user}) {
                assertTrue(each.compare(dn, "userPassword", "just written").compareMatched());
                assertTrue(each.compare(dn, "2.5.4.35", "just written").compareMatched());
                assertFalse(each.compare(dn, "userPassword", "another").compareMatched());
                fails(ResultCode.NO_SUCH_ATTRIBUTE, () -> each.compare(dn, "userPassword;x-a", "just written"));
            }
            String hash = admin.getEntry(dn, "userPassword").getAttributeValue("userPassword");
            assertFalse(admin.compare(dn, "userPassword", hash).compareMatched());
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> other.compare(dn, "userPassword", "just written"));
            fails(ResultCode.NO_SUCH_OBJECT, () -> admin.compare("cn=nobody," + TestServer.SUFFIX, "userPassword", "x"));
        }
        try (LDAPConnection anonymous = server.anonymous()) {
            fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> anonymous.compare(dn, "userPassword", "just written"));
        }
    }

    private static final String HASH = "0CB6948805F797BF2A82807973B89537";

    @Test
    public void secretsOfAllKindsAreHiddenHoweverTheyAreAskedFor() throws LDAPException {
        String dn = "uid=samba,ou=users," + TestServer.SUFFIX;
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.user(14)) {
            admin.add(dn, new Attribute("objectClass", "inetOrgPerson", "sambaSamAccount"), new Attribute("uid", "samba"),
                    new Attribute("cn", "x"), new Attribute("sn", "x"), new Attribute("sambaSID", "S-1-5-21-1"),
                    new Attribute("sambaNTPassword", HASH), new Attribute("sambaLMPassword;x-a", HASH),
                    new Attribute("sambaPasswordHistory", HASH));
            String[] asked = {"*", "+", "sambaNTPassword", "1.3.6.1.4.1.7165.2.1.25", "sambaLMPassword;x-a", "@sambaSamAccount"};
            SearchResultEntry seen = user.getEntry(dn, asked);
            assertTrue(seen.hasAttribute("sambaSID"));
            assertTrue(admin.getEntry(dn, asked).hasAttribute("sambaNTPassword"));
            for (String secret : new String[] {"sambaNTPassword", "sambaLMPassword;x-a", "sambaPasswordHistory"}) {
                assertFalse(secret, seen.hasAttribute(secret));
                fails(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, () -> user.compare(dn, secret, HASH));
                for (String filter : new String[] {"(X=" + HASH + ")", "(X=*)", "(X=0CB6*)", "(X:=" + HASH + ")", "(!(X=other))",
                        "(X:caseIgnoreIA5Match:=" + HASH + ")", "(X~=" + HASH + ")", "(:caseIgnoreIA5Match:=" + HASH + ")",
                        "(:caseExactIA5Match:=" + HASH + ")", "(!(:caseIgnoreIA5Match:=other))"}) {
                    String text = filter.replace("X", secret);
                    assertEquals(text, 0, user.search(dn, SearchScope.BASE, text).getEntryCount());
                }
                assertEquals(1, admin.search(dn, SearchScope.BASE, "(" + secret + "=" + HASH + ")").getEntryCount());
            }
            assertNoSecret(user, dn);
        }
    }

    /** By the controls that return or judge values. */
    private static void assertNoSecret(LDAPConnection user, String dn) throws LDAPException {
        SearchRequest valued = new SearchRequest(dn, SearchScope.BASE, "(objectClass=*)");
        valued.addControl(new MatchedValuesRequestControl(MatchedValuesFilter.createPresentFilter("sambaNTPassword")));
        assertFalse(user.search(valued).getSearchEntries().get(0).hasAttribute("sambaNTPassword"));
        SearchRequest asserting = new SearchRequest(dn, SearchScope.BASE, "(objectClass=*)");
        asserting.addControl(new AssertionRequestControl("(sambaNTPassword=" + HASH + ")"));
        fails(ResultCode.ASSERTION_FAILED, () -> user.search(asserting));
        try (LDAPConnection own = server.anonymous(); LDAPConnection admin = server.admin()) {
            replacePassword(admin, dn, "own");
            own.bind(dn, "own");
            ModifyRequest change = new ModifyRequest(dn, new Modification(ModificationType.REPLACE, "userPassword", "the next one"));
            change.addControl(new PreReadRequestControl("*", "sambaNTPassword", "userPassword"));
            change.addControl(new PostReadRequestControl("*", "sambaNTPassword", "userPassword"));
            LDAPResult done = own.modify(change);
            for (ReadOnlyEntry entry : new ReadOnlyEntry[] {PreReadResponseControl.get(done).getEntry(),
                    PostReadResponseControl.get(done).getEntry()}) {
                assertTrue(entry.hasAttribute("sambaSID"));
                assertFalse(entry.hasAttribute("sambaNTPassword"));
                assertFalse(entry.hasAttribute("userPassword"));
            }
            change.addControl(new AssertionRequestControl("(sambaNTPassword=" + HASH + ")"));
            fails(ResultCode.ASSERTION_FAILED, () -> own.modify(change));
        }
    }

    @Test
    public void whatTheSchemaDoesNotKnowMayBeASecret() throws LDAPException {
        byte[] value = {'x'};
        server.addUnchecked("cn=old", List.of(
                new org.alder.partition.entry.Attribute("objectClass", List.of("device".getBytes(StandardCharsets.UTF_8))),
                new org.alder.partition.entry.Attribute("cn", List.of("old".getBytes(StandardCharsets.UTF_8))),
                new org.alder.partition.entry.Attribute("secretOfARemovedSchema", List.of(value))));
        String dn = "cn=old,ou=users," + TestServer.SUFFIX;
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.user(15)) {
            for (String[] asked : new String[][] {{"*"}, {"*", "+"}, {"secretOfARemovedSchema"}, {"cn", "secretOfARemovedSchema"}}) {
                assertFalse(user.getEntry(dn, asked).hasAttribute("secretOfARemovedSchema"));
                assertTrue(admin.getEntry(dn, asked).hasAttribute("secretOfARemovedSchema"));
            }
        }
    }

    @Test
    public void theAdministratorMayHaveAnEntryAndItsPasswordDoesNotCount() throws LDAPException, LDIFException {
        String manager = "cn=Manager," + TestServer.SUFFIX;
        try (TestServer other = new TestServer(settings -> settings.with(draft -> draft.administrator = new Administrator(TestServer.dn(manager),
                TestServer.ADMIN_PASSWORD.getBytes(StandardCharsets.UTF_8))));
                LDAPConnection admin = other.anonymous(); LDAPConnection second = other.anonymous()) {
            admin.bind(manager, TestServer.ADMIN_PASSWORD);
            admin.add("dn: " + manager, "objectClass: organizationalRole", "objectClass: simpleSecurityObject", "cn: Manager",
                    "userPassword: of the entry");
            second.bind("CN=manager," + TestServer.SUFFIX, TestServer.ADMIN_PASSWORD);
            second.modify(manager, new Modification(ModificationType.ADD, "description", "administers"));
            failedBind(second, manager, "of the entry");
            LDAPException refused = assertThrows(LDAPException.class, () -> replacePassword(admin, manager, "x"));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, refused.getResultCode());
            assertTrue(refused.getMessage(), refused.getMessage().contains("DATA/admin.password"));
            admin.modify(manager, new Modification(ModificationType.REPLACE, "objectClass", "organizationalRole"),
                    new Modification(ModificationType.DELETE, "userPassword"));
            admin.modifyDN(manager, "cn=Former", true);
            admin.delete("cn=Former," + TestServer.SUFFIX);
            second.bind(manager, TestServer.ADMIN_PASSWORD);
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
            passwordModify(user, null, TestServer.USER_PASSWORD, "the second one");
            user.bind(dn, "the second one");
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
            passwordModify(anonymous, dn, "fourth", "the fifth one");
            anonymous.bind(dn, "the fifth one");
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
