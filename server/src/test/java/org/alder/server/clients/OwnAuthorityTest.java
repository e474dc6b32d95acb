package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.ClassRule;
import org.junit.Test;

/** The recipes where a site's own authority has signed the server's certificate: clients are given the authority's. */
public class OwnAuthorityTest {
    @ClassRule
    public static final Site SITE = Site.withAuthority(() -> null);

    @Test
    public void java() throws Exception {
        JndiTest.login(SITE.recipe("jndi"), SITE.newFolder()).letsAliceInByHerPasswordAlone();
        UnboundIdTest.login(SITE.recipe("unboundid"), SITE.newFolder()).letsAliceInByHerPasswordAlone();
        LdapApiTest.login(SITE.recipe("directory-studio"), SITE.newFolder()).letsAliceInByHerPasswordAlone();
    }

    @Test
    public void openLdapsTools() throws Exception {
        Program.require(Program.isOnPath("ldapwhoami"), "OpenLDAP's tools (Debian: apt-get install ldap-utils)");
        Path file = SITE.recipe("openldap-tools").write("~/.ldaprc", SITE.newFolder());
        Map<String, String> environment = Map.of("LDAPRC", file.toString(), "HOME", file.getParent().toString());
        for (String[] start : new String[][] {{"-ZZ"}, {"-H", "ldaps://127.0.0.1:" + SITE.tlsPort()}}) {
            List<String> command = new ArrayList<>(List.of("env", "-u", "LDAPNOINIT", "ldapwhoami", "-x", "-w", Site.READER_PASSWORD));
            command.addAll(List.of(start));
            assertEquals("dn:" + Site.READER + "\n", Program.run(command, environment, "", file.getParent()).succeeds());
        }
    }
}
