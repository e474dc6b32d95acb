package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** The recipe for OpenLDAP's tools, and the controls they can send. */
public class OpenLdapToolsTest {
    @ClassRule
    public static final Site SITE = new Site(OpenLdapToolsTest::requireTools);

    private static Path folder;

    private static Void requireTools() {
        Program.require(Program.isOnPath("ldapsearch") && Program.isOnPath("ldapmodify"),
                "OpenLDAP's tools (Debian: apt-get install ldap-utils)");
        return null;
    }

    @BeforeClass
    public static void configure() throws IOException {
        folder = SITE.newFolder();
        new Recipe("openldap-tools").write("~/.ldaprc", SITE.port(), folder);
    }

    private static Program.Outcome run(List<String> command) throws IOException, InterruptedException {
        Map<String, String> environment = Map.of("LDAPRC", folder.resolve(".ldaprc").toString(), "HOME", folder.toString());
        List<String> withFile = new ArrayList<>(List.of("env", "-u", "LDAPNOINIT"));
        withFile.addAll(command);
        return Program.run(withFile, environment, "", folder);
    }

    private static Program.Outcome asAdmin(String tool, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(tool, "-x", "-D", "cn=Directory Manager", "-w", SITE.adminPassword()));
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
        Path script = new Recipe("openldap-tools").write("searches.sh", SITE.port(), folder);
        String output = run(List.of("sh", script.toString())).succeeds();
        found(output, "cn: Alice Anderson", "mail: alice@example.com", "cn: users", "cn: administrators", "entryUUID: ",
                "uid: alice", "uid: bob", "uid: carol", "dn: uid=carol", "dn: uid=bob", "dn: uid=alice",
                "<mail=alice@example.com>", "memberUid: bob", "uid: alice", "namingContexts: dc=example,dc=com",
                        "dn:" + Site.READER);
    }

    @Test
    public void theRecipesChanges() throws Exception {
        Path changes = new Recipe("openldap-tools").write("changes.ldif", SITE.port(), folder);
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
