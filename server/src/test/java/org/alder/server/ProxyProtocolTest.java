package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.protocol.BindRequestProtocolOp;
import com.unboundid.ldap.protocol.ExtendedRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.alder.partition.testing.Await;
import org.alder.server.tls.TlsFiles;
import org.alder.server.wire.AddressRange;
import org.alder.server.wire.ConnectionLimits;
import org.alder.server.wire.Listener;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A proxy, which is the test, in front of a server that takes connections from it. */
public class ProxyProtocolTest {
    private static final byte[] WHO_AM_I = RawClient.bytes(5, new ExtendedRequestProtocolOp("1.3.6.1.4.1.4203.1.11.3", null));
    private static final byte[] LOGIN =
            RawClient.bytes(6, new BindRequestProtocolOp(TestServer.userDn(1), TestServer.USER_PASSWORD));

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static byte[] header(String client) throws IOException {
        byte[] address = InetAddress.getByName(client).getAddress();
        return ByteBuffer.allocate(28).put(new byte[] {0x0D, 0x0A, 0x0D, 0x0A, 0x00, 0x0D, 0x0A, 0x51, 0x55, 0x49, 0x54, 0x0A, 0x21, 0x11})
                .putShort((short) 12).put(address).put(new byte[] {10, 0, 0, 1}).putShort((short) 4711).putShort((short) 389).array();
    }

    private static TestServer server(String proxyFrom, UnaryOperator<ConnectionLimits> limits) {
        // One thread takes the connections as they come.
        return new TestServer(settings -> settings
                .with(draft -> draft.wire = settings.wire().withIoThreads(1).withLimits(limits.apply(settings.wire().limits()))
                .withListeners(List.of(Listener.of(Listener.Scheme.LDAP, "127.0.0.1", 0)
                        .withProxies(List.of(AddressRange.parse(proxyFrom)))), null)));
    }

    private static TestServer server() {
        return server("127.0.0.0/8", limits -> limits);
    }

    private static int result(RawClient client, byte[]... messages) throws Exception {
        client.send(messages);
        LDAPMessage answer = client.read();
        return answer.getProtocolOpType() == 0x61 ? answer.getBindResponseProtocolOp().getResultCode()
                : answer.getExtendedResponseProtocolOp().getResultCode();
    }

    /** A connection that is ended while bytes of it are unread is reset. */
    private static void isClosed(RawClient client) throws Exception {
        try {
            assertEquals(null, client.read());
        } catch (SocketException e) {
            // As good as an end.
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aPasswordInClearIsTakenByTheClientsAddressAndNotTheProxys() throws Exception {
        try (TestServer server = server(); RawClient elsewhere = new RawClient(server.port()); RawClient here = new RawClient(server.port());
                RawClient pieces = new RawClient(server.port())) {
            assertEquals(ResultCode.CONFIDENTIALITY_REQUIRED_INT_VALUE, result(elsewhere, header("192.0.2.7"), LOGIN));
            assertEquals(ResultCode.SUCCESS_INT_VALUE, result(here, header("127.0.0.1"), LOGIN));
            for (byte each : header("192.0.2.7")) {
                pieces.send(new byte[] {each});
            }
            assertEquals(ResultCode.CONFIDENTIALITY_REQUIRED_INT_VALUE, result(pieces, LOGIN));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void limitsOfAnAddressAreThoseOfTheClient() throws Exception {
        try (TestServer server = server("127.0.0.1", limits -> limits.withConnections(10, 1)); RawClient one = new RawClient(server.port());
                RawClient other = new RawClient(server.port()); RawClient again = new RawClient(server.port())) {
            assertEquals(0, result(one, header("192.0.2.1"), WHO_AM_I));
            assertEquals(0, result(other, header("192.0.2.2"), WHO_AM_I));
            again.send(header("192.0.2.1"));
            LDAPMessage notice = again.readToEnd();
            assertNotNull(notice);
            String reason = notice.getExtendedResponseProtocolOp().getDiagnosticMessage();
            assertTrue(reason, reason.contains("192.0.2.1") && reason.contains("maxConnectionsPerAddress"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aProxyThatSendsSomethingElseIsClosedAndLogged() throws Exception {
        try (TestServer server = server(); RawClient bare = new RawClient(server.port());
                LoggedMessages log = new LoggedMessages("org.alder.server.wire.Acceptor"); RawClient old = new RawClient(server.port())) {
            bare.send(WHO_AM_I);
            isClosed(bare);
            old.send("PROXY TCP4 192.0.2.7 10.0.0.1 8080 389\r\n".getBytes(StandardCharsets.US_ASCII));
            isClosed(old);
            assertTrue(log.has("of the proxy 127.0.0.1:") && log.has("PROXY protocol, expected version 2"));
            assertFalse("the second within a minute", log.has("version 1 of"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aHeaderIsTakenFromNobodyElse() throws Exception {
        try (TestServer server = server("192.0.2.0/24", limits -> limits); RawClient client = new RawClient(server.port());
                LoggedMessages log = new LoggedMessages("org.alder.server.wire.Acceptor"); RawClient plain = new RawClient(server.port())) {
            client.send(header("127.0.0.1"), LOGIN);
            isClosed(client);
            assertTrue(log.has("proxyFrom of its listener does not name its address"));
            assertEquals("without one all is as ever", 0, result(plain, WHO_AM_I));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aProxyThatStaysSilentIsEndedAndCountsMeanwhile() throws Exception {
        try (TestServer server = server("127.0.0.1", limits -> limits.withConnections(1, 1).withSeconds(3, 100, 100, 100));
                RawClient silent = new RawClient(server.port())) {
            silent.send(new byte[] {0x0D, 0x0A});
            try (RawClient second = new RawClient(server.port())) {
                assertTrue(second.readToEnd().getExtendedResponseProtocolOp().getDiagnosticMessage().contains("maxConnections"));
            }
            isClosed(silent);
            Await.until("room for another", () -> {
                try (RawClient next = new RawClient(server.port())) {
                    return result(next, header("192.0.2.1"), WHO_AM_I) == 0;
                }
            });
        }
    }

    /** The header comes before TLS, and a client behind the proxy sees nothing of it. */
    @Test(timeout = Await.MILLIS)
    public void tlsComesBehindTheHeader() throws Exception {
        try (TestTls tls = new TestTls(folder.getRoot().toPath(), TlsFiles.of(folder.getRoot().toPath().resolve("tls.crt"),
                folder.getRoot().toPath().resolve("tls.key")), settings -> settings,
                listener -> listener.withProxies(List.of(AddressRange.parse("127.0.0.1"))));
                ServerSocket front = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            SSLContext context = tls.clientContext("TLSv1.3");
            CompletableFuture<Void> relayed = CompletableFuture.runAsync(() -> relay(front, tls.tlsPort()), Await.THREADS);
            try (LDAPConnection connection = new LDAPConnection(context.getSocketFactory(), TestServer.patience(), "127.0.0.1", front.getLocalPort())) {
                connection.bind(TestServer.userDn(1), TestServer.USER_PASSWORD);
                assertEquals(1, connection.search(TestServer.userDn(1), SearchScope.BASE, "(uid=*)").getEntryCount());
            }
            Await.result("the proxy", relayed);
            try (SSLSocket bare = tls.socket(context)) {
                assertThrows(IOException.class, bare::startHandshake);
            }
        }
    }

    private static void relay(ServerSocket front, int port) {
        try (Socket client = front.accept(); Socket server = new Socket()) {
            server.connect(new InetSocketAddress("127.0.0.1", port));
            server.getOutputStream().write(header("192.0.2.7"));
            CompletableFuture<Void> back = CompletableFuture.runAsync(() -> copy(server, client), Await.THREADS);
            copy(client, server);
            Await.result("the way back", back);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static void copy(Socket from, Socket to) {
        try {
            from.getInputStream().transferTo(to.getOutputStream());
            to.shutdownOutput();
        } catch (IOException e) {
            // The other side has closed.
        }
    }
}
