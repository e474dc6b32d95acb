package org.alder.server;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPResult;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.alder.partition.testing.Await;
import org.junit.Assume;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

/** Keys that a running server goes by at once although more than a number has to change: where it listens, its certificates, its logs. */
public class LiveKeysTest {
    private static final String FIRST = "ldap://127.0.0.1:0";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start(String text) throws Exception {
        return ConfiguredServer.start(folder.getRoot().toPath(), text);
    }

    private static String replace(LDAPConnection admin, String key, String... values) throws LDAPException {
        return admin.modify("cn=config", new Modification(ModificationType.REPLACE, key, values)).getDiagnosticMessage();
    }

    private static LDAPException refused(ResultCode code, String text, LDAPConnection admin, String key, String... values) {
        LDAPException refusal = assertThrows(LDAPException.class, () -> replace(admin, key, values));
        assertEquals(refusal.getMessage(), code, refusal.getResultCode());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains(text));
        return refusal;
    }

    private static int port(String url) {
        return Integer.parseInt(url.substring(url.lastIndexOf(':') + 1));
    }

    @Test(timeout = Await.MILLIS)
    public void listenersComeAndGoAndConnectionsGoOn() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            int first = server.port();
            assertNull(replace(admin, "listener", FIRST, "ldap://localhost:0 plaintextBind=all"));
            List<String> urls = server.server().urls();
            assertEquals(2, urls.size());
            assertEquals("the first goes on", first, port(urls.get(0)));
            try (LDAPConnection second = new LDAPConnection(TestServer.patience(), "localhost", port(urls.get(1)))) {
                second.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
                assertNull(replace(second, "listener", "ldap://localhost:0"));
                assertEquals(List.of(urls.get(1)), server.server().urls());
                assertThrows(LDAPException.class, () -> new LDAPConnection(TestServer.patience(), "127.0.0.1", first).close());
                assertEquals("who came in there stays", "cn=config", admin.getEntry("cn=config").getDN());
                replace(admin, "sizeLimit", "5");
                try (LDAPConnection again = new LDAPConnection(TestServer.patience(), "localhost", port(urls.get(1)))) {
                    assertEquals("", again.getRootDSE().getDN());
                }
            }
        }
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION)) {
            assertTrue("the folder remembers it", server.server().urls().get(0).startsWith("ldap://localhost:"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whereNobodyCanListenNothingChanges() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            List<String> urls = server.server().urls();
            byte[] before = Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif"));
            refused(ResultCode.UNWILLING_TO_PERFORM, "cannot listen on 127.0.0.1:" + taken.getLocalPort(), admin, "listener", "ldap://localhost:0",
                    "ldap://127.0.0.1:" + taken.getLocalPort());
            assertEquals(urls, server.server().urls());
            assertArrayEquals(new String[] {FIRST}, admin.getEntry("cn=config").getAttributeValues("listener"));
            assertArrayEquals(before, Files.readAllBytes(folder.getRoot().toPath().resolve("data/config.ldif")));
            refused(ResultCode.CONSTRAINT_VIOLATION, "ldaps:// and tls: none", admin, "listener", "ldaps://127.0.0.1:0");
            try (LDAPConnection other = server.anonymous()) {
                assertEquals("", other.getRootDSE().getDN());
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatCannotBeWrittenListensNowhere() throws Exception {
        boolean[] full = {false};
        try (ConfiguredServer server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + ConfiguredServer.PARTITION,
                (file, content) -> {
                    if (full[0]) {
                        throw new IOException("No space left on device");
                    }
                    Files.write(file, content);
                }); LDAPConnection admin = server.admin()) {
            full[0] = true;
            Path socket = folder.getRoot().toPath().resolve("s");
            Assume.assumeTrue("no room for a socket's path", socket.toString().length() < 100);
            String url = "ldapi://" + socket.toString().replace("/", "%2F");
            refused(ResultCode.UNWILLING_TO_PERFORM, "No space left", admin, "listener", FIRST, url);
            assertFalse(Files.exists(socket));
            assertEquals(1, server.server().urls().size());
            full[0] = false;
            assertNull(replace(admin, "listener", FIRST, url));
            assertTrue(Files.exists(socket));
            assertNull(replace(admin, "listener", FIRST));
            assertFalse(Files.exists(socket));
        }
    }

    private static String tls(LDAPConnection admin, Path pair) throws LDAPException {
        return admin.modify("cn=config", new Modification(ModificationType.REPLACE, "tlsCertificateFile", pair.resolve("tls.crt").toString()),
                new Modification(ModificationType.REPLACE, "tlsKeyFile", pair.resolve("tls.key").toString())).getDiagnosticMessage();
    }

    private LDAPConnection ldaps(ConfiguredServer server, Path pair) throws Exception {
        SSLContext context = TestTls.clientContext(Files.readString(pair.resolve("tls.crt")), "TLS");
        return new LDAPConnection(context.getSocketFactory(), TestServer.patience(), "127.0.0.1", port(server.server().urls().get(1)));
    }

    @Test(timeout = Await.MILLIS)
    public void newConnectionsHaveTheCertificateThatIsNamedNow() throws Exception {
        Path data = Files.createDirectory(folder.getRoot().toPath().resolve("data"));
        Path pair = folder.newFolder("pair").toPath();
        TestTls.writePair(pair, Instant.now().minusSeconds(3600), 30);
        String text = ConfiguredServer.SERVER.replace("tls: none\n", "") + "listener: ldaps://127.0.0.1:0\n" + ConfiguredServer.PARTITION;
        try (ConfiguredServer server = start(text); LDAPConnection admin = server.admin(); LDAPConnection before = ldaps(server, data)) {
            refused(ResultCode.CONSTRAINT_VIOLATION, "tlsCertificateFile", admin, "tlsCertificateFile", "/nowhere");
            refused(ResultCode.CONSTRAINT_VIOLATION, "expected tlsAuthorityFile", admin, "tlsClientCertificate", "required");
            ldaps(server, data).close();
            assertNull(tls(admin, pair));
            ldaps(server, pair).close();
            assertThrows(LDAPException.class, () -> ldaps(server, data).close());
            assertEquals("an open connection goes on", "", before.getRootDSE().getDN());

            assertNull(replace(admin, "tlsProtocol", "TLSv1.2"));
            try (LDAPConnection older = ldaps(server, pair)) {
                assertEquals("TLSv1.2", older.getSSLSession().getProtocol());
            }
            LDAPResult result = admin.modify("cn=config", new Modification(ModificationType.REPLACE, "tlsAuthorityFile", pair.resolve("tls.crt").toString()),
                    new Modification(ModificationType.REPLACE, "tlsClientCertificate", "required"));
            assertNull(result.getDiagnosticMessage());
            assertThrows("without a certificate", LDAPException.class, () -> ldaps(server, pair).getRootDSE());
        }
    }

    /** What goes together is there together, after the next start. */
    @Test(timeout = Await.MILLIS)
    public void withAnotherValueOfTlsWhatBelongsToItWaits() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            LDAPResult result = admin.modify("cn=config", new Modification(ModificationType.REPLACE, "tls", "on"),
                    new Modification(ModificationType.REPLACE, "listener", FIRST, "ldaps://127.0.0.1:0"),
                    new Modification(ModificationType.REPLACE, "sizeLimit", "3"));
            assertEquals("takes effect at the next start: listener (what belongs to TLS comes and goes together with tls); tls (connections, ports and "
                    + "certificates go by it together)", result.getDiagnosticMessage());
            assertEquals(1, server.server().urls().size());
            assertNull("others do not wait with it", replace(admin, "sizeLimit", "4"));
        }
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION)) {
            assertEquals(2, server.server().urls().size());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void anAuditLogBeginsWhenItIsAskedFor() throws Exception {
        Path file = folder.getRoot().toPath().resolve("data/audit/audit.jsonl");
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "audit: off\n" + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            assertFalse(Files.exists(file));
            assertNull(replace(admin, "audit", "writes"));
            replace(admin, "sizeLimit", "5");
            Await.until("the change to be audited", () -> Files.exists(file) && Files.readString(file).contains("configurationChanged")
                    && Files.readString(file).contains("sizeLimit"));
            replace(admin, "audit", "off");
            replace(admin, "sizeLimit", "6");
        }
        String told = Files.readString(file);
        assertTrue("that it ends is told", told.contains("replace audit off"));
        assertFalse(told, told.contains("sizeLimit 6"));
    }

    /** A log that cannot be written is no log: the change is refused. */
    @Test(timeout = Await.MILLIS)
    public void anAuditLogThatCannotBeWrittenIsRefused() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "audit: off\n" + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            Path file = folder.getRoot().toPath().resolve("data/audit");
            Files.writeString(file, "no folder");
            refused(ResultCode.UNWILLING_TO_PERFORM, "the audit log", admin, "audit", "all");
            assertEquals("off", admin.getEntry("cn=config").getAttributeValue("audit"));
            Files.delete(file);
            assertNull(replace(admin, "audit", "all"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void theLogSaysMoreWhereItIsAskedTo() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            boolean before = LoggerFactory.getLogger("org.alder.nobody").isDebugEnabled();
            assertNull(replace(admin, "logLevel", "error", "trace org.alder.nobody"));
            assertTrue(LoggerFactory.getLogger("org.alder.nobody").isTraceEnabled());
            assertFalse(LoggerFactory.getLogger("org.alder.somebody").isWarnEnabled());
            refused(ResultCode.INVALID_ATTRIBUTE_SYNTAX, "logLevel", admin, "logLevel", "debug org.apache.mina");
            refused(ResultCode.CONSTRAINT_VIOLATION, "a second line for org.alder", admin, "logLevel", "debug", "info");
            assertTrue(LoggerFactory.getLogger("org.alder.nobody").isTraceEnabled());
            admin.modify("cn=config", new Modification(ModificationType.DELETE, "logLevel"));
            assertEquals(before, LoggerFactory.getLogger("org.alder.nobody").isDebugEnabled());
            assertTrue(LoggerFactory.getLogger("org.alder.somebody").isWarnEnabled());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void otherWordsAreNoPasswords() throws Exception {
        Path words = Files.writeString(folder.getRoot().toPath().resolve("words.txt"), "quite unheard of\n");
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + ConfiguredServer.PARTITION); LDAPConnection admin = server.admin()) {
            assertNull(replace(admin, "passwordPolicyDictionaryFile", words.toString()));
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
            admin.add("dn: uid=u," + TestServer.SUFFIX, "objectClass: account", "objectClass: simpleSecurityObject", "uid: u",
                    "userPassword: " + TestServer.USER_PASSWORD);
            try (LDAPConnection user = server.anonymous()) {
                user.bind("uid=u," + TestServer.SUFFIX, TestServer.USER_PASSWORD);
                Modification unheardOf = new Modification(ModificationType.REPLACE, "userPassword", "quite unheard of");
                LDAPException refusal = assertThrows(LDAPException.class, () -> user.modify("uid=u," + TestServer.SUFFIX, unheardOf));
                assertEquals(ResultCode.CONSTRAINT_VIOLATION, refusal.getResultCode());
                assertNull(replace(admin, "passwordPolicyDictionaryFile"));
                user.modify("uid=u," + TestServer.SUFFIX, unheardOf);
            }
        }
    }

    /** A bind hashes a password, which takes more than a millisecond, and less than an hour. */
    @Test(timeout = Await.MILLIS)
    public void fromWhenOnAnOperationIsSlow() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "slowMillis: 3600000\n" + ConfiguredServer.PARTITION);
                LDAPConnection admin = server.admin(); LDAPConnection user = server.anonymous()) {
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
            admin.add("dn: uid=u," + TestServer.SUFFIX, "objectClass: account", "objectClass: simpleSecurityObject", "uid: u",
                    "userPassword: " + TestServer.USER_PASSWORD);
            user.bind("uid=u," + TestServer.SUFFIX, TestServer.USER_PASSWORD);
            assertEquals(0, slowBinds(admin));
            assertNull(replace(admin, "slowMillis", "1"));
            user.bind("uid=u," + TestServer.SUFFIX, TestServer.USER_PASSWORD);
            Await.until("the bind to be counted", () -> slowBinds(admin) == 1);
        }
    }

    private static long slowBinds(LDAPConnection admin) throws LDAPException {
        return admin.getEntry("cn=bind,cn=operations,cn=Monitor").getAttributeValueAsLong("alderSlow");
    }
}
