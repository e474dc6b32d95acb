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

/**
 * nslcd with its NSS and PAM modules: getent, id and logins. All of it happens in a mount namespace with an /etc of its own, so
 * that nobody's machine looks its users up in a test.
 */
public class NslcdTest {
    private static final String SCRIPT = Path.of("src", "test", "resources", "clients", "nslcd.sh").toAbsolutePath().toString();
    private static final Path PACKAGES =
            Path.of(System.getenv().getOrDefault("ALDER_NSLCD_PACKAGES", "/var/cache/alder-clients/nslcd"));

    @ClassRule
    public static final Site SITE = new Site(NslcdTest::requirePackages);

    private static Path configuration;

    private static Void requirePackages() throws IOException, InterruptedException {
        List<String> mount = List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc", "mount", "-t", "tmpfs", "none", "/mnt");
        Program.assumePossible(Program.run(mount).status() == 0, "nslcd, as this user may not make mount namespaces");
        Program.require(Files.isExecutable(PACKAGES.resolve("usr/sbin/nslcd")) && Program.isOnPath("pamtester"),
                "pamtester, and nslcd, libnss-ldapd and libpam-ldapd unpacked in " + PACKAGES + " (see .ci/run)");
        return null;
    }

    @BeforeClass
    public static void configure() throws IOException {
        configuration = SITE.newFolder();
        Recipe recipe = new Recipe("nslcd");
        for (String file : List.of("/etc/nslcd.conf", "/etc/nsswitch.conf", "/etc/pam.d/common-auth", "/etc/pam.d/common-account",
                "/etc/pam.d/common-password")) {
            recipe.write(file, SITE.port(), configuration);
        }
    }

    /** Runs the command where nslcd does what the recipe says. */
    private static Program.Outcome run(String input, String... command) throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of("unshare", "--mount", "--pid", "--fork", "--mount-proc", "--kill-child",
                SCRIPT, PACKAGES.toString(), configuration.toString()));
        all.addAll(List.of(command));
        return Program.run(all, Map.of(), input, Path.of("/"));
    }

    private static String output(String... command) throws IOException, InterruptedException {
        return run("", command).succeeds();
    }

    @Test
    public void people() throws Exception {
        String bob = "bob:x:20002:20000:Bob Boettcher:/home/bob:/bin/bash\n";
        assertEquals(bob, output("getent", "passwd", "bob"));
        assertEquals(bob, output("getent", "passwd", "20002"));
        String all = output("getent", "passwd");
        assertTrue(all, all.contains("\nroot:") || all.startsWith("root:"));
        assertTrue(all, all.contains("\nalice:x:20001:") && all.contains(bob) && all.contains("\ncarol:x:20003:"));
        assertEquals("alice:*:20000:0:99999:7:::0\n", output("getent", "shadow", "alice"));
        assertTrue(run("", "getent", "passwd", "dave").status() != 0);
        assertTrue(run("", "getent", "passwd", "*").status() != 0);
    }

    @Test
    public void groups() throws Exception {
        assertEquals("administrators:*:20100:alice\n", output("getent", "group", "administrators"));
        assertEquals("printing:*:20200:bob\n", output("getent", "group", "20200"));
        assertEquals("uid=20002(bob) gid=20000(users) groups=20000(users),20200(printing)\n", output("id", "bob"));
        assertEquals("users administrators\n", output("id", "-Gn", "alice"));
        String all = output("getent", "group");
        assertTrue(all, all.contains("\nadministrators:*:20100:alice\n") && all.contains("printing:*:20200:bob\n"));
    }

    @Test
    public void logins() throws Exception {
        run(Site.ALICE_PASSWORD + "\n", "pamtester", "alder", "alice", "authenticate", "acct_mgmt").succeeds();
        run(Site.BOB_PASSWORD + "\n", "pamtester", "alder", "bob", "authenticate").succeeds();
        run("wrong\n", "pamtester", "alder", "alice", "authenticate").failsWith("Authentication failure");
        run("\n", "pamtester", "alder", "alice", "authenticate").failsWith("Authentication failure");
        run("x\n", "pamtester", "alder", "dave", "authenticate").failsWith("pamtester: ");
    }

    @Test
    public void passwordChange() throws Exception {
        String changed = "Fr3sh-and-l0ng-enough";
        run(Site.CAROL_PASSWORD + "\n" + changed + "\n" + changed + "\n", "setpriv", "--reuid=20003", "--regid=20000",
                "--clear-groups", "pamtester", "alder", "carol", "chauthtok").succeeds();
        run(Site.CAROL_PASSWORD + "\n", "pamtester", "alder", "carol", "authenticate").failsWith("Authentication failure");
        run(changed + "\n", "pamtester", "alder", "carol", "authenticate").succeeds();
    }
}
