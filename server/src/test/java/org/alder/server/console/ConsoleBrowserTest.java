package org.alder.server.console;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.testing.Await;
import org.alder.server.TestServer;
import org.alder.server.http.HttpSettings;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * The console's page in a real browser: the Chromium that is installed, or that of {@code -Dalder.test.browser=PATH}. Where there is none the
 * tests are skipped; where there has to be one, with CI=true on Debian, they fail. {@code -Dalder.test.screenshots=DIR} says where pictures of
 * it are to be written.
 */
public class ConsoleBrowserTest {
    private static final String HOSTILE = "<script>window.broken=1</script><img src=x onerror=\"window.broken=2\">' \" \u202egnp";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private Chromium page;

    @Before
    public void open() throws Exception {
        Path browser = browser();
        server = new TestServer(settings -> settings.with(draft -> draft.http = new HttpSettings("127.0.0.1", 0, null, true)));
        server.add("cn=hostile," + TestServer.SUFFIX, "objectClass: device", "cn: hostile", "description: " + HOSTILE);
        page = Chromium.open(browser, folder.newFolder("profile").toPath());
        page.go(server.server().httpUrl() + "/console");
    }

    /** The one that is installed; else the test is skipped, or fails. */
    static Path browser() throws IOException, InterruptedException {
        Path browser = Chromium.installed();
        String notice = "no browser (Debian: apt-get install chromium; or -Dalder.test.browser=PATH)";
        if (browser == null) {
            assertFalse(notice, "true".equals(System.getenv("CI")) && isDebian());
            System.out.println("skipped: " + notice);
        }
        assumeTrue(notice, browser != null);
        return browser;
    }

    /** Ubuntu's Chromium is a snap, which wants more than a container has. */
    private static boolean isDebian() throws IOException {
        Path release = Path.of("/etc/os-release");
        return Files.exists(release) && Files.readAllLines(release).contains("ID=debian");
    }

    @After
    public void close() throws Exception {
        if (page != null) {
            page.close();
        }
        if (server != null) {
            server.close();
        }
    }

    private void picture(String name) throws Exception {
        String folder = System.getProperty("alder.test.screenshots");
        byte[] picture = page.screenshot();
        assertTrue("a picture", picture.length > 1000);
        if (folder != null) {
            Files.createDirectories(Path.of(folder));
            Files.write(Path.of(folder, "console-" + name + ".png"), picture);
        }
    }

    private void login(String dn, String password) throws Exception {
        page.await("document.querySelector('#login') && !document.querySelector('#login').hidden");
        page.type("#dn", dn);
        page.type("#password", password);
        page.click("document.querySelector('#login button')");
    }

    private void loginAsAdministrator() throws Exception {
        login(TestServer.ADMIN, TestServer.ADMIN_PASSWORD);
        page.await("!document.querySelector('#who').hidden");
    }

    private Object text(String selector) throws Exception {
        return page.evaluate("document.querySelector('" + selector + "').textContent");
    }

    @Test
    public void anAdministratorLogsInLooksAndLogsOut() throws Exception {
        login(TestServer.ADMIN, "wrong");
        page.await("!document.querySelector('#notice').hidden");
        assertTrue(text("#notice").toString(), text("#notice").toString().contains("wrong"));
        // The browser tells of the answer that was no success.
        page.takeFaults();
        loginAsAdministrator();
        assertEquals("dn:" + TestServer.ADMIN, text("#identity"));
        assertEquals("no script has the token", "", page.evaluate("document.cookie"));
        try (LDAPConnection client = server.user(1)) {
            for (int paths = 0; paths < 2; ) {
                for (int i = 0; i < 50; i++) {
                    client.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user." + (1 + i % TestServer.USERS) + ")");
                }
                paths = ((Double) page.evaluate("document.querySelectorAll('.plots path[d*=L]').length")).intValue();
            }
        }
        assertTrue(page.evaluate("document.querySelector('main').textContent").toString().contains(TestServer.SUFFIX));
        picture("overview");
        page.click("document.querySelector('#pages a[href=\"#connections\"]')");
        page.await("document.querySelector('main').textContent.includes('127.0.0.1:')");
        page.click("document.querySelector('#logout')");
        page.await("document.querySelector('#login') && !document.querySelector('#login').hidden");
        assertEquals("nothing is left", "", text("main"));
        assertNoFaults();
    }

    @Test
    public void theTreeShowsHostileValuesAsText() throws Exception {
        loginAsAdministrator();
        page.click("document.querySelector('#pages a[href=\"#tree\"]')");
        page.click("document.querySelector('#tree button')");
        page.await("document.querySelectorAll('#tree ul a').length >= 2");
        page.click("document.querySelector('#tree ul button:not([disabled])')");
        page.await("document.querySelectorAll('#tree ul ul a').length === 50");
        page.click("[...document.querySelectorAll('#tree a')].find(a => a.textContent === 'cn=hostile')");
        page.await("document.querySelector('#entry table')");
        String shown = text("#entry").toString();
        assertTrue(shown, shown.contains("<script>window.broken=1</script><img src=x onerror=\"window.broken=2\">' \" \\u{202e}gnp"));
        assertEquals("no elements of it", 0.0, page.evaluate("document.querySelectorAll('main script, main img').length"));
        picture("tree");
        page.evaluate("const inline = document.createElement('script'); try { inline.text = 'window.broken = 3'; } catch (e) { }"
                + " document.body.append(inline)");
        assertEquals("undefined", page.evaluate("typeof window.broken"));
        assertFalse("the browser has refused it", page.takeFaults().isEmpty());
    }

    @Test
    public void aSearchIsExplainedAndPaged() throws Exception {
        loginAsAdministrator();
        page.click("document.querySelector('#pages a[href=\"#search\"]')");
        page.await("document.querySelector('#filter')");
        page.type("#filter", "(&(objectClass=inetOrgPerson)(uid=user.*))");
        page.type("#entries", "20");
        page.click("document.querySelector('#explain')");
        page.click("document.querySelector('#search button')");
        page.await("document.querySelector('#plan')");
        assertTrue(text("#plan").toString(), text("#plan").toString().contains("examined"));
        assertEquals(20.0, page.evaluate("document.querySelectorAll('#found tbody tr').length"));
        picture("search");
        page.click("document.querySelector('#next')");
        page.await("document.querySelector('#found') && document.querySelector('#found tbody tr') && !document.querySelector('#found').textContent.includes('user.1,')");
        page.click("document.querySelector('#found a')");
        page.await("document.querySelector('#entry table')");
        assertTrue("hashes stay where they are", text("#entry").toString().contains("hidden, "));
        page.click("document.querySelector('#pages a[href=\"#search\"]')");
        page.type("#filter", "(uid");
        page.click("document.querySelector('#search button')");
        page.await("document.querySelector('#notice').textContent.startsWith('filter: ')");
    }

    @Test
    public void anEntryIsEdited() throws Exception {
        loginAsAdministrator();
        page.go(server.server().httpUrl() + "/console/#entry/" + TestServer.userDn(7));
        String row = "[...document.querySelectorAll('#entry tr')].find(row => row.firstChild.textContent === 'sn')";
        page.click(row + "?.querySelector('.edit')");
        page.type("#entry textarea", "<i>Ober</i>");
        picture("edit");
        page.click("document.querySelector('#entry .save')");
        page.await(row + "?.textContent.includes('<i>Ober</i>')");
        page.type("#newAttribute", "description");
        page.type("#newValue", "new");
        page.click("document.querySelector('#add button')");
        page.await("[...document.querySelectorAll('#entry tr')].some(row => row.textContent.startsWith('descriptionnew'))");
        try (LDAPConnection client = server.admin()) {
            assertEquals("<i>Ober</i>", client.getEntry(TestServer.userDn(7)).getAttributeValue("sn"));
            client.modify(TestServer.userDn(7), new Modification(ModificationType.REPLACE, "description", "newer"));
        }
        page.click("[...document.querySelectorAll('#entry tr')].find(row => row.textContent.startsWith('description')).querySelector('.edit')");
        page.click("document.querySelector('#entry .delete')");
        page.await("document.querySelector('#notice').textContent.includes('changed meanwhile')");
        try (LDAPConnection client = server.admin()) {
            assertEquals("newer", client.getEntry(TestServer.userDn(7)).getAttributeValue("description"));
        }
    }

    @Test
    public void entriesAreAddedRenamedAndDeleted() throws Exception {
        loginAsAdministrator();
        String parent = "ou=users," + TestServer.SUFFIX;
        page.go(server.server().httpUrl() + "/console/#entry/" + parent);
        page.click("document.querySelector('#addBelow')");
        page.await("document.querySelector('#structural')");
        choose("structural", "device");
        page.await("document.querySelectorAll('#form textarea').length === 1");
        page.type("#form textarea[data-attribute=cn]", "a, <b>+\\\"# ");
        choose("another", "description");
        page.type("#form textarea[data-attribute=description]", HOSTILE);
        picture("add");
        page.click("document.querySelector('#form .do')");
        page.await("document.querySelector('#entry h2')?.textContent.startsWith('cn=a')");
        page.await("document.querySelector('#entry table')?.textContent.includes('window.broken=1')");
        String dn;
        try (LDAPConnection client = server.admin()) {
            dn = client.searchForEntry(parent, SearchScope.ONE, "(objectClass=device)").getDN();
            assertEquals("a, <b>+\\\"# ", client.getEntry(dn).getAttributeValue("cn"));
        }
        page.click("document.querySelector('#rename')");
        page.type("#newRdn", "cn=renamed");
        page.click("document.querySelector('#keepOld')");
        page.click("document.querySelector('#form .do')");
        page.await("document.querySelector('#entry h2')?.textContent === 'cn=renamed," + parent + "'");
        page.await("[...document.querySelectorAll('#entry tr')].some(row => row.firstChild.textContent === 'cn' && row.textContent.includes('<b>'))");
        page.click("document.querySelector('#remove')");
        page.await("document.querySelector('#howMany')?.textContent.startsWith('There is nothing below it')");
        page.click("document.querySelector('#form .do')");
        page.await("document.querySelector('#entry h2')?.textContent === '" + parent + "'");
        page.click("document.querySelector('#remove')");
        page.await("document.querySelector('#howMany')?.textContent.startsWith('" + TestServer.USERS + " entries are below it')");
        picture("delete");
        page.click("document.querySelector('#form .do')");
        assertEquals("what is below has to be asked for", true, page.evaluate("document.querySelector('#withTree').matches(':invalid')"));
        page.click("document.querySelector('#withTree')");
        page.click("document.querySelector('#form .do')");
        page.await("document.querySelector('#entry h2')?.textContent === '" + TestServer.SUFFIX + "'");
        try (LDAPConnection client = server.admin()) {
            assertNull(client.getEntry(parent));
        }
        assertEquals("undefined", page.evaluate("typeof window.broken"));
        assertNoFaults();
    }

    /** None but what the browser tells of the answer that there is no session yet. */
    private void assertNoFaults() {
        assertEquals(List.of(), page.takeFaults().stream().filter(fault -> !fault.contains("401")).toList());
    }

    private void choose(String select, String value) throws Exception {
        page.evaluate("(() => { const list = document.querySelector('#" + select + "'); list.value = '" + value + "'; list.dispatchEvent(new Event('change')); })()");
    }

    @Test
    public void aRequestIsCanceled() throws Exception {
        loginAsAdministrator();
        CompletableFuture<SearchResult> ended = new CompletableFuture<>();
        try (LDAPConnection client = server.user(1)) {
            SearchRequest request = new SearchRequest(new SearchEnd(ended), TestServer.SUFFIX, SearchScope.SUB, Filter.createEqualityFilter("sn", "<img src=x onerror=x>"));
            request.setControls(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true));
            client.asyncSearch(request);
            page.click("document.querySelector('#pages a[href=\"#connections\"]')");
            page.await("document.querySelector('#refresh')");
            // A page that is drawn anew in the middle of a click of the mouse loses that: these are clicks of the script, until they have done it.
            Await.until("the search to be shown", () -> Boolean.TRUE.equals(page.evaluate("document.querySelector('#refresh').click(),"
                    + " document.querySelector('#requests')?.textContent.includes('<img src=x onerror=x>') ?? false")));
            picture("connections");
            Await.until("the search to end", () -> {
                page.evaluate("document.querySelector('#requests .end')?.click()");
                return ended.isDone();
            });
            assertEquals(53, ended.get().getResultCode().intValue());
            page.await("!document.querySelector('#requests')");
            assertTrue(client.isConnected());
        }
        assertNoFaults();
    }

    @Test
    public void whoIsNoAdministratorSeesTheTree() throws Exception {
        login(TestServer.userDn(1), TestServer.USER_PASSWORD);
        page.await("document.querySelector('#tree')");
        page.go(server.server().httpUrl() + "/console/#entry/" + TestServer.userDn(2));
        page.await("document.querySelector('#entry table')");
        assertFalse(text("#entry").toString(), text("#entry").toString().contains("userPassword"));
    }
}
