package org.alder.server.clients;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.AfterClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Node.js with ldapts. */
public class NodeTest {
    private static final Path PACKAGES = Path.of("src", "test", "resources", "clients", "node").toAbsolutePath();
    private static final TemporaryFolder MODULES = new TemporaryFolder();

    @ClassRule
    public static final Site SITE = new Site(NodeTest::requireModules);

    private static Void requireModules() throws IOException, InterruptedException {
        Program.require(Program.isOnPath("node") && Program.isOnPath("npm"), "Node.js and npm (Debian: apt-get install nodejs npm)");
        MODULES.create();
        for (String file : List.of("package.json", "package-lock.json")) {
            Files.copy(PACKAGES.resolve(file), MODULES.getRoot().toPath().resolve(file));
        }
        Program.Outcome installed = Program.run(List.of("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"),
                Map.of(), "", MODULES.getRoot().toPath());
        Program.require(installed.status() == 0, "the modules that " + PACKAGES + "/package-lock.json names: " + installed.output());
        return null;
    }

    @AfterClass
    public static void removeModules() {
        MODULES.delete();
    }

    /** Modules are looked for in the folder of the program. */
    private static LoginProgram login(Recipe recipe) throws IOException {
        Path program = recipe.write("login.mjs", MODULES.getRoot().toPath());
        return new LoginProgram(List.of("node", program.toString()), program.getParent());
    }

    @Test
    public void theRecipeLogsIn() throws Exception {
        login(SITE.recipe("node")).letsAliceInByHerPasswordAlone();
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        login(SITE.recipe("node").with(Site.AUTHORITY, SITE.stranger())).run("alice", Site.ALICE_PASSWORD).failsWith("self-signed certificate");
    }
}
