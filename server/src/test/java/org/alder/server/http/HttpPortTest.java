package org.alder.server.http;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.alder.partition.testing.Await;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.resource.Counters;
import org.alder.server.tls.TlsContexts;
import org.alder.server.tls.TlsFiles;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The HTTP port answers what it is for, refuses all else, and is not kept by who sends slowly, nothing, or much. */
public class HttpPortTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Counters counters = new Counters();
    private final List<AutoCloseable> open = new ArrayList<>();

    @After
    public void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    private HttpPort start(TlsContexts tls) throws IOException {
        HttpPort port = HttpPort.start(new HttpSettings("127.0.0.1", 0, tls, false), new Metrics(counters, List::of),
                new Readiness(counters.overload(), List::of, List::of), Map.of());
        open.add(port);
        return port;
    }

    private Socket connect(HttpPort port) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.url().replaceAll(".*:", "")));
        socket.setSoTimeout((int) Await.MILLIS);
        open.add(socket);
        return socket;
    }

    private static void send(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        socket.getOutputStream().flush();
    }

    /** What comes until the connection is closed, also if it is closed before all that was sent is read. */
    private static String read(Socket socket) throws IOException {
        StringBuilder text = new StringBuilder();
        InputStream in = socket.getInputStream();
        try {
            for (int read = in.read(); read >= 0; read = in.read()) {
                text.append((char) read);
            }
        } catch (SocketTimeoutException e) {
            throw e;
        } catch (IOException e) {
            return text.toString();
        }
        return text.toString();
    }

    private String ask(HttpPort port, String request) throws IOException {
        try (Socket socket = connect(port)) {
            try {
                send(socket, request);
            } catch (IOException e) {
                // What is too much is not read to its end, and the connection is closed.
                return "";
            }
            return read(socket);
        }
    }

    private String get(HttpPort port, String path) throws IOException {
        return ask(port, "GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    }

    @Test
    public void healthReadinessAndMetricsAreAnswered() throws Exception {
        HttpPort port = start(null);
        assertTrue(get(port, "/healthz").endsWith("\r\n\r\nok\n"));
        assertTrue(get(port, "/readyz").startsWith("HTTP/1.1 200 "));
        assertTrue(get(port, "/metrics").contains("alder_heap_bytes"));
        assertTrue(get(port, "/metrics?name=x").startsWith("HTTP/1.1 200 "));
        String head = ask(port, "HEAD /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
        assertTrue(head, head.startsWith("HTTP/1.1 200 ") && head.endsWith("\r\n\r\n"));
    }

    @Test
    public void whoIsOverloadedIsNotReadyButAlive() throws Exception {
        AtomicLong amount = new AtomicLong(5);
        counters.overload().mark("tests", "testKey", amount::get, () -> 3);
        HttpPort port = start(null);
        String answer = get(port, "/readyz");
        assertTrue(answer, answer.startsWith("HTTP/1.1 503 ") && answer.contains("overload: tests: 5, the mark is 3 (testKey)"));
        assertTrue(get(port, "/healthz").startsWith("HTTP/1.1 200 "));
        assertTrue(get(port, "/metrics").contains("\nalder_ready 0.0\n"));
    }

    @Test
    public void allElseIsRefused() throws Exception {
        HttpPort port = start(null);
        assertTrue(get(port, "/").startsWith("HTTP/1.1 404 "));
        assertTrue(get(port, "/metrics/../etc").startsWith("HTTP/1.1 404 "));
        assertTrue(get(port, "/%00").startsWith("HTTP/1.1 404 "));
        for (String method : List.of("POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH", "X")) {
            String answer = ask(port, method + " /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
            assertTrue(answer, answer.startsWith("HTTP/1.1 405 ") && answer.contains("Allow: GET, HEAD"));
        }
        String answer = ask(port, "GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000000\r\n\r\nabc");
        assertTrue(answer, answer.isEmpty() || answer.startsWith("HTTP/1.1 413 "));
        answer = ask(port, "GET /metrics HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        assertFalse(answer, answer.startsWith("HTTP/1.1 200 "));
        for (String nonsense : List.of("\r\n\r\n", "GET\r\n\r\n", "\0\1\2\3\r\n\r\n", "GET http://[ HTTP/1.1\r\n\r\n", "GET /metrics HTTP/1.1\r\nA".repeat(3) + "\r\n\r\n")) {
            answer = ask(port, nonsense);
            assertFalse(answer, answer.startsWith("HTTP/1.1 200 "));
        }
        assertTrue("and goes on", get(port, "/healthz").endsWith("ok\n"));
    }

    @Test
    public void headersAreBounded() throws Exception {
        HttpPort port = start(null);
        StringBuilder many = new StringBuilder("GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n");
        for (int i = 0; i < 1000; i++) {
            many.append("H").append(i).append(": x\r\n");
        }
        assertFalse(ask(port, many + "\r\n").startsWith("HTTP/1.1 200 "));
        assertFalse(ask(port, "GET /metrics HTTP/1.1\r\nHost: " + "x".repeat(1 << 20) + "\r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 200 "));
        assertTrue(get(port, "/healthz").endsWith("ok\n"));
    }

    @Test
    public void whoSendsHalfARequestIsCutOffAndOthersAreAnswered() throws Exception {
        HttpPort port = start(null);
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 2 * HttpPort.MOST_CONNECTIONS; i++) {
            Socket socket = connect(port);
            slow.add(socket);
            try {
                send(socket, "GET /metrics HTTP/1.1\r\nHost: x\r\nX-Slow: ");
            } catch (IOException e) {
                continue;
            }
        }
        Await.until("an answer beside them", () -> {
            try {
                return get(port, "/healthz").endsWith("ok\n");
            } catch (IOException e) {
                return false;
            }
        });
        for (Socket socket : slow) {
            assertFalse(read(socket).startsWith("HTTP/1.1 200 "));
        }
        int threads = (int) Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("alder-http-")).count();
        assertTrue("threads: " + threads, threads <= HttpPort.MOST_CONNECTIONS);
    }

    @Test
    public void whoSendsNothingGivesWay() throws Exception {
        HttpPort port = start(null);
        for (int i = 0; i < 2 * HttpPort.MOST_CONNECTIONS; i++) {
            connect(port);
        }
        Await.until("an answer beside them", () -> {
            try {
                return get(port, "/healthz").endsWith("ok\n");
            } catch (IOException e) {
                return false;
            }
        });
    }

    @Test
    public void anAddressThatIsTakenIsNamed() throws Exception {
        HttpPort port = start(null);
        int number = Integer.parseInt(port.url().replaceAll(".*:", ""));
        String message = assertThrows(IOException.class, () -> HttpPort.start(new HttpSettings("127.0.0.1", number, null, false),
                new Metrics(counters, List::of), new Readiness(counters.overload(), List::of, List::of), Map.of())).getMessage();
        assertTrue(message, message.contains("httpListener 127.0.0.1:" + number));
    }

    private CertifiedKey writePair(int days) throws IOException {
        CertifiedKey pair = CertifiedKey.selfSigned(List.of("127.0.0.1"), Instant.now().minus(1, ChronoUnit.DAYS), days);
        Path root = folder.getRoot().toPath();
        Files.writeString(root.resolve("tls.key"), pair.keyPem());
        Files.writeString(root.resolve("tls.crt"), pair.certificatePem());
        return pair;
    }

    /** The certificate that a client is shown who trusts this one. */
    private X509Certificate shown(HttpPort port, Path trusted) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(Files.readAllBytes(trusted))));
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(),
                Integer.parseInt(port.url().replaceAll(".*:", "")))) {
            socket.setSoTimeout((int) Await.MILLIS);
            send(socket, "GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertTrue(read(socket).endsWith("ok\n"));
            return (X509Certificate) socket.getSession().getPeerCertificates()[0];
        }
    }

    @Test
    public void tlsHasTheCertificatesOfLdapAlsoNewOnes() throws Exception {
        Path root = folder.getRoot().toPath();
        writePair(30);
        TlsContexts tls = TlsContexts.open(TlsContexts.Use.of(TlsFiles.of(root.resolve("tls.crt"), root.resolve("tls.key")), List.of("TLSv1.3", "TLSv1.2"), List.of(), 14), 50);
        HttpPort port = start(tls);
        open.add(tls);
        assertTrue(port.url().startsWith("https://127.0.0.1:"));
        X509Certificate first = shown(port, root.resolve("tls.crt"));
        Instant before = tls.notAfter();
        writePair(300);
        Await.until("the new certificate", () -> !tls.notAfter().equals(before));
        X509Certificate second = shown(port, root.resolve("tls.crt"));
        assertNotEquals(first.getSerialNumber(), second.getSerialNumber());
        assertEquals(tls.notAfter(), second.getNotAfter().toInstant());
        assertFalse("no clear text", get(port, "/healthz").endsWith("ok\n"));
    }
}
