package org.alder.server.console;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.SearchScope;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alder.partition.testing.Await;
import org.alder.server.ConfiguredServer;
import org.alder.server.TestServer;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The console's page of indexes, of a server with a configuration: what is asked for, and, where there is a browser, what is shown. */
public class ConsoleIndexesTest {
    private static final String HTTP = "httpListener: http://127.0.0.1:0\nhttpConsole: true\n";
    private static final String RULES = "accessRule: grant view, read, compare, authenticate to anyone\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer server;

    @Before
    public void start() throws Exception {
        server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + HTTP + RULES + ConfiguredServer.PARTITION.replace("engine: memory\n", ""));
        try (LDAPConnection admin = server.admin()) {
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
            admin.add("dn: uid=ann," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: ann", "cn: Ann", "sn: A", "title: <b>chief</b>");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(&(uid=ann)(uid=an*))");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(title=chief)");
        }
    }

    @After
    public void stop() {
        server.close();
    }

    private static Map<?, ?> partition(Browser browser) throws Exception {
        return (Map<?, ?>) ((List<?>) browser.call("indexes", Map.of()).json().get("partitions")).get(0);
    }

    private static Map<String, Object> change(String dn, String kind, String value) {
        return Map.of("dn", dn, "changes", List.of(Map.of("kind", kind, "attribute", "index", "value", value)));
    }

    @Test
    public void administratorsSeeAndChangeTheIndexes() throws Exception {
        Browser admin = new Browser(server.httpUrl());
        assertEquals(401, admin.call("indexes", Map.of()).status());
        assertEquals(200, admin.login(TestServer.ADMIN, TestServer.ADMIN_PASSWORD).status());
        Map<?, ?> partition = partition(admin);
        assertEquals(List.of(TestServer.SUFFIX), partition.get("suffix"));
        assertTrue("those that hold by default", ((List<?>) partition.get("index")).contains("uid eq"));
        String dn = (String) partition.get("dn");
        assertEquals("success", admin.call("modify", change(dn, "add", "title eq")).json().get("result"));
        List<?> changed = (List<?>) partition(admin).get("index");
        assertTrue(changed.toString(), changed.contains("title eq") && changed.contains("uid eq"));
        assertEquals("success", admin.call("modify", change(dn, "delete", "title eq")).json().get("result"));
        assertFalse(partition(admin).get("index").toString().contains("title"));
        assertEquals("noSuchAttribute", admin.call("modify", change(dn, "delete", "title eq")).json().get("result"));
        assertEquals("invalidAttributeSyntax", admin.call("modify", change(dn, "add", "title <b>")).json().get("result"));
        try (LDAPConnection client = server.admin()) {
            String figures = List.of(client.searchForEntry("cn=Monitor", SearchScope.ONE, "(objectClass=alderPartitionMonitor)").getAttributeValues("alderIndexSearches"))
                    .toString();
            assertTrue(figures, figures.contains("uid 1"));
        }
    }

    @Test
    public void othersDoNot() throws Exception {
        try (LDAPConnection admin = server.admin()) {
            admin.modify("dn: uid=ann," + TestServer.SUFFIX, "changetype: modify", "add: userPassword", "userPassword: correct horse battery");
        }
        Browser user = new Browser(server.httpUrl());
        assertEquals(200, user.login("uid=ann," + TestServer.SUFFIX, "correct horse battery").status());
        Browser.Answer refused = user.call("indexes", Map.of());
        assertEquals(403, refused.status());
        assertFalse(refused.text(), refused.text().contains("uid eq"));
        assertEquals("insufficientAccessRights", user.call("modify", change("cn=first,cn=config", "add", "title eq")).json().get("result"));
    }

    @Test
    public void thePageShowsThemAndAddsWhatSearchesLacked() throws Exception {
        Path browser = ConsoleBrowserTest.browser();
        try (Chromium page = Chromium.open(browser, folder.newFolder("profile").toPath())) {
            page.go(server.httpUrl() + "/console/#indexes");
            page.await("document.querySelector('#login') && !document.querySelector('#login').hidden");
            page.type("#dn", TestServer.ADMIN);
            page.type("#password", TestServer.ADMIN_PASSWORD);
            page.click("document.querySelector('#login button')");
            String row = "[...document.querySelectorAll('.partition tr')].find(row => row.firstChild.textContent === 'uid')";
            page.await(row + "?.textContent.includes('eq')");
            assertEquals("complete", page.evaluate(row + ".children[3].textContent"));
            assertEquals("1", page.evaluate(row + ".children[4].textContent"));
            String missing = "[...document.querySelectorAll('.missing tr')].find(row => row.firstChild.textContent === 'title eq')";
            page.await(missing);
            String pictures = System.getProperty("alder.test.screenshots");
            if (pictures != null) {
                Files.createDirectories(Path.of(pictures));
                Files.write(Path.of(pictures, "console-indexes.png"), page.screenshot());
            }
            page.click(row + ".querySelector('.rebuild')");
            page.await("!document.querySelector('#notice').hidden && document.querySelector('#notice').textContent.includes('used as soon as they are built')");
            String said = (String) page.evaluate("document.querySelector('#notice').textContent");
            assertTrue(said, said.endsWith("the indexes of uid"));
            page.await(row + "?.children[3].textContent === 'complete'");
            page.click(missing + ".querySelector('.addMissing')");
            String title = "[...document.querySelectorAll('.partition > table tr')].find(row => row.firstChild.textContent === 'title')";
            page.await(title + "?.textContent.includes('eq')");
            page.click(title + ".querySelector('.remove')");
            page.await("document.querySelector('.partition') && !" + title);
            page.type(".partition .attribute", "description");
            page.click("document.querySelector('.partition [data-kind=sub]')");
            page.click("document.querySelector('.partition .add')");
            page.await("[...document.querySelectorAll('.partition > table tr')].find(row => row.textContent.startsWith('descriptioneq, sub'))");
            page.click("document.querySelector('#pages a[href=\"#overview\"]')");
            page.await("/free on the disk[0-9.,]+ [KMGT]iB/.test(document.querySelector('main').textContent)");
            assertEquals(List.of(), page.takeFaults().stream().filter(fault -> !fault.contains("401")).toList());
        }
        try (LDAPConnection client = server.admin()) {
            Await.until("the configuration to have it", () -> List.of(client.getEntry("cn=first,cn=config", "index").getAttributeValues("index")).contains("description eq,sub"));
        }
    }
}
