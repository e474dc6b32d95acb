package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.AddRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.ExtendedRequest;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Requirement;
import org.alder.partition.testing.Seed;
import org.alder.server.tls.TlsContexts;
import org.alder.server.tls.TlsFiles;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** TLS on the LDAP port and on its own, with clients of the JDK. */
public class TlsTest {
    private static final String START_TLS = "1.3.6.1.4.1.1466.20037";
    private static final ExtendedRequestProtocolOp REQUEST = new ExtendedRequestProtocolOp(START_TLS, null);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestTls tls;

    @Before
    public void start() throws Exception {
        tls = new TestTls(folder.getRoot().toPath(), settings -> settings);
    }

    @After
    public void stop() {
        tls.close();
    }

    private static SearchRequestProtocolOp rootDse() throws LDAPException {
        return new SearchRequestProtocolOp("", SearchScope.BASE, DereferencePolicy.NEVER, 0, 0, false,
                Filter.createPresenceFilter("objectClass"), List.of("1.1"));
    }

    private static ResultCode answer(LDAPConnection connection, ExtendedRequest request) {
        return assertThrows(LDAPException.class, () -> connection.processExtendedOperation(request)).getResultCode();
    }

    private static int users(LDAPConnection connection) throws LDAPException {
        return connection.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.*)").getEntryCount();
    }

    @Test
    @Requirement(rfc = 4511, section = "4.14", text = "StartTLS: the answer comes in clear, and all that follows is TLS")
    @Proves(START_TLS)
    public void tlsStartsOnTheLdapPort() throws Exception {
        for (String protocol : TestTls.PROTOCOLS) {
            try (LDAPConnection connection = tls.startTls(tls.clientContext(protocol))) {
                assertEquals(protocol, connection.getSSLSession().getProtocol());
                connection.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
                assertEquals(TestServer.USERS, users(connection));
            }
        }
    }

    @Test
    @Requirement(rfc = 4513, section = "2", text = "A server that takes names and passwords can protect them with TLS")
    public void ldapsSpeaksTlsFromTheFirstByteOn() throws Exception {
        for (String protocol : TestTls.PROTOCOLS) {
            try (LDAPConnection connection = tls.ldaps(tls.clientContext(protocol))) {
                assertEquals(protocol, connection.getSSLSession().getProtocol());
                connection.bind(TestServer.userDn(1), TestServer.USER_PASSWORD);
                assertEquals(TestServer.USERS, users(connection));
            }
        }
    }

    @Test
    public void keysOfAllKindsServeBothVersions() throws Exception {
        Path root = folder.getRoot().toPath();
        TlsFiles.Password password = new TlsFiles.Password(Files.writeString(root.resolve("password"), TestAuthority.PASSWORD), null);
        for (String kind : List.of("RSA", "RSASSA-PSS", "EC", "Ed25519")) {
            Path store = root.resolve(kind + ".p12");
            ToolRun.keytool("-genkeypair", "-keystore", store, "-storetype", "PKCS12", "-storepass", TestAuthority.PASSWORD, "-alias", kind,
                    "-keyalg", kind, "-dname", "CN=" + kind, "-ext", "san=ip:127.0.0.1");
            KeyStore read = KeyStore.getInstance(store.toFile(), TestAuthority.PASSWORD.toCharArray());
            String certificate = "-----BEGIN CERTIFICATE-----\n" + Base64.getMimeEncoder().encodeToString(read.getCertificate(kind).getEncoded())
                    + "\n-----END CERTIFICATE-----\n";
            tls.close();
            tls = new TestTls(root, new TlsFiles(null, null, store, password, null, List.of()), settings -> settings, listener -> listener);
            for (String protocol : TestTls.PROTOCOLS) {
                try (LDAPConnection connection = tls.ldaps(TestTls.clientContext(certificate, protocol))) {
                    assertEquals(kind, protocol, connection.getSSLSession().getProtocol());
                    assertNotNull(kind, connection.getRootDSE());
                }
            }
        }
    }

    @Test
    public void largeRequestsAndAnswersGoThroughInPieces() throws Exception {
        String value = "x".repeat(700_000);
        for (String protocol : TestTls.PROTOCOLS) {
            try (LDAPConnection connection = tls.ldaps(tls.clientContext(protocol))) {
                connection.bind(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
                String dn = "cn=large " + protocol + "," + TestServer.SUFFIX;
                connection.add("dn: " + dn, "objectClass: device", "cn: large " + protocol, "description: " + value);
                assertEquals(value, connection.getEntry(dn).getAttributeValue("description"));
            }
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.14.1", text = "StartTLS while the connection has TLS is refused with operationsError")
    public void tlsDoesNotStartTwice() throws Exception {
        SSLContext context = tls.clientContext("TLSv1.3");
        try (LDAPConnection connection = tls.startTls(context); LDAPConnection second = tls.ldaps(context)) {
            for (LDAPConnection each : List.of(connection, second)) {
                assertEquals(ResultCode.OPERATIONS_ERROR, answer(each, new ExtendedRequest(START_TLS)));
                assertNotNull("and the connection lives", each.getRootDSE());
            }
        }
    }

    @Test
    @Requirement(rfc = 4511, section = "4.14.1", text = "StartTLS while other requests are outstanding is refused with operationsError")
    public void tlsDoesNotStartWhileARequestIsOutstanding() throws Exception {
        try (RawClient client = new RawClient(tls.port())) {
            client.bindAsAdmin();
            // Goes on with changes, and is not answered.
            client.send(RawClient.bytes(2, new SearchRequestProtocolOp(TestServer.SUFFIX, SearchScope.BASE, DereferencePolicy.NEVER,
                    0, 0, false, Filter.createPresenceFilter("objectClass"), List.of("1.1")),
                    new PersistentSearchRequestControl(
                            PersistentSearchChangeType.allChangeTypes(), true, true)));
            client.send(RawClient.bytes(3, REQUEST));
            LDAPMessage answer = client.read();
            assertEquals(3, answer.getMessageID());
            assertEquals(ResultCode.OPERATIONS_ERROR.intValue(), answer.getExtendedResponseProtocolOp().getResultCode());
            client.send(RawClient.bytes(4, rootDse()));
            assertEquals(4, client.read().getMessageID());
        }
    }

    @Test
    public void aRequestForTlsHasNoValue() throws Exception {
        try (LDAPConnection connection = tls.server().anonymous()) {
            assertEquals(ResultCode.PROTOCOL_ERROR, answer(connection, new ExtendedRequest(START_TLS, new ASN1OctetString("x"))));
        }
    }

    /** What somebody on the way sends behind the client's request would else be done as if it had come through TLS. */
    @Test
    @Requirement(rfc = 4511, section = "4.14.1", text = "Nothing that follows a request for TLS in clear is done")
    public void nothingThatFollowsTheRequestForTlsInClearIsDone() throws Exception {
        AddRequestProtocolOp add = new AddRequestProtocolOp(
                "ou=injected," + TestServer.SUFFIX, List.of(new Attribute("objectClass", "organizationalUnit")));
        try (RawClient client = new RawClient(tls.port())) {
            client.bindAsAdmin();
            client.send(RawClient.bytes(2, REQUEST), RawClient.bytes(3, add));
            LDAPMessage last = client.readToEnd();
            assertEquals("a notice of disconnection", 0, last.getMessageID());
            assertEquals(ResultCode.PROTOCOL_ERROR.intValue(), last.getExtendedResponseProtocolOp().getResultCode());
        }
        byte[] request = RawClient.bytes(3, add);
        try (RawClient client = new RawClient(tls.port())) {
            client.bindAsAdmin();
            byte[] start = new byte[3];
            System.arraycopy(request, 0, start, 0, start.length);
            client.send(RawClient.bytes(2, REQUEST), start);
            assertEquals("a part of a message is too much", 0, client.readToEnd().getMessageID());
        }
        try (RawClient client = new RawClient(tls.port())) {
            client.bindAsAdmin();
            client.send(RawClient.bytes(2, REQUEST));
            assertEquals(2, client.read().getMessageID());
            client.send(request);
            assertThrows("what comes later in clear is no TLS", Exception.class, () -> {
                client.readToEnd();
                throw new IOException("closed");
            });
        }
        try (LDAPConnection connection = tls.server().admin()) {
            assertNull(connection.getEntry("ou=injected," + TestServer.SUFFIX));
        }
    }

    @Test
    public void olderVersionsAreNotSpoken() throws Exception {
        for (String protocol : List.of("TLSv1", "TLSv1.1")) {
            try (Socket socket = new Socket("127.0.0.1", tls.tlsPort())) {
                socket.setSoTimeout(Await.SECONDS * 1000);
                // The JDK's client does not speak them either: a hello as an old one sends it.
                byte minor = (byte) (protocol.equals("TLSv1") ? 1 : 2);
                byte[] hello = new byte[52];
                System.arraycopy(new byte[] {22, 3, 1, 0, 47, 1, 0, 0, 43, 3, minor}, 0, hello, 0, 11);
                System.arraycopy(new byte[] {0, 0, 4, (byte) 0xC0, 0x13, 0, 0x2F, 1, 0}, 0, hello, 43, 9);
                socket.getOutputStream().write(hello);
                InputStream in = socket.getInputStream();
                assertEquals("an alert", 21, in.read());
                byte[] alert = in.readNBytes(6);
                assertEquals("fatal", 2, alert[4]);
                assertEquals("protocol_version", 70, alert[5]);
                assertEquals(-1, in.read());
            }
        }
    }

    @Test
    public void damagedHandshakesEndOneConnectionEach() throws Exception {
        Random random = Seed.random(TlsTest.class);
        SSLContext context = tls.clientContext("TLSv1.3");
        byte[] hello = hello(context);
        for (int i = 0; i < 60; i++) {
            byte[] damaged = hello.clone();
            for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
                damaged[random.nextInt(damaged.length)] ^= (byte) (1 << random.nextInt(8));
            }
            int length = random.nextInt(3) == 0 ? 1 + random.nextInt(damaged.length) : damaged.length;
            try (Socket socket = new Socket("127.0.0.1", tls.tlsPort())) {
                socket.setSoTimeout(Await.SECONDS * 1000);
                socket.getOutputStream().write(damaged, 0, length);
                socket.shutdownOutput();
                socket.getInputStream().readAllBytes();
            } catch (SocketException e) {
                // Reset, because not all of it was read.
            }
        }
        try (LDAPConnection connection = tls.ldaps(context)) {
            assertNotNull(connection.getRootDSE());
        }
    }

    /** What the JDK's client says first. */
    private static byte[] hello(SSLContext context) throws Exception {
        SSLEngine engine = context.createSSLEngine();
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        engine.wrap(ByteBuffer.allocate(0), out);
        return Arrays.copyOf(out.array(), out.position());
    }

    @Test
    public void aHandshakeComesThroughByteByByte() throws Exception {
        SSLContext context = tls.clientContext("TLSv1.3");
        try (Socket slow = new Socket("127.0.0.1", tls.tlsPort())) {
            slow.setTcpNoDelay(true);
            byte[] hello = hello(context);
            for (byte each : hello) {
                slow.getOutputStream().write(each);
            }
            slow.setSoTimeout(Await.SECONDS * 1000);
            assertEquals("a handshake record in answer", 22, slow.getInputStream().read());
        }
    }

    @Test
    public void anotherHandshakeOnTheSameConnectionIsRefused() throws Exception {
        try (SSLSocket socket = tls.socket(tls.clientContext("TLSv1.2"))) {
            socket.startHandshake();
            socket.getOutputStream().write(RawClient.bytes(1, rootDse()));
            assertEquals(0x30, socket.getInputStream().read());
            socket.startHandshake();
            assertThrows(IOException.class, () -> {
                socket.getInputStream().readAllBytes();
                throw new IOException("closed");
            });
        }
        try (LDAPConnection connection = tls.ldaps(tls.clientContext("TLSv1.2"))) {
            assertNotNull(connection.getRootDSE());
        }
    }

    @Test
    public void sessionsAreResumed() throws Exception {
        for (String protocol : TestTls.PROTOCOLS) {
            SSLContext context = tls.clientContext(protocol);
            List<Long> created = new ArrayList<>();
            for (int i = 0; i < 2; i++) {
                try (SSLSocket socket = tls.socket(context)) {
                    socket.getOutputStream().write(RawClient.bytes(1, rootDse()));
                    assertEquals(0x30, socket.getInputStream().read());
                    created.add(socket.getSession().getCreationTime());
                }
            }
            assertEquals(protocol, created.get(0), created.get(1));
        }
    }

    @Test
    public void newCertificatesAreUsedWithoutARestartAndOpenConnectionsGoOn() throws Exception {
        Path root = folder.getRoot().toPath();
        SSLContext old = tls.clientContext("TLSv1.3");
        try (LDAPConnection open = tls.ldaps(old)) {
            String before = Files.readString(root.resolve("tls.crt"));
            TestTls.writePair(root, Instant.now().minus(1, ChronoUnit.DAYS), 20);
            assertFalse(before.equals(Files.readString(root.resolve("tls.crt"))));
            SSLContext renewed = tls.clientContext("TLSv1.3");
            Await.until("the new certificate to be used", () -> connects(renewed));
            assertFalse("the old one is used no more", connects(TestTls.clientContext(before, "TLSv1.3")));
            assertNotNull("the connection goes on", open.getRootDSE());
        }
    }

    private boolean connects(SSLContext context) {
        try (LDAPConnection connection = tls.ldaps(context)) {
            return connection.getRootDSE() != null;
        } catch (LDAPException e) {
            return false;
        }
    }

    @Test
    public void newFilesThatCannotBeUsedLeaveTheOldOnes() throws Exception {
        Path root = folder.getRoot().toPath();
        SSLContext context = tls.clientContext("TLSv1.3");
        try (LoggedMessages log = new LoggedMessages(TlsContexts.class.getName())) {
            Files.writeString(root.resolve("tls.crt"), "nothing");
            Await.until("the fault to be logged", () -> log.has("tls.crt: has no certificates"));
            assertTrue(connects(context));
            Files.delete(root.resolve("tls.key"));
            Await.until("the fault to be logged", () -> log.has("tls.key: there is no such file"));
            assertTrue(connects(context));
        }
    }

    @Test
    public void aHandshakeThatStopsIsEndedByTheTimeForHandshakes() throws Exception {
        tls.close();
        tls = new TestTls(folder.getRoot().toPath(), settings -> settings.with(draft -> draft.wire = settings.wire()
                .withLimits(settings.wire().limits().withSeconds(100, 100, 100, 100).withHandshakes(100, 3))));
        byte[] hello = hello(tls.clientContext("TLSv1.3"));
        try (Socket silent = new Socket("127.0.0.1", tls.tlsPort()); Socket half = new Socket("127.0.0.1", tls.tlsPort());
                Socket stopped = new Socket("127.0.0.1", tls.tlsPort()); RawClient started = new RawClient(tls.port())) {
            half.getOutputStream().write(hello, 0, hello.length / 2);
            stopped.getOutputStream().write(hello);
            started.send(RawClient.bytes(1, REQUEST));
            assertEquals(1, started.read().getMessageID());
            for (Socket each : List.of(silent, half, stopped)) {
                each.setSoTimeout(Await.SECONDS * 1000);
                each.getInputStream().readAllBytes();
            }
            assertNull("closed without a word in clear", started.read());
        }
    }

    @Test
    public void connectionsCountBeforeTheirHandshake() throws Exception {
        tls.close();
        tls = new TestTls(folder.getRoot().toPath(), settings -> settings.with(draft -> draft.wire = settings.wire()
                .withLimits(settings.wire().limits().withConnections(2, 2))));
        try (Socket first = new Socket("127.0.0.1", tls.tlsPort()); Socket second = new Socket("127.0.0.1", tls.tlsPort())) {
            // They are counted by the threads that read them, in whatever order.
            Await.until("two connections", () -> tls.server().server().service().sessionCount() == 2);
            try (Socket third = new Socket("127.0.0.1", tls.tlsPort())) {
                third.setSoTimeout(Await.MILLIS);
                assertEquals("closed", -1, third.getInputStream().read());
            }
        }
    }

    @Test
    public void withoutTlsTheOperationIsNotThere() throws Exception {
        try (TestServer clear = new TestServer(); LDAPConnection connection = clear.anonymous()) {
            assertFalse(connection.getRootDSE().supportsExtendedOperation(START_TLS));
            assertEquals(ResultCode.PROTOCOL_ERROR, answer(connection, new ExtendedRequest(START_TLS)));
        }
        try (LDAPConnection connection = tls.server().anonymous()) {
            assertTrue(connection.getRootDSE().supportsExtendedOperation(START_TLS));
        }
    }

    @Test
    public void handshakesBeyondTheLimitAreRefusedAndTheOthersGoOn() throws Exception {
        tls.close();
        tls = new TestTls(folder.getRoot().toPath(), settings -> settings.with(draft -> draft.wire = settings.wire()
                .withLimits(settings.wire().limits().withHandshakes(2, 100))));
        SSLContext context = tls.clientContext("TLSv1.3");
        try (LDAPConnection before = tls.ldaps(context); LDAPConnection clear = tls.server().anonymous()) {
            assertNotNull("a handshake that is done does not count", before.getRootDSE());
            try (Socket stalled = new Socket("127.0.0.1", tls.tlsPort())) {
                Await.until("one of two to be under way, half of them for an address", () -> handshakes().contains("1"));
                try (Socket second = new Socket("127.0.0.1", tls.tlsPort())) {
                    second.setSoTimeout(Await.MILLIS);
                    assertEquals("closed", -1, second.getInputStream().read());
                }
                LDAPException busy = assertThrows(LDAPException.class,
                        () -> clear.processExtendedOperation(new ExtendedRequest(START_TLS)));
                assertEquals(ResultCode.BUSY, busy.getResultCode());
                assertTrue(busy.getMessage(), busy.getMessage().contains("maxTlsHandshakes"));
                assertNotNull("and the connection lives", clear.getRootDSE());
                assertNotNull(before.getRootDSE());
                assertFalse(stalled.isClosed());
            }
            Await.until("room for another", () -> {
                try (LDAPConnection after = tls.ldaps(context)) {
                    return after.getRootDSE() != null;
                } catch (LDAPException e) {
                    return false;
                }
            });
        }
    }

    private List<String> handshakes() throws LDAPException {
        return connectionFigures("alderTlsHandshakesRunning");
    }

    private List<String> connectionFigures(String name) throws LDAPException {
        try (LDAPConnection admin = tls.server().admin()) {
            return List.of(admin.getEntry("cn=connections,cn=Monitor").getAttributeValues(name));
        }
    }

    @Test
    public void theMonitorShowsWhenTheCertificateExpires() throws Exception {
        List<String> urls = tls.server().server().urls();
        String end = " " + tls.contexts().notAfter();
        assertEquals(Set.of(urls.get(0) + end, urls.get(1) + end), Set.copyOf(connectionFigures("alderCertificateNotAfter")));
    }
}
