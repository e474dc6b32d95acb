package org.alder.server.console;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.alder.partition.testing.Await;
import org.alder.partition.x509.CertifiedKey;
import org.alder.server.ServerSettings;
import org.alder.server.TestServer;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.http.HttpSettings;
import org.alder.server.tls.TlsContexts;
import org.alder.server.tls.TlsFiles;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The console does for who has logged in what LDAP would do for him, and nothing for anybody else. */
public class ConsoleTest {
    private static final String MONITOR = "cn=Monitor";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;

    @After
    public void close() {
        if (server != null) {
            server.close();
        }
    }

    private void start(Consumer<ServerSettings.Draft> change) {
        server = new TestServer(settings -> settings.with(draft -> {
            draft.http = new HttpSettings("127.0.0.1", 0, null, true);
            change.accept(draft);
        }));
    }

    private Browser start() {
        start(draft -> { });
        return browser();
    }

    private Browser browser() {
        return new Browser(server.server().httpUrl());
    }

    private Browser admin() throws Exception {
        Browser browser = browser();
        assertEquals(200, browser.login(TestServer.ADMIN, TestServer.ADMIN_PASSWORD).status());
        return browser;
    }

    private Browser user(int number) throws Exception {
        Browser browser = browser();
        assertEquals(200, browser.login(TestServer.userDn(number), TestServer.USER_PASSWORD).status());
        return browser;
    }

    private String raw(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(server.server().httpUrl().replaceAll(".*:", "")));
        socket.setSoTimeout(Await.MILLIS);
        return socket;
    }

    @Test
    public void thereIsNoConsoleUnlessItIsAskedFor() throws Exception {
        start(draft -> draft.http = new HttpSettings("127.0.0.1", 0, null, false));
        for (String path : List.of("/console", "/console/", "/console/console.js")) {
            assertEquals(404, browser().get(path).status());
        }
        assertEquals(405, browser().call("login", Map.of("dn", TestServer.ADMIN, "password", TestServer.ADMIN_PASSWORD)).status());
        assertNull(server.server().consoleUrl());
    }

    @Test
    public void everybodyGetsThePageAndNoOtherFile() throws Exception {
        Browser browser = start();
        for (String path : List.of("/console/", "/console/console.js", "/console/session.js", "/console/tree.js", "/console/edit.js",
                "/console/connections.js", "/console/indexes.js", "/console/overview.js", "/console/page.js", "/console/console.css", "/console/icon.svg")) {
            Browser.Answer answer = browser.get(path);
            assertEquals(path, 200, answer.status());
            String policy = answer.header("Content-Security-Policy");
            assertTrue(policy, policy.startsWith("default-src 'self';") && policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"));
            assertEquals("nosniff", answer.header("X-Content-Type-Options"));
            assertEquals("no-store", answer.header("Cache-Control"));
            assertEquals("", answer.header("Set-Cookie"));
            assertEquals(405, browser.send("POST", path).status());
        }
        String page = browser.get("/console/").text();
        assertFalse("nothing inline, nothing from elsewhere", page.matches("(?s).*(<script>|<style|\\son\\w+=|style=|https?:|//).*"));
        assertEquals(server.server().httpUrl() + "/console", server.server().consoleUrl());
        assertEquals(308, browser.get("/console").status());
        for (String path : List.of("/console/x", "/console/../etc/passwd", "/console/..%2f..%2fetc/passwd", "/console/%2e%2e/console.js", "/console/console.js/",
                "/console//console.js", "/console/Console.class", "/console/console.html", "/consoles", "/console/console.js%00", "/console/%5c..%5cx")) {
            assertTrue(path, raw("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 404 "));
        }
        for (String method : List.of("PUT", "DELETE", "OPTIONS", "TRACE", "PATCH")) {
            assertEquals(method, 405, browser.send(method, "/console/").status());
            assertEquals(method, 405, browser.send(method, "/console/api/search").status());
        }
        assertEquals(405, browser.get("/console/api/session").status());
        assertEquals("", browser.send("HEAD", "/console/").text());
    }

    @Test
    public void whoLogsInReadsAsHimself() throws Exception {
        Browser browser = start();
        Browser.Answer answer = browser.login(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
        assertEquals("dn:" + TestServer.ADMIN, answer.json().get("identity"));
        String cookie = answer.header("Set-Cookie");
        assertTrue(cookie, cookie.matches("alder-console-\\d+=[\\w-]{43}; Path=/console; HttpOnly; SameSite=Strict"));
        assertFalse("the token is for the cookie alone", answer.text().contains(browser.cookie().replaceAll(".*=", "")));
        assertEquals(answer.json(), browser.call("session", Map.of()).json());
        Browser.Answer user = browser.read(TestServer.userDn(7));
        assertEquals(List.of("user.7"), user.values("uid"));
        assertTrue("hashes stay where they are", user.text().contains("\"hidden\":") && !user.text().contains("{SSHA512}")
                && !user.text().contains("\"" + TestServer.USER_PASSWORD + "\""));
        assertEquals(200, browser.call("logout", Map.of()).status());
        assertEquals(401, browser.read(TestServer.userDn(7)).status());
        assertEquals(401, browser.call("session", Map.of()).status());
        Await.until("the connection of the session to go", () -> server.server().service().sessionCount() == 0);
    }

    @Test
    public void aLevelOfTheTreeComesPageByPage() throws Exception {
        start();
        Browser browser = admin();
        TreeSet<String> found = new TreeSet<>();
        String cookie = "";
        int pages = 0;
        do {
            Browser.Answer page = browser.call("search", Map.of("base", "ou=users," + TestServer.SUFFIX, "scope", "one", "paged", true, "entries", 20,
                    "cookie", cookie, "attributes", List.of("hasSubordinates")));
            assertEquals(200, page.status());
            page.entries().forEach(entry -> assertTrue(found.add((String) ((Map<?, ?>) entry).get("dn"))));
            cookie = (String) page.json().get("cookie");
            pages++;
        } while (!cookie.isEmpty());
        assertEquals(TestServer.USERS, found.size());
        assertEquals(3, pages);
    }

    @Test
    public void aSearchHasTheLimitsOfItsOwnerAndOfTheConsole() throws Exception {
        start();
        Browser browser = user(1);
        Map<String, Object> search = new HashMap<>(Map.of("base", TestServer.SUFFIX, "scope", "sub", "filter", "(uid=*)", "entries", 5));
        Browser.Answer answer = browser.call("search", search);
        assertEquals(5, answer.entries().size());
        assertEquals("sizeLimitExceeded", answer.json().get("result"));
        for (Map.Entry<String, Object> wrong : Map.of("entries", (Object) 201, "scope", "all", "filter", "(uid", "cookie", "?", "attributes", "cn", "base", 3).entrySet()) {
            Map<String, Object> changed = new HashMap<>(search);
            changed.put("paged", true);
            changed.put(wrong.getKey(), wrong.getValue());
            Browser.Answer refused = browser.call("search", changed);
            assertEquals(refused.text(), 400, refused.status());
            assertTrue(refused.text(), ((String) refused.json().get("error")).startsWith(wrong.getKey() + ": "));
        }
        search.put("base", "no DN");
        assertEquals("invalidDNSyntax", browser.call("search", search).json().get("result"));
    }

    @Test
    public void administratorsAreToldThePlan() throws Exception {
        start();
        Map<String, Object> search = Map.of("base", TestServer.SUFFIX, "scope", "sub", "filter", "(uid=user.3)", "explain", true);
        Browser.Answer answer = admin().call("search", search);
        List<?> plan = (List<?>) answer.json().get("plan");
        assertTrue(plan.toString(), plan.toString().contains("candidates") && plan.toString().contains("uid"));
        assertEquals(1.0, answer.json().get("examined"));
        Browser.Answer refused = user(1).call("search", search);
        assertEquals("insufficientAccessRights", refused.json().get("result"));
        assertFalse(refused.text(), refused.text().contains("candidates"));
    }

    @Test
    public void figuresAreForAdministrators() throws Exception {
        start();
        Browser.Answer figures = admin().call("figures", Map.of());
        for (String dn : List.of(MONITOR, "cn=search,cn=operations,cn=Monitor", "cn=partition-1,cn=Monitor", "cn=connections,cn=Monitor")) {
            assertTrue(dn, figures.entries().stream().anyMatch(entry -> ((Map<?, ?>) entry).get("dn").equals(dn)));
        }
        Browser.Answer refused = user(1).call("figures", Map.of());
        assertEquals(403, refused.status());
        assertFalse(refused.text(), refused.text().contains("alder"));
    }

    @Test
    public void valuesAreShownUnderTheRulesOfWhoIsBound() throws Exception {
        start();
        Browser.Answer other = user(1).read(TestServer.userDn(2));
        assertEquals(List.of("user.2"), other.values("uid"));
        assertFalse(other.text(), other.text().contains("userPassword"));
        try (LDAPConnection connection = server.user(1)) {
            SearchResultEntry entry = connection.getEntry(TestServer.userDn(2), "*", "+");
            TreeSet<String> expected = new TreeSet<>();
            entry.getAttributes().forEach(attribute -> expected.add(attribute.getName()));
            TreeSet<String> shown = new TreeSet<>();
            ((List<?>) ((Map<?, ?>) other.entries().get(0)).get("attributes")).forEach(each -> shown.add((String) ((Map<?, ?>) each).get("name")));
            assertEquals(expected, shown);
        }
    }

    @Test
    public void withoutASessionThereIsNothing() throws Exception {
        start();
        Browser admin = admin();
        for (String name : List.of("search", "figures", "close", "session", "logout", "nothing")) {
            Browser stranger = browser();
            assertEquals(name, 401, stranger.call(name, Map.of("base", "", "scope", "base")).status());
            stranger.setCookie(admin.cookie().replaceAll("=.*", "=x"));
            assertEquals(name, 401, stranger.call(name, Map.of("base", "", "scope", "base")).status());
            stranger.setCsrf(admin.csrf());
            assertEquals(name, 401, stranger.call(name, Map.of("base", "", "scope", "base")).status());
        }
        assertEquals(404, admin.call("nothing", Map.of()).status());
        assertEquals(200, admin.call("session", Map.of()).status());
    }

    @Test
    public void whoseBrowserSendsTheCookieUnaskedIsRefused() throws Exception {
        start();
        Browser admin = admin();
        String csrf = admin.csrf();
        for (String wrong : List.of("none", "x", csrf + "x", "")) {
            admin.setCsrf(wrong);
            for (String name : List.of("search", "figures", "close", "logout")) {
                assertEquals(name, 403, admin.call(name, Map.of("base", "", "scope", "base")).status());
            }
        }
        admin.setCsrf(csrf);
        String search = "{\"base\":\"\",\"scope\":\"base\"}";
        assertEquals(403, admin.call("search", search, request -> request.header("Origin", "http://evil.example")).status());
        assertEquals(403, admin.call("search", search, request -> request.header("Origin", "null")).status());
        assertEquals(403, admin.call("search", search, request -> request.header("Sec-Fetch-Site", "cross-site")).status());
        assertEquals(403, admin.call("search", search, request -> request.header("Sec-Fetch-Site", "same-site")).status());
        assertEquals(415, admin.call("search", search, request -> request.setHeader("Content-Type", "text/plain")).status());
        assertEquals(200, admin.call("search", search, request -> request.header("Origin", server.server().httpUrl())
                .header("Sec-Fetch-Site", "same-origin")).status());
        String login = "{\"dn\":\"" + TestServer.ADMIN + "\",\"password\":\"" + TestServer.ADMIN_PASSWORD + "\"}";
        assertEquals(403, browser().call("login", login, request -> request.header("Origin", "http://evil.example")).status());
        assertTrue("another name of this machine", raw("GET /console/ HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n").startsWith("HTTP/1.1 403 "));
        assertTrue("no name", raw("GET /console/ HTTP/1.0\r\n\r\n").startsWith("HTTP/1.1 403 "));
    }

    @Test
    public void wrongPasswordsCountAndAreAudited() throws Exception {
        Path audit = folder.getRoot().toPath().resolve("audit.jsonl");
        start(draft -> draft.audit = new AuditSettings(AuditLevel.SECURITY, new LogFiles(audit, 1 << 30, 0, 0), true));
        Browser browser = browser();
        Browser.Answer refused = browser.login(TestServer.userDn(3), "xyzzy");
        assertEquals(401, refused.status());
        assertEquals("", refused.header("Set-Cookie"));
        assertEquals("who is there is not told", refused.text(), browser.login("uid=nobody,ou=users," + TestServer.SUFFIX, "xyzzy").text());
        for (int i = 0; i < 20; i++) {
            assertEquals(401, browser.login(TestServer.userDn(3), "xyzzy").status());
        }
        assertEquals("locked", 401, browser.login(TestServer.userDn(3), TestServer.USER_PASSWORD).status());
        try (LDAPConnection connection = server.anonymous()) {
            connection.bind(TestServer.userDn(3), TestServer.USER_PASSWORD);
            throw new AssertionError("the account is not locked for LDAP");
        } catch (LDAPException e) {
            assertEquals(49, e.getResultCode().intValue());
        }
        for (String password : List.of("", " ")) {
            assertNotEquals(200, browser.login(TestServer.userDn(4), password).status());
        }
        assertEquals("no anonymous session", 400, browser.login("", "").status());
        server.close();
        server = null;
        List<String> failed = Files.readAllLines(audit).stream().filter(line -> line.contains("invalidCredentials") && line.contains(TestServer.userDn(3))).toList();
        assertTrue(failed.toString(), failed.size() >= 21);
        assertTrue(failed.get(0), failed.get(0).contains("\"address\":\"127.0.0.1:") && failed.get(0).contains("\"method\":\"SIMPLE\""));
        assertFalse("no password", Files.readString(audit).contains("xyzzy"));
    }

    @Test
    public void hostileValuesComeOutInert() throws Exception {
        start();
        String hostile = "<script>alert(1)</script>\"'`${x}<img src=x onerror=alert(2)>\u0007\u202e\u2028]]>&amp;</textarea>\\u003c";
        server.add("cn=hostile," + TestServer.SUFFIX, "objectClass: device", "cn: hostile", "description: " + hostile);
        server.add("cn=\\<script\\>alert(3)\\</script\\>," + TestServer.SUFFIX, "objectClass: device", "cn: <script>alert(3)</script>");
        Browser browser = admin();
        Browser.Answer answer = browser.read("cn=hostile," + TestServer.SUFFIX);
        assertEquals(List.of(hostile), answer.values("description"));
        assertEquals("application/json", answer.header("Content-Type"));
        assertEquals("nosniff", answer.header("X-Content-Type-Options"));
        assertTrue("as numbers", answer.text().contains("\\u0007\\u202e\\u2028") && answer.text().chars().allMatch(c -> c >= ' '));
        Browser.Answer all = browser.call("search", Map.of("base", TestServer.SUFFIX, "scope", "one"));
        assertEquals(all.text(), 3, all.entries().size());
        Browser.Answer error = browser.read("cn=<script>," + TestServer.SUFFIX);
        assertEquals("application/json", error.header("Content-Type"));
    }

    @Test
    public void requestsAreBounded() throws Exception {
        start();
        Browser admin = admin();
        for (String nonsense : List.of("", "[]", "{", "{\"a\":", "null", "{\"a\":\"\\u12\"}", "[".repeat(100_000), "{\"base\":{}}", "{\"attributes\":[1]}", "\0")) {
            assertEquals(nonsense, 400, admin.call("search", nonsense, request -> { }).status());
        }
        String head = "POST /console/api/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n" + Console.CSRF_HEADER + ": none\r\nConnection: close\r\n";
        assertTrue(raw(head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n").startsWith("HTTP/1.1 411 "));
        assertTrue(raw(head + "Content-Length: 4\r\n\r\n\u00ff\u00fe{}").startsWith("HTTP/1.1 400 "));
        assertTrue(raw(head + "Content-Length: " + (Console.MOST_BODY_BYTES + 1) + "\r\n\r\n").startsWith("HTTP/1.1 413 "));
        assertFalse(raw(head + "Content-Length: -5\r\n\r\n{}").startsWith("HTTP/1.1 200 "));
        Await.until("too many requests of one address", () -> isRefusedBeside(head + "Content-Length: 100\r\n\r\n{", admin));
        Await.until("an answer when they are gone", () -> status(admin) == 200);
    }

    /** Whether there are too many requests beside as many that are not whole as there may be: the port gives these five seconds. */
    private boolean isRefusedBeside(String half, Browser browser) throws Exception {
        List<Socket> waiting = new ArrayList<>();
        try {
            for (int i = 0; i < Console.MOST_REQUESTS_OF_ADDRESS; i++) {
                Socket socket = connect();
                waiting.add(socket);
                socket.getOutputStream().write(half.getBytes(StandardCharsets.ISO_8859_1));
            }
            return status(browser) == 429;
        } finally {
            for (Socket each : waiting) {
                each.close();
            }
        }
    }

    /** 0 if the connection ends before the answer is read, as what is refused for being too much is not read either. */
    private static int status(Browser browser) throws InterruptedException {
        try {
            return browser.call("session", Map.of()).status();
        } catch (IOException e) {
            return 0;
        }
    }

    @Test
    public void anAnswerThatIsTooLargeIsRefusedAndTheSessionGoesOn() throws Exception {
        start();
        StringBuilder large = new StringBuilder("description: ");
        while (large.length() < LdapClient.MOST_ANSWER_BYTES) {
            large.append("0123456789");
        }
        server.add("cn=large," + TestServer.SUFFIX, "objectClass: device", "cn: large", large.toString());
        Browser admin = admin();
        for (int i = 0; i < 3; i++) {
            assertEquals(413, admin.read("cn=large," + TestServer.SUFFIX).status());
            assertEquals(200, admin.read(TestServer.userDn(1)).status());
        }
        Browser.Answer types = admin.call("search", Map.of("base", "cn=large," + TestServer.SUFFIX, "scope", "base", "typesOnly", true));
        assertTrue(types.text(), types.text().contains("description"));
    }

    @Test
    public void ofOneIdentityTheSessionGivesWayThatWasUsedTheLongestTimeAgo() throws Exception {
        start();
        List<Browser> browsers = new ArrayList<>();
        for (int i = 0; i <= ConsoleSessions.MOST_OF_IDENTITY; i++) {
            browsers.add(user(1));
        }
        assertEquals(401, browsers.get(0).call("session", Map.of()).status());
        for (Browser each : browsers.subList(1, browsers.size())) {
            assertEquals(200, each.call("session", Map.of()).status());
        }
        assertEquals("others are none the worse", 200, user(2).call("session", Map.of()).status());
    }

    @Test
    public void aSessionIsAConnectionThatIsShownAndCanBeClosed() throws Exception {
        start();
        Browser user = user(5);
        Browser admin = admin();
        try (LDAPConnection connection = server.admin()) {
            SearchResultEntry found = connection.searchForEntry("cn=connections," + MONITOR, SearchScope.ONE,
                    "(alderAuthorizationIdentity=dn:" + TestServer.userDn(5) + ")");
            assertTrue(found.getAttributeValue("alderClient").startsWith("127.0.0.1:"));
            int number = Integer.parseInt(found.getAttributeValue("cn"));
            assertNotEquals("success", user.call("close", Map.of("connection", number)).json().get("result"));
            assertEquals("success", admin.call("close", Map.of("connection", number)).json().get("result"));
        }
        Await.until("the session to end with its connection", () -> user.call("session", Map.of()).status() == 401);
        assertEquals(200, admin.call("session", Map.of()).status());
    }

    private static Map<String, String> change(String kind, String attribute, String value) {
        return Map.of("kind", kind, "attribute", attribute, "value", value);
    }

    private static String modified(Browser browser, String dn, String csn, List<?> changes) throws Exception {
        Browser.Answer answer = browser.call("modify", Map.of("dn", dn, "csn", csn, "changes", changes));
        assertEquals(answer.text(), 200, answer.status());
        return (String) answer.json().get("result");
    }

    @Test
    public void anEntryIsChangedIfItIsTheOneThatWasShown() throws Exception {
        start();
        Browser admin = admin();
        String dn = TestServer.userDn(9);
        String csn = (String) admin.read(dn).values("entryCSN").get(0);
        List<?> change = List.of(change("delete", "sn", "Number9"), change("add", "sn", "<b>Ober</b>\n\u00fc"));
        assertEquals("insufficientAccessRights", modified(user(8), dn, csn, change));
        assertEquals("success", modified(admin, dn, csn, change));
        assertEquals(List.of("<b>Ober</b>\n\u00fc"), admin.read(dn).values("sn"));
        assertEquals("assertionFailed", modified(admin, dn, csn, List.of(change("add", "description", "late"))));
        assertEquals("noSuchAttribute", modified(admin, dn, "", List.of(change("delete", "sn", "Number9"), change("add", "sn", "x"))));
        assertEquals("all or nothing", "objectClassViolation", modified(admin, dn, "", List.of(change("add", "description", "x"), change("add", "dc", "x"))));
        assertTrue(admin.read(dn).values("description").isEmpty());
        for (Map<String, Object> wrong : List.of(Map.<String, Object>of("dn", dn, "changes", List.of(change("replace", "sn", "x"))),
                Map.<String, Object>of("dn", dn, "changes", List.of("x")))) {
            assertEquals(400, admin.call("modify", wrong).status());
        }
        String csrf = admin.csrf();
        admin.setCsrf("none");
        assertEquals(403, admin.call("modify", Map.of("dn", dn, "changes", change)).status());
        admin.setCsrf(csrf);
        assertEquals(List.of("<b>Ober</b>\n\u00fc"), admin.read(dn).values("sn"));
    }

    @Test
    public void overTlsTheConnectionIsAsProtectedAsTheWayToIt() throws Exception {
        CertifiedKey pair = CertifiedKey.selfSigned(List.of("127.0.0.1"), Instant.now().minus(1, ChronoUnit.DAYS), 30);
        Path root = folder.getRoot().toPath();
        Files.writeString(root.resolve("tls.key"), pair.keyPem());
        Files.writeString(root.resolve("tls.crt"), pair.certificatePem());
        try (TlsContexts tls = TlsContexts.open(TlsContexts.Use.of(TlsFiles.of(root.resolve("tls.crt"), root.resolve("tls.key")), List.of("TLSv1.3"), List.of(), 14),
                50)) {
            start(draft -> draft.http = new HttpSettings("127.0.0.1", 0, tls, true));
            Browser browser = new Browser(HttpClient.newBuilder().sslContext(trusting(root.resolve("tls.crt"))).build(), server.server().httpUrl());
            Browser.Answer login = browser.login(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
            assertEquals(200, login.status());
            assertTrue(login.header("Set-Cookie"), login.header("Set-Cookie").endsWith("; HttpOnly; SameSite=Strict; Secure"));
            Browser.Answer connections = browser.call("search", Map.of("base", "cn=connections," + MONITOR, "scope", "one", "attributes", List.of("*")));
            assertTrue(connections.values("alderTls").toString(), connections.values("alderTls").get(0).toString().startsWith("TLSv1.3 TLS_"));
            close();
            server = null;
        }
    }

    private static SSLContext trusting(Path certificate) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(certificate)) {
            store.setCertificateEntry("server", CertificateFactory.getInstance("X.509").generateCertificate(in));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    public void theServerStopsWithSessionsOpen() throws Exception {
        start();
        Browser admin = admin();
        assertEquals(200, admin.read("").status());
        server.close();
        server = null;
    }
}
