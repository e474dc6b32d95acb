package org.alder.server;

import static org.alder.server.ClientTests.fails;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.server.auth.NewPasswordScheme;
import org.alder.server.auth.PasswordSettings;
import org.junit.Test;

/** What is stored of passwords, seen by clients: with PBKDF2 of few rounds, so that the tests take no time. */
public class StoredHashesTest {
    private static final PasswordSettings SETTINGS =
            PasswordSettings.STANDARD.withScheme(NewPasswordScheme.PBKDF2_SHA512).withPbkdf2Rounds(4096);
    private static final String NAME = "uid=hashed,ou=users," + TestServer.SUFFIX;

    private static TestServer server(PasswordSettings settings) {
        TestServer server = new TestServer(all -> all.with(draft -> draft.passwords = settings));
        server.add(NAME, "objectClass: inetOrgPerson", "uid: hashed", "cn: x", "sn: x",
                "userPassword: {SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk");
        return server;
    }

    private static String stored(LDAPConnection admin, String dn) throws LDAPException {
        return admin.getEntry(dn, "userPassword").getAttributeValue("userPassword");
    }

    @Test
    public void aWeakHashIsReplacedWhenItsUserHasLoggedIn() throws Exception {
        try (TestServer server = server(SETTINGS); LDAPConnection admin = server.admin(); LDAPConnection user = server.anonymous()) {
            fails(ResultCode.INVALID_CREDENTIALS, () -> user.bind(NAME, "wrong"));
            for (String dn : List.of(NAME, TestServer.userDn(1))) {
                user.bind(dn, "password");
                String better = Await.value("another hash of " + dn, () -> stored(admin, dn), each -> each.startsWith("{PBKDF2-SHA512}"));
                user.bind(dn, "password");
                fails(ResultCode.INVALID_CREDENTIALS, () -> user.bind(dn, "wrong"));
                fails(ResultCode.INVALID_CREDENTIALS, () -> user.bind(dn, better));
                assertEquals(better, stored(admin, dn));
            }
        }
    }

    @Test
    public void noHashIsReplacedWhereThatIsSwitchedOff() throws Exception {
        try (TestServer server = server(SETTINGS.withUpgrade(false)); LDAPConnection admin = server.admin();
                LDAPConnection user = server.anonymous()) {
            user.bind(NAME, "password");
            user.bind(NAME, "password");
            assertTrue(stored(admin, NAME).startsWith("{SSHA}"));
            assertEquals(0, server.server().hashing().waiting());
        }
    }

    @Test
    public void clearTextIsKeptWhereTheSettingsSaySo() throws Exception {
        try (TestServer server = server(SETTINGS.withScheme(NewPasswordScheme.KEEP)); LDAPConnection admin = server.admin();
                LDAPConnection user = server.anonymous()) {
            admin.modify(NAME, new Modification(ModificationType.REPLACE, "userPassword", "!summer"));
            assertEquals("{CLEARTEXT}!summer", stored(admin, NAME));
            user.bind(NAME, "!summer");
            admin.modify(NAME, new Modification(ModificationType.REPLACE, "userPassword", "secret"));
            assertEquals("secret", stored(admin, NAME));
        }
    }

    @Test
    public void onlyTheAdministratorStoresReadyHashes() throws Exception {
        String hash = "{SSHA}Nky9rgegzA78Q/TmpVUBcBYpeK3YpplD";
        try (TestServer server = server(SETTINGS); LDAPConnection admin = server.admin(); LDAPConnection user = server.anonymous()) {
            user.bind(NAME, "password");
            for (String ready : List.of(hash, "{SASL}user@REALM", "{UNKNOWN}x", "*", "!" + hash)) {
                LDAPException refusal = fails(ResultCode.CONSTRAINT_VIOLATION, () -> user.modify(NAME,
                        new Modification(ModificationType.REPLACE, "userPassword", ready)));
                assertTrue(refusal.getMessage(), refusal.getMessage().contains("(readyHashes)"));
                admin.modify(TestServer.userDn(2), new Modification(ModificationType.REPLACE, "userPassword", ready));
                assertEquals(ready, stored(admin, TestServer.userDn(2)));
            }
            user.modify(NAME, new Modification(ModificationType.REPLACE, "userPassword", "another one"));
            user.bind(NAME, "another one");
        }
    }

    @Test
    public void aRequestOfManyOrOfLongPasswordsIsRefused() throws Exception {
        try (TestServer server = server(SETTINGS); LDAPConnection admin = server.admin()) {
            fails(ResultCode.ADMIN_LIMIT_EXCEEDED, () -> admin.modify(NAME,
                    new Modification(ModificationType.ADD, "userPassword", "1", "2", "3", "4", "5", "6")));
            fails(ResultCode.CONSTRAINT_VIOLATION, () -> admin.modify(NAME,
                    new Modification(ModificationType.ADD, "userPassword", "x".repeat(1025))));
            admin.modify(NAME, new Modification(ModificationType.ADD, "userPassword", "x".repeat(1024)));
            try (LDAPConnection user = server.anonymous()) {
                user.bind(NAME, "x".repeat(1024));
                fails(ResultCode.INVALID_CREDENTIALS, () -> user.bind(NAME, "x".repeat(1025)));
            }
        }
    }
}
