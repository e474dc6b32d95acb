package org.alder.server.console;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.AsyncRequestID;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.testing.Await;
import org.alder.partition.text.JsonReader;
import org.alder.partition.text.JsonText;
import org.alder.server.TestServer;
import org.alder.server.http.HttpSettings;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/** Through the console entries are added, renamed and deleted, and requests ended, as who has logged in may. */
public class ConsoleEditTest {
    private static final String PARENT = "ou=users," + TestServer.SUFFIX;

    private TestServer server;
    private Browser admin;

    @Before
    public void start() throws Exception {
        server = new TestServer(settings -> settings.with(draft -> draft.http = new HttpSettings("127.0.0.1", 0, null, true)));
        admin = login(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
    }

    @After
    public void stop() {
        server.close();
    }

    private Browser login(String dn, String password) throws Exception {
        Browser browser = new Browser(server.server().httpUrl());
        assertEquals(200, browser.login(dn, password).status());
        return browser;
    }

    private static String result(Browser browser, String name, Map<String, ?> asked) throws Exception {
        Browser.Answer answer = browser.call(name, asked);
        assertEquals(answer.text(), 200, answer.status());
        return (String) answer.json().get("result");
    }

    private static Map<String, Object> device(String name, String... descriptions) {
        return Map.of("dn", "cn=" + name + "," + PARENT, "attributes", List.of(Map.of("name", "objectClass", "values", List.of("device")),
                Map.of("name", "cn", "values", List.of(name)), Map.of("name", "description", "values", List.of(descriptions))));
    }

    private String csn(String dn) throws Exception {
        return (String) admin.read(dn).values("entryCSN").get(0);
    }

    private boolean exists(String dn) throws Exception {
        try (LDAPConnection connection = server.admin()) {
            return connection.getEntry(dn) != null;
        }
    }

    @Test
    public void anEntryIsAddedRenamedAndDeleted() throws Exception {
        Browser user = login(TestServer.userDn(1), TestServer.USER_PASSWORD);
        assertEquals("insufficientAccessRights", result(user, "add", device("printer", "x")));
        assertEquals("success", result(admin, "add", device("printer", "<b>on</b> the second floor", "second")));
        assertEquals("entryAlreadyExists", result(admin, "add", device("printer", "x")));
        String dn = "cn=printer," + PARENT;
        assertEquals(List.of("<b>on</b> the second floor", "second"), admin.read(dn).values("description"));
        assertEquals("objectClassViolation", result(admin, "add", Map.of("dn", "cn=x," + PARENT, "attributes",
                List.of(Map.of("name", "objectClass", "values", List.of("inetOrgPerson")), Map.of("name", "cn", "values", List.of("x"))))));

        Map<String, Object> rename = new HashMap<>(Map.of("dn", dn, "newRdn", "cn=copier", "deleteOldRdn", false, "newSuperior", "", "csn", csn(dn)));
        assertEquals("insufficientAccessRights", result(user, "rename", rename));
        assertEquals("success", result(admin, "rename", rename));
        assertEquals("the old value stays", 2, admin.read("cn=copier," + PARENT).values("cn").size());
        rename.putAll(Map.of("dn", "cn=copier," + PARENT, "newRdn", "cn=plotter", "deleteOldRdn", true, "newSuperior", TestServer.SUFFIX));
        assertEquals("not the entry that was shown", "assertionFailed", result(admin, "rename", rename));
        rename.put("csn", csn("cn=copier," + PARENT));
        assertEquals("success", result(admin, "rename", rename));
        dn = "cn=plotter," + TestServer.SUFFIX;
        assertFalse(admin.read(dn).values("cn").contains("copier"));

        Map<String, Object> delete = new HashMap<>(Map.of("dn", dn, "csn", rename.get("csn")));
        assertEquals("assertionFailed", result(admin, "delete", delete));
        delete.put("csn", csn(dn));
        assertEquals("insufficientAccessRights", result(user, "delete", delete));
        assertTrue(exists(dn));
        assertEquals("success", result(admin, "delete", delete));
        assertFalse(exists(dn));
    }

    @Test
    public void whatIsBelowIsDeletedOnlyWhenThatIsAskedFor() throws Exception {
        Map<?, ?> below = admin.call("below", Map.of("base", PARENT)).json();
        assertEquals((double) TestServer.USERS, below.get("count"));
        assertEquals(false, below.get("more"));
        assertEquals(0.0, admin.call("below", Map.of("base", TestServer.userDn(1))).json().get("count"));
        assertEquals("what is not there is not counted", 0.0, admin.call("below", Map.of("base", "ou=none," + TestServer.SUFFIX)).json().get("count"));
        String csn = csn(PARENT);
        assertEquals("notAllowedOnNonLeaf", result(admin, "delete", Map.of("dn", PARENT, "csn", csn)));
        assertEquals("notAllowedOnNonLeaf", result(admin, "delete", Map.of("dn", PARENT, "csn", csn, "tree", false)));
        assertEquals("insufficientAccessRights", result(login(TestServer.userDn(1), TestServer.USER_PASSWORD), "delete", Map.of("dn", PARENT, "csn", csn, "tree", true)));
        assertEquals("assertionFailed", result(admin, "delete", Map.of("dn", PARENT, "csn", csn(TestServer.userDn(1)), "tree", true)));
        assertTrue(exists(TestServer.userDn(TestServer.USERS)));
        assertEquals("success", result(admin, "delete", Map.of("dn", PARENT, "csn", csn, "tree", true)));
        assertFalse(exists(PARENT));
    }

    @Test
    public void theSchemaHasTheClassesThatFormsAreMadeOf() throws Exception {
        List<?> classes = (List<?>) login(TestServer.userDn(1), TestServer.USER_PASSWORD).call("schema", Map.of()).json().get("objectClasses");
        assertTrue(classes.size() + " classes", classes.size() > 50);
        assertTrue(classes.stream().anyMatch(each -> ((String) each).contains("NAME 'device'") && ((String) each).contains("MUST cn")));
    }

    @Test
    public void aSearchOfSomebodyElseIsCanceled() throws Exception {
        CompletableFuture<SearchResult> ended = new CompletableFuture<>();
        try (LDAPConnection client = server.admin()) {
            SearchRequest request = new SearchRequest(new SearchEnd(ended), PARENT, SearchScope.SUB, "(cn=*)");
            request.setControls(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true));
            AsyncRequestID id = client.asyncSearch(request);
            Await.until("the search to go on", () -> running().entries().size() == 1);
            Browser.Answer running = running();
            Map<?, ?> asked = (Map<?, ?>) JsonReader.parse((String) running.values("alderRequest").get(0));
            assertEquals(PARENT, asked.get("target"));
            String dn = (String) ((Map<?, ?>) running.entries().get(0)).get("dn");
            int connection = Integer.parseInt(dn.replaceAll("cn=\\d+,cn=(\\d+),.*", "$1"));
            Map<String, Object> cancel = Map.of("connection", connection, "message", id.getMessageID());
            assertNotEquals("success", result(login(TestServer.userDn(1), TestServer.USER_PASSWORD), "cancel", cancel));
            assertFalse(ended.isDone());
            assertEquals("noSuchObject", result(admin, "cancel", Map.of("connection", connection, "message", id.getMessageID() + 1)));
            assertEquals(400, admin.call("cancel", Map.of("connection", connection, "message", 0)).status());
            assertEquals("success", result(admin, "cancel", cancel));
            SearchResult result = Await.result("the search to end", ended);
            assertEquals("an administrator has ended the search", result.getDiagnosticMessage());
            assertTrue("the connection stays", client.getRootDSE() != null);
        }
        assertNotEquals("which connection the console has", 0.0, admin.call("session", Map.of()).json().get("connection"));
    }

    private Browser.Answer running() throws Exception {
        return admin.call("search", Map.of("base", "cn=connections,cn=Monitor", "scope", "sub", "filter", "(alderFollowed=TRUE)"));
    }

    @Test
    public void requestsOfOtherPagesAreRefusedAndNothingIsDone() throws Exception {
        String dn = TestServer.userDn(3);
        Map<String, Map<String, ?>> requests = Map.of("add", device("x"), "rename", Map.of("dn", dn, "newRdn", "uid=x", "deleteOldRdn", true),
                "delete", Map.of("dn", dn), "cancel", Map.of("connection", 1, "message", 1), "below", Map.of("base", PARENT), "schema", Map.of());
        String csrf = admin.csrf();
        for (Map.Entry<String, Map<String, ?>> each : requests.entrySet()) {
            String name = each.getKey();
            assertEquals(name, 401, new Browser(server.server().httpUrl()).call(name, each.getValue()).status());
            for (String wrong : List.of("none", "x", "")) {
                admin.setCsrf(wrong);
                assertEquals(name, 403, admin.call(name, each.getValue()).status());
            }
            admin.setCsrf(csrf);
            assertEquals(name, 403, admin.call(name, JsonText.of(each.getValue()),
                    request -> request.header("Origin", "http://evil.example")).status());
            assertEquals(name, 415, admin.call(name, JsonText.of(each.getValue()),
                    request -> request.setHeader("Content-Type", "text/plain")).status());
        }
        assertTrue(exists(dn));
        assertFalse(exists("cn=x," + PARENT));
        for (Map<String, ?> wrong : List.<Map<String, ?>>of(Map.of("dn", 3), Map.of("dn", dn, "attributes", "x"), Map.of("dn", dn, "attributes", List.of(Map.of("name", "cn", "values", "x"))))) {
            assertEquals(wrong.toString(), 400, admin.call("add", wrong).status());
        }
        assertNull(admin.call("add", Map.of("dn", dn, "attributes", 1)).json().get("result"));
    }
}
