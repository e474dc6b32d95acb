package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.BindResult;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SimpleBindRequest;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ErrorType;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10RequestControl;
import com.unboundid.ldap.sdk.experimental.DraftBeheraLDAPPasswordPolicy10ResponseControl;
import com.unboundid.ldap.sdk.extensions.PasswordModifyExtendedRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Every login is what it was at the server that the accounts come from: who was let in is, who was locked, disabled or expired is
 * not, and who had to change the password has to. The LDIF files of {@code src/test/resources/passwords} say where they come from,
 * and in the names of the users what is expected: in-..., out-..., must-change..., and grace-N for who gets in with an expired
 * password, and may do so N more times.
 */
public class ImportedAccountsTest {
    private static final Path FILES = Path.of("src", "test", "resources", "passwords");
    private static final String SUFFIX = "dc=example,dc=com";

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path data;
    private Path configuration;

    private void load(String file, String... keys) throws Exception {
        data = temporary.getRoot().toPath().resolve("data");
        configuration = Files.writeString(temporary.getRoot().toPath().resolve("accounts.ldif"), """
                dn: cn=config
                objectClass: alderServer
                passwordScheme: pbkdf2Sha512
                pbkdf2Rounds: 4096
                """ + String.join("\n", keys) + "\n\n" + """
                dn: cn=example,cn=config
                objectClass: alderPartition
                suffix: dc=example,dc=com
                """);
        CommandRun.of("import", "--data", data, "--conf", configuration, FILES.resolve(file)).succeeds();
    }

    private static String dn(String name) {
        return "uid=" + name + "," + SUFFIX;
    }

    /** What its name begins with. */
    private static String expected(String name) {
        return List.of("in", "out", "must-change").stream().filter(name::startsWith).findFirst().orElse(name);
    }

    private static String outcome(LDAPConnection connection, String name) throws LDAPException {
        LDAPResult result;
        try {
            result = connection.bind(new SimpleBindRequest(dn(name), "password", new DraftBeheraLDAPPasswordPolicy10RequestControl()));
        } catch (LDAPException e) {
            assertEquals(name, ResultCode.INVALID_CREDENTIALS, e.getResultCode());
            return "out";
        }
        DraftBeheraLDAPPasswordPolicy10ResponseControl policy = DraftBeheraLDAPPasswordPolicy10ResponseControl.get((BindResult) result);
        if (policy != null && policy.getErrorType() == DraftBeheraLDAPPasswordPolicy10ErrorType.CHANGE_AFTER_RESET) {
            // It is more than a message.
            LDAPException refusal = assertThrows(name, LDAPException.class, () -> connection.getEntry(SUFFIX));
            assertEquals(name, ResultCode.INSUFFICIENT_ACCESS_RIGHTS, refusal.getResultCode());
            return "must-change";
        }
        return policy == null || policy.getWarningType() == null ? "in" : "grace-" + policy.getWarningValue();
    }

    /** Logs in as all of a file. */
    private void check(String file, int users) throws Exception {
        Map<String, String> expected = new LinkedHashMap<>();
        Map<String, String> found = new LinkedHashMap<>();
        List<String> names = Files.readAllLines(FILES.resolve(file)).stream().filter(line -> line.startsWith("uid: "))
                .map(line -> line.substring("uid: ".length())).toList();
        assertEquals(users, names.size());
        try (ServerProcess server = ServerProcess.start(data, "--conf", configuration)) {
            for (String name : names) {
                try (LDAPConnection connection = server.admin()) {
                    expected.put(name, expected(name));
                    found.put(name, outcome(connection, name));
                }
            }
        }
        assertEquals(expected, found);
    }

    @Test
    public void whatSlapcatPrints() throws Exception {
        load("slapd-accounts.ldif", "passwordPolicyEntry: cn=default," + SUFFIX);
        check("slapd-accounts.ldif", 22);
    }

    /** As docs/password-policy.md says what 389's settings are here. */
    private static final String[] OF_389 = {"passwordPolicyMaxAgeSeconds: 31536000", "passwordPolicyGraceLogins: 3",
            "passwordPolicyMustChange: true", "passwordPolicyMaxFailures: 3", "passwordPolicyHistory: 3"};

    @Test
    public void what389Keeps() throws Exception {
        load("389-accounts.ldif", OF_389);
        check("389-accounts.ldif", 20);
    }

    @Test
    public void whatOpenDjKeeps() throws Exception {
        load("opendj-accounts.ldif", "passwordPolicyMaxAgeSeconds: 31536000", "passwordPolicyGraceLogins: 3",
                "passwordPolicyMaxIdleSeconds: 31536000");
        check("opendj-accounts.ldif", 11);
    }

    @Test
    public void whatFreeIpaKeeps() throws Exception {
        load("freeipa-accounts.ldif");
        check("freeipa-accounts.ldif", 4);
    }

    private static ResultCode change(LDAPConnection connection, String name, String from, String to) throws LDAPException {
        connection.bind(dn(name), from);
        return connection.processExtendedOperation(new PasswordModifyExtendedRequest(from, to)).getResultCode();
    }

    private static List<String> left(LDAPConnection admin, String name) throws LDAPException {
        return admin.getEntry(dn(name), "passwordExpirationTime", "passwordGraceUserTime", "accountUnlockTime", "pwdReset", "nsRoleDN",
                "nsAccountLock").getAttributes().stream().map(attribute -> attribute.getName()).sorted().toList();
    }

    /** What 389 has noted holds until a new password, or an administrator, says something else. */
    @Test
    public void what389HasNotedGoesWithTheNextChange() throws Exception {
        load("389-accounts.ldif", OF_389);
        try (ServerProcess server = ServerProcess.start(data, "--conf", configuration); LDAPConnection user = server.admin();
                LDAPConnection admin = server.admin()) {
            assertEquals(ResultCode.SUCCESS, change(user, "must-change-reset", "password", "river stone 7"));
            assertEquals(ResultCode.SUCCESS, user.bind(dn("must-change-reset"), "river stone 7").getResultCode());
            assertEquals(SUFFIX, user.getEntry(SUFFIX).getDN());
            assertEquals(List.of(), left(admin, "must-change-reset"));

            assertEquals(ResultCode.SUCCESS, change(user, "grace-0", "password", "river stone 7"));
            assertEquals("in", outcomeOf(user, "grace-0", "river stone 7"));
            assertEquals(List.of(), left(admin, "grace-0"));

            assertEquals("an old one", ResultCode.CONSTRAINT_VIOLATION, change(user, "in-history", "password", "old river stone"));
            assertEquals(ResultCode.SUCCESS, change(user, "in-history", "password", "river stone 7"));
            assertEquals("still an old one", ResultCode.CONSTRAINT_VIOLATION, change(user, "in-history", "river stone 7", "old river stone"));

            for (String name : List.of("out-unlock-never", "out-role-small", "out-locked")) {
                CommandRun.of("account", "unlock", dn(name), "--data", data, "--conf", configuration, "--url", "ldap://127.0.0.1:"
                        + server.port()).succeeds();
                assertEquals(name, "in", outcomeOf(user, name, "password"));
            }
            assertEquals("other roles stay", List.of("nsRoleDN"), left(admin, "out-role-small"));
            assertTrue(admin.getEntry(dn("out-role-small"), "nsRoleDN").hasAttributeValue("nsRoleDN", "cn=staff," + SUFFIX));
        }
    }

    private static String outcomeOf(LDAPConnection connection, String name, String password) throws LDAPException {
        for (Control control : connection.bind(dn(name), password).getResponseControls()) {
            return control.getOID();
        }
        return "in";
    }
}
