package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ModifyRequest;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import org.alder.server.Proves;
import org.alder.server.TestAuthority;
import org.alder.server.TestServer;
import org.alder.server.TestTls;
import org.alder.server.cli.CommandRun;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PasswordPolicy.Aging;
import org.alder.server.policy.PasswordPolicy.Change;
import org.alder.server.policy.PasswordPolicy.Lockout;
import org.alder.server.policy.PolicySettings;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.Listener;
import org.alder.server.wire.UnixSocket;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code alder account} against a running server, and the control that it reads (account usability). */
public class AccountTest {
    private static final String DN = TestServer.userDn(1);
    private static final PasswordPolicy POLICY = new PasswordPolicy(null, Change.FREE, new Aging(7 * 86_400, 0, 2, 0, 86_400),
            new Lockout(true, 2, 0, 3600, 3600, 0, 0, 5));

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private Path password;

    @Before
    public void start() throws IOException {
        server = new TestServer(settings -> settings.with(draft -> draft.passwordPolicy = PolicySettings.STANDARD.withPolicy(POLICY)));
        password = folder.newFile("password").toPath();
        Files.writeString(password, TestServer.ADMIN_PASSWORD);
    }

    @After
    public void stop() {
        server.close();
    }

    private CommandRun account(Object action, String dn, Object... more) {
        Object[] arguments = new Object[more.length + 9];
        Object[] first = {"account", action, dn, "--url", "ldap://127.0.0.1:" + server.port(), "--password-file", password, "--data",
                folder.getRoot().toPath().resolve("none")};
        System.arraycopy(first, 0, arguments, 0, first.length);
        System.arraycopy(more, 0, arguments, first.length, more.length);
        return CommandRun.of(arguments);
    }

    private void says(String text, CommandRun run) {
        assertTrue(run.toString(), run.succeeds().out().contains(text));
    }

    private ResultCode bind(String secret) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            return connection.bind(DN, secret).getResultCode();
        } catch (LDAPException e) {
            return e.getResultCode();
        }
    }

    private void set(Modification... modifications) throws LDAPException {
        ModifyRequest request = new ModifyRequest(DN, modifications);
        request.addControl(new Control("1.3.6.1.4.1.4203.666.5.12", true));
        try (LDAPConnection admin = server.admin()) {
            admin.modify(request);
        }
    }

    private static Modification replace(String name, String... values) {
        return new Modification(ModificationType.REPLACE, name, values);
    }

    @Test
    public void theAccountOfAUid() throws Exception {
        String uid = DN.replaceAll("uid=([^,]*),.*", "$1");
        says("{\"account\":\"" + DN + "\"", account("status", uid, "--json"));
        says("state       locked by an administrator", account("lock", uid));
        says("state       may log in\n", account("unlock", uid));
        account("lock", "nobody").fails(1, "no entry that may be seen has the uid nobody");
        server.add("uid=" + uid + "," + TestServer.SUFFIX, "objectClass: account");
        account("lock", uid).fails(1, "several entries have the uid " + uid + ": name one by its DN, such as uid=" + uid + ",");
        says("state       may log in\n", account("status", DN));
    }

    @Test
    public void anAccountIsLockedAndUnlocked() throws Exception {
        says("state       may log in\n", account("status", DN));
        says("state       locked by an administrator, until it is unlocked\n", account("lock", DN));
        assertEquals(ResultCode.INVALID_CREDENTIALS, bind(TestServer.USER_PASSWORD));
        says("state       may log in\n", account("unlock", DN));
        assertEquals(ResultCode.SUCCESS, bind(TestServer.USER_PASSWORD));

        set(replace("nsAccountLock", "TRUE"));
        says("out of use (nsAccountLock, ds-pwp-account-disabled or nsRoleDN), until it is unlocked", account("status", DN));
        says("state       may log in\n", account("unlock", DN));
    }

    @Test
    public void aLockAfterWrongPasswordsIsSaidWithItsEnd() throws Exception {
        bind("wrong");
        bind("wrong");
        CommandRun status = account("status", DN).succeeds();
        assertTrue(status.out(), status.out().matches("(?s).*state       locked after wrong passwords since [0-9TZ:-]+, until [0-9TZ:-]+ "
                + "\\(in (59|60) minutes\\)\n.*"));
        says("state       may log in\n", account("unlock", DN));
        assertEquals(ResultCode.SUCCESS, bind(TestServer.USER_PASSWORD));
    }

    @Test
    public void anExpiredAccountHasToChangeItsPassword() throws Exception {
        says("the password has to be changed at the next login", account("expire", DN));
        says("\"mustChange\":true", account("status", DN, "--json"));
        set(replace("pwdReset"), replace("pwdChangedTime", "20200101000000Z"));
        says("the password has expired, and lets its user in 2 more times", account("status", DN));
        String json = account("status", DN, "--json").succeeds().out();
        assertTrue(json, json.startsWith("{\"account\":\"" + DN + "\",\"usable\":false,\"reasons\":[\"the password has expired"));
        assertTrue(json, json.contains("\"graceLogins\":2") && json.contains("\"passwordSet\":\"2020-01-01T00:00:00Z\""));
    }

    @Test
    public void validityAndIdlenessAreSaid() throws Exception {
        set(replace("pwdEndTime", "20200101000000Z"));
        says("not valid since 2020-01-01T00:00:00Z (pwdEndTime)", account("status", DN));
        set(replace("pwdEndTime"), replace("pwdStartTime", "20990101000000Z"));
        says("not valid before 2099-01-01T00:00:00Z (pwdStartTime)", account("status", DN));
        set(replace("pwdStartTime"), replace("pwdLastSuccess", "20200101000000Z"));
        says("not used for longer than the policy allows (pwdMaxIdle)", account("status", DN));
    }

    @Test
    public void wrongCallsAndAnswersAreSaid() throws Exception {
        account("lock", "cn=nobody," + TestServer.SUFFIX).fails(1, "result 32");
        says("state       not told: the entry has no password", account("status", TestServer.SUFFIX));
        says("state       locked by an administrator", account("lock", TestServer.userDn(3)));
        account("burn", DN).fails(2, "burn");
        CommandRun.of("account", "status", DN, "--url", "ldap://127.0.0.1:" + server.port(), "--password-file", password, "--ca", password)
                .fails(1, "start TLS: result ");
        CommandRun.of("account", "status", DN, "--url", "http://localhost", "--password-file", password).fails(2, "expected such as ldaps://");
        Path data = folder.newFolder("others").toPath();
        Files.writeString(data.resolve("admin.password"), Files.readString(password));
        CommandRun.of("account", "status", DN, "--url", "ldap://127.0.0.1:" + server.port(), "--data", data).succeeds();
        CommandRun other = CommandRun.of("account", "status", DN, "--url", "ldap://127.0.0.1:" + server.port(), "--data", data, "--bind-dn", DN);
        assertFalse("the administrator's password was sent as somebody else's: " + other, other.fails(1, "password").err().contains("result "));
        Files.writeString(password, "wrong");
        account("status", DN).fails(1, "result 49");
    }

    /** No password is asked of whom the system knows. */
    @Test
    public void theServersOwnUserLocksWithoutAPassword() throws Exception {
        Path data = folder.newFolder("data").toPath();
        try (TestServer own = new TestServer(settings -> settings.with(draft -> draft.wire = settings.wire().withListeners(List.of(Listener.of(
                Listener.Scheme.LDAP, "127.0.0.1", 0), Listener.of(new UnixSocket(data.resolve("ldapi"),
                PosixFilePermissions.fromString("rw-------"), true))), null)))) {
            says("state       locked by an administrator, until it is unlocked\n", CommandRun.of("account", "lock", DN, "--data", data));
            try (LDAPConnection user = own.anonymous()) {
                assertThrows(LDAPException.class, () -> user.bind(DN, TestServer.USER_PASSWORD));
            }
            says("state       may log in\n", CommandRun.of("account", "unlock", DN, "-H", own.server().urls().get(1), "--data", folder.getRoot()));
            Path users = Files.writeString(folder.newFile("user").toPath(), TestServer.USER_PASSWORD);
            CommandRun.of("account", "lock", DN, "--data", data, "--bind-dn", TestServer.userDn(2), "--password-file", users).fails(1, "result 50");
        }
    }

    @Test
    public void passwordsGoToAServerThatIsTrusted() throws Exception {
        Path tlsFolder = folder.newFolder("tls").toPath();
        try (TestTls tls = new TestTls(tlsFolder, settings -> settings)) {
            Path certificate = tlsFolder.resolve("tls.crt");
            for (String url : List.of("ldaps://127.0.0.1:" + tls.tlsPort(), "ldap://127.0.0.1:" + tls.port())) {
                says("state       may log in\n", CommandRun.of("account", "status", DN, "-H", url, "--ca", certificate, "--password-file",
                        password));
            }
            String ldaps = "ldaps://127.0.0.1:" + tls.tlsPort();
            CommandRun.of("account", "status", DN, "-H", ldaps, "--password-file", password).fails(1, "no TLS with the server");
            CommandRun.of("account", "status", DN, "-H", ldaps, "--ca", password, "--password-file", password).fails(1, "--ca");
        }
        TestAuthority authority = new TestAuthority(tlsFolder);
        authority.signedPair("other", "CN=other", "-ext", "san=dns:other.example.com");
        Path secret = Files.writeString(folder.newFile("secret").toPath(), TestAuthority.PASSWORD);
        try (TestTls tls = new TestTls(tlsFolder, new TlsFiles(null, null, tlsFolder.resolve("other.p12"),
                new TlsFiles.Password(secret, null), null, List.of()),
                settings -> settings, listener -> listener)) {
            CommandRun.of("account", "status", DN, "-H", "ldaps://127.0.0.1:" + tls.tlsPort(), "--ca", authority.file(), "--password-file",
                    password).fails(1, "No subject alternative names");
        }
    }

    private String usability(LDAPConnection connection, String dn) throws LDAPException {
        SearchRequest request = new SearchRequest(dn, SearchScope.BASE, "(objectClass=*)", "1.1");
        request.addControl(new Control("1.3.6.1.4.1.42.2.27.9.5.8", true));
        SearchResultEntry entry = connection.searchForEntry(request);
        Control control = entry.getControl("1.3.6.1.4.1.42.2.27.9.5.8");
        return control == null ? null : java.util.HexFormat.of().formatHex(control.getValue().getValue());
    }

    @Test
    public void unlockingForgetsWrongPasswordsThatAreNotWrittenYet() throws Exception {
        bind("wrong");
        account("unlock", DN).succeeds();
        bind("wrong");
        says("state       may log in\n", account("status", DN));
        bind("wrong");
        says("state       locked after wrong passwords", account("status", DN));
    }

    @Test
    @Proves("1.3.6.1.4.1.42.2.27.9.5.8")
    public void theControlSaysWhatSunsDoes() throws Exception {
        try (LDAPConnection user = server.user(2)) {
            assertEquals("available, does not expire", "8001ff", usability(user, DN));
            set(replace("pwdReset", "TRUE"));
            assertEquals("to be reset", "a1098001008101ff820100", usability(user, DN));
            set(replace("pwdReset"), replace("pwdChangedTime", "20200101000000Z"));
            assertEquals("expired, twice more", "a10c8001008101008201ff830102", usability(user, DN));
            set(replace("pwdChangedTime"), replace("pwdAccountLockedTime", "000001010000Z"));
            assertEquals("inactive", "a1098001ff810100820100", usability(user, DN));
            set(replace("pwdAccountLockedTime"), replace("pwdChangedTime", Instant.now().plusSeconds(3600).toString()
                    .replaceAll("[-:T]|\\.\\d+", "")));
            assertTrue("available for seven days and an hour", usability(user, DN).startsWith("80030"));
            assertEquals("no account", null, usability(user, TestServer.SUFFIX));
        }
    }
}
