package org.alder.server.assembly;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.alder.server.ServerSettings;
import org.alder.server.TestServer;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.ConfigurationReader;
import org.alder.server.access.AccessRule;
import org.alder.server.audit.AccessLogSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.audit.ShownValues;
import org.alder.server.http.HttpSettings;
import org.alder.server.access.Limit;
import org.alder.server.access.LimitKind;
import org.alder.server.config.ServerConfiguration;
import org.alder.server.directory.guard.Limits;
import org.alder.server.policy.PasswordPolicy;
import org.alder.server.policy.PasswordQuality;
import org.alder.server.policy.PolicyError;
import org.alder.server.policy.PolicySettings;
import org.alder.server.login.TestKeytab;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ServerAssemblyTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private ServerConfiguration configuration(String lines) throws Exception {
        Path file = temporary.getRoot().toPath().resolve("test.ldif");
        return ConfigurationReader.read(Files.writeString(file, "dn: cn=config\nobjectClass: alderServer\n" + lines));
    }

    private ServerSettings settings(String lines) throws Exception {
        return ServerAssembly.settings(configuration(lines + "tls: none\n"), new DataFolder(Path.of("data")), TestServer.SCHEMA, List.of(),
                new byte[] {1}, null, null);
    }

    private static List<String> texts(ServerSettings settings) {
        return settings.accessRules().stream().map(AccessRule::text).toList();
    }

    @Test
    public void aServerOfADefaultConfigurationIsOneThatAProgramMakes() throws Exception {
        ServerSettings found = settings("");
        ServerSettings expected = ServerSettings.of("127.0.0.1", 10389, TestServer.SCHEMA, List.of(), found.administrator());
        assertEquals("but for the socket in its data folder", expected.wire(),
                found.wire().withListeners(found.wire().listeners().subList(0, 1), null));
        assertEquals(expected.limits(), found.limits());
        assertEquals(expected.transactionLimits(), found.transactionLimits());
        assertEquals(expected.workerThreads(), found.workerThreads());
        assertEquals(expected.passwordPolicy().policy(), found.passwordPolicy().policy());
        assertEquals(texts(expected), texts(found));
        assertEquals(expected.memory().operationBytes(), found.memory().operationBytes(), 1);
        assertEquals(expected.memory().unfinishedBytes(), found.memory().unfinishedBytes(), 1);
    }

    @Test
    public void theHttpPortAndTheAccessLogAreWhatTheKeysSay() throws Exception {
        assertNull(settings("").http());
        assertEquals(new HttpSettings("127.0.0.1", 9389, null, false), settings("httpListener: http://127.0.0.1\n").http());
        assertEquals(new HttpSettings("::1", 0, null, false), settings("httpListener: HTTP://[::1]:0/\n").http());
        assertEquals(new HttpSettings("localhost", 9389, null, true), settings("httpListener: http://localhost\nhttpConsole: true\n").http());
        for (String wrong : List.of("httpConsole: true\n", "httpConsole: true\nhttpListener: http://192.0.2.1\n")) {
            String message = assertThrows(wrong, ConfigurationException.class, () -> settings(wrong)).getMessage();
            assertTrue(message, message.contains("test.ldif, line 3") && message.contains("httpConsole is true"));
        }
        assertEquals(AccessLogSettings.Told.OFF, settings("").accessLog().told());
        AccessLogSettings log = settings("accessLog: slow\naccessLogValues: none\naccessLogBytes: 8m\nslowMillis: 20\naccessLogFile: /log/a.jsonl\n").accessLog();
        assertEquals(new AccessLogSettings(AccessLogSettings.Told.SLOW, new LogFiles(Path.of("/log/a.jsonl"), 1 << 20, 0, 7), ShownValues.NONE, 20_000), log);
        for (String wrong : List.of("httpListener: 127.0.0.1:9389", "httpListener: http://127.0.0.1:65536", "httpListener: http://x/metrics",
                "httpListener: https://127.0.0.1", "accessLog: some", "accessLogValues: half", "accessLogBytes: 1k", "slowMillis: 0")) {
            String message = assertThrows(wrong, ConfigurationException.class, () -> settings(wrong + "\n")).getMessage();
            assertTrue(message, message.contains("test.ldif, line 3") && message.contains(wrong.replaceAll(":.*", "")));
        }
    }

    @Test
    public void whatTheKeysSayArrives() throws Exception {
        ServerSettings found = settings("listenPort: 7\nmaxRequestBytes: 2m\nmaxRequestBytesBeforeBind: 2k\nwriteHighWaterBytes: 8k\n"
                + "maxConnections: 9\nidleTimeoutSeconds: 11\ntransactionSeconds: 12\nanonymousAccess: all\nworkerThreads: 3\n");
        assertEquals(7, found.wire().listeners().get(0).port());
        assertEquals(List.of(2 << 10, 2 << 20, 8 << 10, 2 << 10), List.of(found.wire().messageBytesBeforeBind(),
                found.wire().messageBytes(), found.wire().highWaterBytes(), found.wire().lowWaterBytes()));
        assertEquals(List.of(9, 4, 11), List.of(found.wire().limits().connections(), found.wire().limits().connectionsPerAddress(),
                found.wire().limits().idleSeconds()));
        assertEquals(12, found.transactionLimits().seconds());
        assertTrue(texts(found).contains("grant view to anyone"));
        assertEquals(3, found.workerThreads());
    }

    @Test
    public void theLimitsAreWhatKeysAndRulesSay() throws Exception {
        Limits found = settings("sizeLimit: 50\nsizeLimitUnasked: 5\ntimeLimitSecondsUnasked: 9\nlimitRule: size=7 to users\n").limits();
        assertEquals(new Limit(5, 50, "sizeLimitUnasked and sizeLimit"), found.general().get(LimitKind.SIZE));
        assertEquals(new Limit(9, 600, "timeLimitSecondsUnasked and timeLimitSeconds"), found.general().get(LimitKind.TIME));
        assertEquals(1, found.rules().size());
        ConfigurationException refusal = assertThrows(ConfigurationException.class,
                () -> settings("limitRule: size=7 to users\nsizeLimit: 1\nlimitRule: size=7/6 to users\n"));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("test.ldif, line 5, limitRule: column 1: expected"));
    }

    @Test
    public void thePasswordPolicyIsWhatTheKeysSay() throws Exception {
        PolicySettings found = settings("passwordPolicyEntry: cn=policy,dc=a\npasswordPolicyMaxFailures: 3\n"
                + "passwordPolicyLockoutSeconds: 7\npasswordPolicyMostLockoutSeconds: 0\npasswordPolicyFailureSeconds: 9\n"
                + "passwordPolicyTellLocks: true\nlastLoginSeconds: 0\npasswordPolicyMaxAgeSeconds: 100\n"
                + "passwordPolicyWarningSeconds: 10\npasswordPolicyGraceLogins: 2\npasswordPolicyMaxIdleSeconds: 11\n").passwordPolicy();
        assertEquals(TestServer.dn("cn=policy,dc=a"), found.entry());
        assertTrue(found.tellsLocks());
        assertEquals(0, found.lastLoginSeconds());
        assertEquals(new PasswordPolicy.Lockout(true, 3, 9, 7, 7, 0, 0, 15), found.policy().lockout());
        assertEquals(new PasswordPolicy.Aging(100, 10, 2, 0, 11), found.policy().aging());
        assertSame(PasswordPolicy.NONE, settings("passwordPolicy: none\n").passwordPolicy().policy());
    }

    @Test
    public void whatPasswordsMayBeIsWhatTheKeysSay() throws Exception {
        Path words = temporary.newFile("words.txt").toPath();
        Files.writeString(words, "zauberlehrling\n");
        PasswordQuality quality = settings("passwordPolicyMinClasses: 2\npasswordPolicyOwnNames: false\n"
                + "passwordPolicyDictionaryFile: " + words + '\n').passwordPolicy().quality();
        for (String bad : List.of("zauberlehrling-1", "Password1", "onlysmallletters")) {
            assertEquals(bad, PolicyError.INSUFFICIENT_PASSWORD_QUALITY,
                    quality.judge(bad.getBytes(StandardCharsets.UTF_8), List.of("frosch")).error());
        }
        assertNull(quality.judge("frosch-teich-1".getBytes(StandardCharsets.UTF_8), List.of("frosch")));
        Files.write(words, new byte[] {'a', '\n', (byte) 0xFF});
        for (Path each : List.of(words, words.resolveSibling("missing.txt"), words.getParent())) {
            ConfigurationException refusal = assertThrows(ConfigurationException.class,
                    () -> settings("sizeLimit: 1\npasswordPolicyDictionaryFile: " + each + '\n'));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("test.ldif, line 4, passwordPolicyDictionaryFile: ")
                    && refusal.getMessage().contains(each.toString()));
        }
    }

    @Test
    public void aPasswordPolicyThatCannotBeIsRefusedByTheLineOfItsKey() {
        for (String lines : List.of("passwordPolicyEntry: policy", "passwordPolicyMinLength: -1", "passwordPolicyMaxFailures: many",
                "passwordPolicyMinLength: 9\npasswordPolicyMaxLength: 8", "passwordPolicy: off",
                "passwordPolicyWarningSeconds: 9\npasswordPolicyMaxAgeSeconds: 8")) {
            ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> settings("sizeLimit: 1\n" + lines + '\n'));
            String key = lines.substring(0, lines.indexOf(':'));
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("test.ldif, line 4, " + key));
        }
    }

    @Test
    public void anAdministratorThatIsNoDnIsRefusedByTheLineOfItsKey() {
        ConfigurationException refusal = assertThrows(ConfigurationException.class,
                () -> settings("sizeLimit: 1\nadministratorDn: boss\n"));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("test.ldif, line 4, administratorDn: "));
    }

    private void refused(String lines, String message) {
        ConfigurationException refusal = assertThrows(ConfigurationException.class, () -> settings(lines));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(message));
    }

    @Test
    public void aKeytabThatCannotBeUsedIsRefusedByTheLineOfItsKey() throws Exception {
        Path folder = temporary.getRoot().toPath();
        String principal = "kerberosPrincipal: ldap/localhost@EXAMPLE.COM\n";
        TestKeytab.write(folder.resolve("ldap.keytab"), "ldap/localhost", "EXAMPLE.COM");
        Files.writeString(folder.resolve("text.keytab"), "no keytab");
        Files.write(folder.resolve("empty.keytab"), new byte[0]);
        assertNotNull(settings(principal + "kerberosKeytabFile: ldap.keytab\n").sasl().kerberos());
        assertNull(settings("").sasl().kerberos());
        refused(principal + "kerberosKeytabFile: none.keytab\n", "test.ldif, line 4, kerberosKeytabFile: ");
        for (String file : List.of("text.keytab", "empty.keytab")) {
            refused(principal + "kerberosKeytabFile: " + file + "\n", file + " is no keytab with a key of ldap/localhost@EXAMPLE.COM");
        }
        for (String other : List.of("ldap/other@EXAMPLE.COM", "ldap/localhost@OTHER")) {
            refused("kerberosKeytabFile: ldap.keytab\nkerberosPrincipal: " + other + "\n", "line 3, kerberosKeytabFile: ");
        }
        refused("kerberosKeytabFile: ldap.keytab\nkerberosPrincipal: ldap\n", "line 4, kerberosPrincipal");
        refused(principal, "line 3, kerberosPrincipal: expected kerberosKeytabFile");
        refused("kerberosKeytabFile: ldap.keytab\n", "line 3, kerberosKeytabFile: expected kerberosPrincipal");
    }
}
