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
    public static final Site SITE = new Site(() -> LaidOver.require("sssd", "pamtester"));

    private static LaidOver machine;

    @BeforeClass
    public static void configure() throws IOException {
        machine = machine(SITE.recipe("sssd"));
    }

    private static LaidOver machine(Recipe recipe) throws IOException {
        Path configuration = SITE.newFolder();
        // SSSD gives up on answers after 6 and 8 seconds, which a password that is hashed beside much else takes.
        recipe.with("chpass_provider = ldap\n",
                "chpass_provider = ldap\nldap_opt_timeout = 500\nldap_search_timeout = 500\nldap_network_timeout = 500\n");
        recipe.write("/etc/sssd/sssd.conf", configuration);
        recipe.write("/etc/nsswitch.conf", configuration);
        return new LaidOver("sssd", configuration);
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

    /** As the page says below the configuration. */
    @Test
    public void startTls() throws Exception {
        LaidOver another = machine(SITE.recipe("sssd").with("ldap_uri = ldaps://127.0.0.1:" + SITE.tlsPort(),
                "ldap_id_use_start_tls = true\nldap_uri = " + SITE.url()));
        another.letsUsersInByTheirPasswords();
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
