package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import org.alder.partition.testing.Await;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** Apache httpd with mod_authnz_ldap: search, bind on a shared connection, Compare for groups. */
public class HttpdTest {
    private static final String HTTPD = "/usr/sbin/apache2";
    private static final Path MODULES = Path.of("/usr/lib/apache2/modules");
    private static final String OK = "200";
    private static final String UNAUTHORIZED = "401";
    private static final String CAROL = Site.CAROL_PASSWORD;

    @ClassRule
    public static final Site SITE = new Site(HttpdTest::requireHttpd);

    private static Background httpd;
    private static Background.Address address;

    private static Void requireHttpd() {
        Program.require(Program.isOnPath(HTTPD) && Files.exists(MODULES.resolve("mod_authnz_ldap.so")),
                "Apache httpd (Debian: apt-get install apache2-bin)");
        return null;
    }

    @BeforeClass
    public static void startHttpd() throws Exception {
        Path folder = SITE.newFolder();
        Path recipe = SITE.recipe("apache-httpd").write("alder.conf", folder);
        address = Background.freeAddress();
        StringBuilder text = new StringBuilder();
        for (String module : new String[] {"mpm_event", "authn_core", "authz_core", "authz_user", "auth_basic", "ldap",
            "authnz_ldap", "status"}) {
            text.append("LoadModule ").append(module).append("_module ").append(MODULES).append("/mod_").append(module)
                    .append(".so\n");
        }
        text.append("ServerName localhost\nListen ").append(address).append("\nPidFile ").append(folder)
                .append("/pid\nErrorLog ").append(folder).append("/error.log\nLogLevel authnz_ldap:debug\nUser nobody\n")
                .append("Group nogroup\nMutex sem\nLDAPCacheTTL 0\nLDAPOpCacheTTL 0\n")
                // By itself httpd waits 10 seconds for a connection, TLS and all, and 60 for an answer.
                .append("LDAPConnectionTimeout 500\nLDAPTimeout 500\n<Location />\nSetHandler server-status\n")
                .append("</Location>\nInclude ").append(recipe).append('\n');
        Path configuration = Files.writeString(folder.resolve("httpd.conf"), text);
        httpd = new Background(List.of(HTTPD, "-X", "-d", folder.toString(), "-f", configuration.toString()),
                folder.resolve("out")).awaitListening(address);
    }

    @AfterClass
    public static void stopHttpd() {
        if (httpd != null) {
            httpd.close();
        }
    }

    private static String get(String path, String user, String password) throws IOException, InterruptedException {
        String credentials = Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address + path))
                .timeout(Duration.ofSeconds(Await.SECONDS)).header("Authorization", "Basic " + credentials).build();
        return Integer.toString(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    }

    @Test
    public void validUsers() throws Exception {
        assertEquals(OK, get("/users", "alice", Site.ALICE_PASSWORD));
        assertEquals(OK, get("/users", "bob", Site.BOB_PASSWORD));
        assertEquals(UNAUTHORIZED, get("/users", "alice", Site.BOB_PASSWORD));
        assertEquals(UNAUTHORIZED, get("/users", "alice", ""));
        assertEquals(UNAUTHORIZED, get("/users", "nobody", "x"));
        assertEquals(UNAUTHORIZED, get("/users", "*", Site.ALICE_PASSWORD));
    }

    @Test
    public void groupOfNames() throws Exception {
        assertEquals(OK, get("/administration", "alice", Site.ALICE_PASSWORD));
        assertEquals(UNAUTHORIZED, get("/administration", "bob", Site.BOB_PASSWORD));
    }

    @Test
    public void groupInGroup() throws Exception {
        assertEquals(OK, get("/everybody", "carol", CAROL));
        assertEquals(OK, get("/everybody", "alice", Site.ALICE_PASSWORD));
        assertEquals(UNAUTHORIZED, get("/everybody", "bob", Site.BOB_PASSWORD));
    }

    @Test
    public void posixGroup() throws Exception {
        assertEquals(OK, get("/printing", "bob", Site.BOB_PASSWORD));
        assertEquals(UNAUTHORIZED, get("/printing", "carol", CAROL));
    }

    @Test
    public void attributeAndFilter() throws Exception {
        assertEquals(OK, get("/bash", "alice", Site.ALICE_PASSWORD));
        assertEquals(UNAUTHORIZED, get("/bash", "bob", Site.BOB_PASSWORD));
    }
}
