package org.alder.server.clients;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** go-ldap, which Grafana, Gitea, Authelia, Dex, Vault and others use. */
public class GoTest {
    private static final Path MODULE = Path.of("src", "test", "resources", "clients", "go").toAbsolutePath();

    @ClassRule
    public static final Site SITE = new Site(GoTest::requireGo);

    private static String login;

    private static Void requireGo() throws IOException, InterruptedException {
        Program.require(Program.isOnPath("go"), "go (Debian: apt-get install golang-go)");
        Program.Outcome modules = Program.run(List.of("go", "mod", "download"), Map.of(), "", MODULE);
        Program.require(modules.status() == 0, "the Go modules that " + MODULE + "/go.mod names");
        return null;
    }

    @BeforeClass
    public static void build() throws Exception {
        login = program(SITE.recipe("go-ldap"));
    }

    private static String program(Recipe recipe) throws Exception {
        Path folder = SITE.newFolder();
        for (String file : List.of("go.mod", "go.sum")) {
            Files.copy(MODULE.resolve(file), folder.resolve(file));
        }
        recipe.write("main.go", folder);
        Program.run(List.of("go", "build", "-o", "login", "."), Map.of(), "", folder).succeeds();
        return folder.resolve("login").toString();
    }

    private static String login(String user, String password) throws Exception {
        return Program.run(List.of(login, user, password)).succeeds();
    }

    @Test
    public void goodPasswordsGetInWithTheirGroups() throws Exception {
        assertEquals("welcome Alice Anderson\nin users\nin administrators\n", login("alice", Site.ALICE_PASSWORD));
        assertEquals("welcome Bob B\u00f6ttcher\nin users\nin wiki\n", login("bob", Site.BOB_PASSWORD));
    }

    @Test
    public void othersDoNot() throws Exception {
        assertEquals("wrong password\n", login("alice", "wrong"));
        assertEquals("no such user\n", login("ali*", Site.ALICE_PASSWORD));
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        String strangers = program(SITE.recipe("go-ldap").with(Site.AUTHORITY, SITE.stranger()));
        Program.run(List.of(strangers, "alice", Site.ALICE_PASSWORD)).failsWith("unknown authority");
    }
}
