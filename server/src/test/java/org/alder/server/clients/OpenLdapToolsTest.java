package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.testing.Await;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** The recipe for OpenLDAP's tools, and the controls they can send. */
public class OpenLdapToolsTest {
    @ClassRule
    public static final Site SITE = new Site(OpenLdapToolsTest::requireTools);

    private static final int MOST_ATTEMPTS = 600;

    private static Path folder;

    private static Void requireTools() {
        Program.require(Program.isOnPath("ldapsearch") && Program.isOnPath("ldapmodify"),
                "OpenLDAP's tools (Debian: apt-get install ldap-utils)");
        return null;
    }

    @BeforeClass
    public static void configure() throws IOException {
        folder = SITE.newFolder();
        SITE.recipe("openldap-tools").write("~/.ldaprc", folder);
    }

    private static Program.Outcome run(List<String> command) throws IOException, InterruptedException {
        Map<String, String> environment = Map.of("LDAPRC", folder.resolve(".ldaprc").toString(), "HOME", folder.toString());
        List<String> withFile = new ArrayList<>(List.of("env", "-u", "LDAPNOINIT"));
        withFile.addAll(command);
        return Program.run(withFile, environment, "", folder);
    }

    private static Program.Outcome asAdmin(String tool, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(tool, "-ZZ", "-x", "-D", "cn=Directory Manager", "-w", SITE.adminPassword()));
        command.addAll(List.of(arguments));
        return run(command);
    }

    private static void found(String output, String... texts) {
        int at = 0;
        for (String text : texts) {
            int next = output.indexOf(text, at);
            assertTrue("expected " + text + " at " + at + " in " + output, next >= 0);
            at = next + text.length();
        }
    }

    @Test
    public void theRecipesSearches() throws Exception {
        Path script = SITE.recipe("openldap-tools").write("searches.sh", folder);
        String output = run(List.of("sh", script.toString())).succeeds();
        found(output, "cn: Alice Anderson", "mail: alice@example.com", "cn: users", "cn: administrators", "entryUUID: ",
                "uid: alice", "uid: bob", "uid: carol", "dn: uid=carol", "dn: uid=bob", "dn: uid=alice",
                "<mail=alice@example.com>", "memberUid: bob", "uid: alice", "namingContexts: dc=example,dc=com",
                        "dn:" + Site.READER);
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        for (List<String> start : List.of(List.of("-ZZ"), List.of("-H", "ldaps://127.0.0.1:" + SITE.tlsPort()))) {
            List<String> command = new ArrayList<>(List.of("env", "LDAPTLS_CACERT=" + SITE.stranger(), "ldapwhoami", "-d1", "-x", "-w",
                    Site.READER_PASSWORD));
            command.addAll(start);
            run(command).failsWith("peer cert untrusted");
        }
    }

    @Test
    public void theRecipesChanges() throws Exception {
        Path changes = SITE.recipe("openldap-tools").write("changes.ldif", folder);
        found(asAdmin("ldapmodify", "-f", changes.toString()).succeeds(), "adding new entry", "modifying entry", "modifying rdn",
                "deleting entry");
    }

    @Test
    public void controlsOfSearches() throws Exception {
        String subentries = asAdmin("ldapsearch", "-LLL", "-E", "!subentries=true", "(objectClass=*)", "1.1").succeeds();
        assertEquals("there are none", "", subentries);
        found(asAdmin("ldapsearch", "-LLL", "-E", "!domainScope", "(uid=bob)", "1.1").succeeds(), "dn: uid=bob");
        found(asAdmin("ldapsearch", "-LLL", "-E", "!dontUseCopy", "(uid=bob)", "1.1").succeeds(), "dn: uid=bob");
        found(asAdmin("ldapsearch", "-LLL", "-MM", "-e", "!authzid=dn:" + Site.ALICE, "(uid=bob)", "userPassword").succeeds(),
                "dn: uid=bob");
        asAdmin("ldapsearch", "-LLL", "-e", "!assert=(o=Other)", "(uid=bob)").failsWith("Assertion Failed");
        asAdmin("ldapsearch", "-E", "!dirSync=0/0", "(uid=bob)").failsWith("Critical extension is unavailable");
    }

    /** What a tool says that does not end by itself, up to a text; until then the entry is changed again and again. */
    private static String upTo(String text, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("env", "-u", "LDAPNOINIT", "LDAPRC=" + folder.resolve(".ldaprc"),
                "stdbuf", "-oL", "ldapsearch", "-x", "-D", "cn=Directory Manager", "-w", SITE.adminPassword()));
        command.addAll(List.of(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> {
            StringBuilder said = new StringBuilder();
            process.inputReader().lines().peek(line -> said.append(line).append('\n')).anyMatch(line -> line.contains(text));
            return said.toString();
        }, Await.THREADS);
        try (LDAPConnection admin = SITE.admin()) {
            for (int attempt = 0; attempt < MOST_ATTEMPTS && !output.isDone(); attempt++) {
                admin.modify("uid=carol," + Site.PEOPLE,
                        new Modification(ModificationType.REPLACE, "title", "Number " + attempt));
                try {
                    output.get(100, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    // The tool may not have begun to listen when the entry was changed.
                }
            }
            return Await.result("ldapsearch to say " + text, output);
        } finally {
            Await.end("ldapsearch", process.destroyForcibly());
        }
    }

    @Test
    public void searchesThatFollowChanges() throws Exception {
        String persistent = upTo("title: Number", "-E", "!ps=4/1/1", "-b", Site.PEOPLE, "(uid=*)", "title");
        found(persistent, "dn: uid=carol", "title: Number");
        found(upTo("title: Number", "-E", "!ps=15/0/1", "-b", Site.PEOPLE, "(uid=carol)", "title"), "dn: uid=carol");
        String synchronizing = upTo("title: Number", "-E", "!sync=rp", "-b", Site.PEOPLE, "(uid=*)", "title");
        found(synchronizing, "dn: uid=alice", "SyncState control", "dn: uid=carol", "title: Number");
        found(asAdmin("ldapsearch", "-E", "!sync=ro", "-b", Site.PEOPLE, "(uid=*)", "1.1").succeeds(), "SyncState control",
                "SyncDone control");
    }

    @Test
    public void pagesOrdersAndWindows() throws Exception {
        found(asAdmin("ldapsearch", "-E", "!pr=2/noprompt", "-b", Site.PEOPLE, "(uid=*)", "1.1").succeeds(), "dn: uid=alice",
                "pagedresults: cookie=", "dn: uid=carol", "pagedresults: cookie=");
        found(asAdmin("ldapsearch", "-LLL", "-E", "!sss=-uidNumber", "-b", Site.PEOPLE, "(uid=*)", "1.1").succeeds(),
                "dn: uid=carol", "dn: uid=bob", "dn: uid=alice");
        String window = upTo("dn: uid=bob", "-E", "!sss=-uidNumber", "-E", "!vlv=0/0/2/0", "-b", Site.PEOPLE, "(uid=*)", "1.1");
        assertFalse(window, window.contains("dn: uid=carol"));
        window = upTo("dn: uid=bob", "-E", "!sss=uid", "-E", "!vlv=0/1:b", "-b", Site.PEOPLE, "(uid=*)", "1.1");
        assertFalse(window, window.contains("dn: uid=alice"));
    }

    @Test
    public void moreControlsOfSearches() throws Exception {
        found(asAdmin("ldapsearch", "-LLL", "-E", "!mv=((memberUid=bob))", "(cn=users)", "memberUid").succeeds(),
                "memberUid: bob");
        found(asAdmin("ldapsearch", "-E", "!deref=member:mail", "(cn=users)", "cn").succeeds(), "<mail=alice@example.com>");
        found(asAdmin("ldapsearch", "-LLL", "-e", "!manageDSAit", "(uid=bob)", "1.1").succeeds(), "dn: uid=bob");
        found(asAdmin("ldapsearch", "-LLL", "-e", "sessiontracking=bob", "(uid=bob)", "1.1").succeeds(), "dn: uid=bob");
        asAdmin("ldapsearch", "-e", "!chaining=chainingRequired", "(uid=bob)").failsWith("Critical extension is unavailable");
        found(asAdmin("ldapsearch", "-LLL", "-e", "chaining=chainingPreferred", "(uid=bob)", "1.1").succeeds(), "dn: uid=bob");
        for (String oid : List.of("2.16.840.1.113730.3.4.17", "1.3.6.1.4.1.30221.2.5.54")) {
            String real = asAdmin("ldapsearch", "-LLL", "-E", "!" + oid, "(uid=bob)", "entryUUID", "entryDN").succeeds();
            found(real, "dn: uid=bob", "entryUUID: ");
            assertEquals(real, !oid.endsWith(".17"), real.contains("entryDN: "));
        }
        String virtual = asAdmin("ldapsearch", "-LLL", "-E", "!2.16.840.1.113730.3.4.19", "(uid=bob)", "uid", "entryDN")
                .succeeds();
        found(virtual, "dn: uid=bob", "entryDN: ");
        assertFalse(virtual, virtual.contains("uid: bob"));
    }

    @Test
    public void moreControlsOfUpdates() throws Exception {
        Path added = Files.writeString(folder.resolve("relaxed.ldif"), "dn: cn=relaxed," + Site.SUFFIX
                + "\nchangetype: add\nobjectClass: device\ncn: relaxed\nentryUUID: 6c1f0b0a-27ab-4b25-9d05-0123456789ab\n");
        asAdmin("ldapmodify", "-f", added.toString()).failsWith("Constraint violation");
        asAdmin("ldapmodify", "-e", "!relax", "-f", added.toString()).succeeds();
        found(asAdmin("ldapsearch", "-LLL", "(cn=relaxed)", "entryUUID").succeeds(), "6c1f0b0a-27ab-4b25-9d05-0123456789ab");
        asAdmin("ldapdelete", "-e", "!noop", "cn=relaxed," + Site.SUFFIX).failsWith("16654");
        found(asAdmin("ldapdelete", "-v", "-e", "!preread=cn", "cn=relaxed," + Site.SUFFIX).succeeds(), "cn: relaxed");
        found(asAdmin("ldapwhoami", "-v", "-e", "!bauthzid").succeeds(), "dn:cn=Directory Manager");
    }

    @Test
    public void controlsOfUpdates() throws Exception {
        Path change = Files.writeString(folder.resolve("change.ldif"),
                "dn: " + Site.ALICE + "\nchangetype: modify\nreplace: title\ntitle: Head\n");
        asAdmin("ldapmodify", "-e", "!noop", "-f", change.toString()).failsWith("16654");
        found(asAdmin("ldapmodify", "-v", "-e", "!postread=title,modifiersName", "-e", "!preread=title", "-f", change.toString())
                .succeeds(), "title: Head", "modifiersName: cn=Directory Manager");
        asAdmin("ldapmodify", "-e", "!assert=(title=Foot)", "-f", change.toString()).failsWith("Assertion Failed");
        assertEquals("dn:" + Site.ALICE + "\n", asAdmin("ldapwhoami", "-e", "!authzid=dn:" + Site.ALICE).succeeds());
    }
}
