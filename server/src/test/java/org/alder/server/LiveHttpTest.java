package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The HTTP port and the console, which come, move and go while the server runs. */
public class LiveHttpTest {
    private static final String HERE = "http://127.0.0.1:0";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start(String text) throws Exception {
        return ConfiguredServer.start(folder.getRoot().toPath(), text + ConfiguredServer.PARTITION);
    }

    private static String change(LDAPConnection admin, String... keysAndValues) throws LDAPException {
        Modification[] changes = new Modification[keysAndValues.length / 2];
        for (int i = 0; i < changes.length; i++) {
            String value = keysAndValues[2 * i + 1];
            changes[i] = value == null ? new Modification(ModificationType.REPLACE, keysAndValues[2 * i])
                    : new Modification(ModificationType.REPLACE, keysAndValues[2 * i], value);
        }
        return admin.modify("cn=config", changes).getDiagnosticMessage();
    }

    private static int status(String url) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(url)).timeout(Duration.ofSeconds(Await.SECONDS)).build();
        return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    private static void awaitClosed(String url) throws Exception {
        Await.until(url + " to answer no more", () -> {
            try {
                status(url + "/healthz");
                return false;
            } catch (IOException e) {
                return true;
            }
        });
    }

    private static String at(int port) {
        return "http://127.0.0.1:" + port;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            return socket.getLocalPort();
        }
    }

    @Test(timeout = Await.MILLIS)
    public void thePortComesMovesAndGoes() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER); LDAPConnection admin = server.admin()) {
            assertNull(server.httpUrl());
            assertNull(change(admin, "httpListener", HERE));
            String first = server.httpUrl();
            assertEquals(200, status(first + "/metrics"));
            change(admin, "sizeLimit", "7");
            assertEquals("another key leaves it alone", first, server.httpUrl());
            assertNull(change(admin, "httpListener", "http://localhost:0"));
            assertNotEquals(first, server.httpUrl());
            assertEquals(200, status(server.httpUrl() + "/readyz"));
            awaitClosed(first);
            String second = server.httpUrl();
            assertNull(change(admin, "httpListener", null));
            assertNull(server.httpUrl());
            awaitClosed(second);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whereNobodyCanListenThePortStays() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "httpListener: " + HERE + "\n"); LDAPConnection admin = server.admin();
                ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
            String url = server.httpUrl();
            LDAPException refusal = assertThrows(LDAPException.class, () -> change(admin, "httpListener", at(taken.getLocalPort())));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, refusal.getResultCode());
            assertTrue(refusal.getMessage(), refusal.getMessage().contains("127.0.0.1:" + taken.getLocalPort())
                    && refusal.getMessage().contains("in use"));
            assertEquals(url, server.httpUrl());
            assertEquals(200, status(url + "/healthz"));
            assertEquals(HERE, admin.getEntry("cn=config").getAttributeValue("httpListener"));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatCannotBeWrittenLeavesThePortAsItWas() throws Exception {
        boolean[] full = {false};
        int port = freePort();
        Path root = folder.getRoot().toPath();
        try (ConfiguredServer server = ConfiguredServer.start(root, ConfiguredServer.SERVER + "httpListener: " + at(port) + "\n"
                + ConfiguredServer.PARTITION, (file, content) -> {
                    if (full[0]) {
                        throw new IOException("No space left on device");
                    }
                    Files.write(file, content);
                }); LDAPConnection admin = server.admin()) {
            full[0] = true;
            for (String other : new String[] {"http://0.0.0.0:" + port, HERE}) {
                assertThrows(LDAPException.class, () -> change(admin, "httpListener", other));
                assertEquals(at(port), server.httpUrl());
                assertEquals(200, status(at(port) + "/healthz"));
            }
            assertThrows(LDAPException.class, () -> change(admin, "httpConsole", "true"));
            assertEquals(404, status(at(port) + "/console"));
            full[0] = false;
            assertNull("of the same number at another address", change(admin, "httpListener", "http://0.0.0.0:" + port));
            assertEquals(200, status(at(port) + "/healthz"));
        }
    }

    private static int status(SSLContext trusted, int port) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + "/healthz")).timeout(Duration.ofSeconds(Await.SECONDS))
                .build();
        return HttpClient.newBuilder().sslContext(trusted).build().send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
    }

    @Test(timeout = Await.MILLIS)
    public void httpBecomesHttpsOnTheSamePortAndBack() throws Exception {
        int port = freePort();
        try (ConfiguredServer server = start(ConfiguredServer.SERVER.replace("tls: none\n", "") + "httpListener: " + at(port) + "\n");
                LDAPConnection admin = server.admin()) {
            SSLContext trusted = TestTls.clientContext(Files.readString(folder.getRoot().toPath().resolve("data/tls.crt")), "TLS");
            assertEquals(200, status(at(port) + "/healthz"));
            for (int i = 0; i < 2; i++) {
                assertNull(change(admin, "httpListener", "https://127.0.0.1:" + port));
                assertEquals("https://127.0.0.1:" + port, server.httpUrl());
                assertEquals(200, status(trusted, port));
                assertThrows("in clear", IOException.class, () -> status(at(port) + "/healthz"));
                assertNull(change(admin, "httpConsole", "true"));
                LDAPException refusal = assertThrows("not in clear to others", LDAPException.class,
                        () -> change(admin, "httpListener", "http://0.0.0.0:" + port));
                assertEquals(ResultCode.CONSTRAINT_VIOLATION, refusal.getResultCode());
                assertEquals(200, status(trusted, port));
                assertNull(change(admin, "httpConsole", null, "httpListener", at(port)));
                assertEquals(200, status(at(port) + "/healthz"));
                assertThrows(IOException.class, () -> status(trusted, port));
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void theConsoleComesAndGoesOnItsPort() throws Exception {
        try (ConfiguredServer server = start(ConfiguredServer.SERVER + "httpListener: " + HERE + "\n"); LDAPConnection admin = server.admin()) {
            String url = server.httpUrl();
            assertEquals(404, status(url + "/console/"));
            assertNull(change(admin, "httpConsole", "true"));
            assertEquals(url, server.httpUrl());
            assertEquals(200, status(url + "/console/"));
            assertEquals(url + "/console", server.server().consoleUrl());
            assertNull(change(admin, "httpListener", "http://localhost:0"));
            assertEquals("it moves along", 200, status(server.server().consoleUrl() + "/"));
            assertNull(change(admin, "httpConsole", "false"));
            assertEquals(404, status(server.httpUrl() + "/console/"));
            assertEquals(200, status(server.httpUrl() + "/healthz"));
            LDAPException refusal = assertThrows(LDAPException.class, () -> change(admin, "httpListener", null, "httpConsole", "true"));
            assertEquals(ResultCode.CONSTRAINT_VIOLATION, refusal.getResultCode());
        }
    }
}
