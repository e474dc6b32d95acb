package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** SSSD: getent, id, SSH keys and logins. */
public class SssdTest {
    @ClassRule
    public static final Site SITE = new Site(() -> LaidOver.require("sssd"));

    private static LaidOver machine;

    @BeforeClass
    public static void configure() throws IOException {
        Path configuration = SITE.newFolder();
        Recipe recipe = new Recipe("sssd");
        recipe.write("/etc/sssd/sssd.conf", SITE.port(), configuration);
        recipe.write("/etc/nsswitch.conf", SITE.port(), configuration);
        machine = new LaidOver("sssd", configuration);
    }

    @Test
    public void peopleAndGroups() throws Exception {
        String bob = "bob:*:20002:20000:Bob Boettcher:/home/bob:/bin/bash\n";
        assertEquals(bob, machine.output("getent", "passwd", "bob"));
        assertEquals(bob, machine.output("getent", "passwd", "20002"));
        assertTrue(machine.run("", "getent", "passwd", "dave").status() != 0);
        assertEquals("administrators:*:20100:alice\n", machine.output("getent", "group", "administrators"));
        assertEquals("administrators:*:20100:alice\n", machine.output("getent", "group", "20100"));
        assertEquals("uid=20001(alice) gid=20000(users) groups=20000(users),20100(administrators)\n",
                machine.output("id", "alice"));
    }

    @Test
    public void sshKeys() throws Exception {
        String key = machine.output("sss_ssh_authorizedkeys", "alice");
        assertTrue(key, key.startsWith("ssh-ed25519 AAAA") && key.endsWith(" alice@example.com\n"));
    }

    @Test
    public void logins() throws Exception {
        machine.letsUsersInByTheirPasswords();
        machine.run("x\n", "pamtester", "alder", "dave", "authenticate").failsWith("User not known");
    }

    @Test
    public void passwordChange() throws Exception {
        machine.changesCarolsPassword();
    }
}
