package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** docs/first-steps.md, as it stands there: an empty folder, the first tree, and a configuration of one's own. */
public class FirstStepsTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();
    private Path folder;
    private Recipe page;

    @Before
    public void prepare() throws Exception {
        Program.require(Program.isOnPath("ldapadd"), "ldapadd is not installed (apt-get install ldap-utils)");
        folder = temporary.getRoot().toPath();
        page = new Recipe("../first-steps");
    }

    private String run(String script, int port) throws Exception {
        page.with("10389", port).write(script, folder);
        return Program.run(List.of("sh", "-e", script), Map.of(), "", folder).succeeds();
    }

    @Test
    public void theFirstTreeIsLoadedAndFound() throws Exception {
        try (ServerProcess server = ServerProcess.start(folder.resolve("data"))) {
            page.write("first.ldif", folder);
            run("load.sh", server.port());
            String said = run("look.sh", server.port());
            assertTrue(said, said.startsWith("dn:uid=alice,ou=people,dc=example,dc=com\n"));
            assertTrue(said, said.contains("\nmail: alice@example.com\n")
                    && said.contains("\nmemberOf: cn=staff,ou=groups,dc=example,dc=com\n"));
        }
    }

    @Test
    public void aConfigurationNamesWhatDiffers() throws Exception {
        Path configuration = page.write("my.ldif", folder);
        try (ServerProcess server = ServerProcess.start(folder.resolve("data"), "--conf", configuration);
                LDAPConnection anonymous = new LDAPConnection("127.0.0.1", server.port())) {
            assertEquals(List.of("dc=acme,dc=org"), List.of(anonymous.getRootDSE().getNamingContextDNs()));
        }
    }
}
