package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** nslcd with its NSS and PAM modules: getent, id, logins and password changes. */
public class NslcdTest {
    @ClassRule
    public static final Site SITE = new Site(() -> LaidOver.require("nslcd", "pamtester"));

    private static LaidOver machine;

    @BeforeClass
    public static void configure() throws IOException {
        machine = machine(SITE.recipe("nslcd"));
    }

    private static LaidOver machine(Recipe recipe) throws IOException {
        Path configuration = SITE.newFolder();
        // By itself nslcd waits 10 seconds for a connection, TLS and all.
        recipe.with("uid nslcd\n", "uid nslcd\nbind_timelimit 500\n");
        for (String file : List.of("/etc/nslcd.conf", "/etc/nsswitch.conf", "/etc/pam.d/common-auth", "/etc/pam.d/common-account",
                "/etc/pam.d/common-password")) {
            recipe.write(file, configuration);
        }
        return new LaidOver("nslcd", configuration);
    }

    @Test
    public void people() throws Exception {
        String bob = "bob:x:20002:20000:Bob Boettcher:/home/bob:/bin/bash\n";
        assertEquals(bob, machine.output("getent", "passwd", "bob"));
        assertEquals(bob, machine.output("getent", "passwd", "20002"));
        String all = machine.output("getent", "passwd");
        assertTrue(all, all.contains("\nroot:") || all.startsWith("root:"));
        assertTrue(all, all.contains("\nalice:x:20001:") && all.contains(bob) && all.contains("\ncarol:x:20003:"));
        assertEquals("alice:*:20000:0:99999:7:::0\n", machine.output("getent", "shadow", "alice"));
        assertTrue(machine.run("", "getent", "passwd", "dave").status() != 0);
        assertTrue(machine.run("", "getent", "passwd", "*").status() != 0);
    }

    @Test
    public void groups() throws Exception {
        assertEquals("administrators:*:20100:alice\n", machine.output("getent", "group", "administrators"));
        assertEquals("printing:*:20200:bob\n", machine.output("getent", "group", "20200"));
        assertEquals("uid=20002(bob) gid=20000(users) groups=20000(users),20200(printing)\n", machine.output("id", "bob"));
        assertEquals("users administrators\n", machine.output("id", "-Gn", "alice"));
        String all = machine.output("getent", "group");
        assertTrue(all, all.contains("\nadministrators:*:20100:alice\n") && all.contains("printing:*:20200:bob\n"));
    }

    @Test
    public void logins() throws Exception {
        machine.letsUsersInByTheirPasswords();
        machine.run("\n", "pamtester", "alder", "alice", "authenticate").failsWith("Authentication failure");
        machine.run("x\n", "pamtester", "alder", "dave", "authenticate").failsWith("pamtester: ");
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        LaidOver another = machine(SITE.recipe("nslcd").with(Site.AUTHORITY, SITE.stranger()));
        assertTrue(another.run("", "getent", "passwd", "bob").status() != 0);
        another.run(Site.ALICE_PASSWORD + "\n", "pamtester", "alder", "alice", "authenticate").failsWith("pamtester: ");
    }

    @Test
    public void passwordsThatAreToBeChangedAndLocks() throws Exception {
        machine.keepsThePasswordPolicy(SITE);
    }

    @Test
    public void passwordChange() throws Exception {
        machine.changesCarolsPassword();
    }
}
