package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** Dovecot's users and their passwords, as {@code doveadm} asks for them. */
public class DovecotTest {
    @ClassRule
    public static final Site SITE = new Site(() -> LaidOver.require("dovecot"));

    private static LaidOver machine;

    @BeforeClass
    public static void configure() throws IOException {
        machine = machine(SITE.recipe("dovecot"));
    }

    private static LaidOver machine(Recipe recipe) throws IOException {
        Path configuration = SITE.newFolder();
        recipe.write("/etc/dovecot/dovecot-ldap.conf.ext", configuration);
        recipe.write("/etc/dovecot/conf.d/auth-ldap.conf.ext", configuration);
        return new LaidOver("dovecot", configuration);
    }

    @Test
    public void logins() throws Exception {
        String alice = machine.output("doveadm", "auth", "test", "alice", Site.ALICE_PASSWORD);
        assertTrue(alice, alice.contains("passdb: alice auth succeeded"));
        String byMail = machine.output("doveadm", "auth", "test", "alice@example.com", Site.ALICE_PASSWORD);
        assertTrue(byMail, byMail.contains("user=alice\n"));
        machine.run("", "doveadm", "auth", "test", "alice", "wrong").failsWith("auth failed");
        machine.run("", "doveadm", "auth", "test", "dave", "x").failsWith("auth failed");
    }

    @Test
    public void users() throws Exception {
        assertEquals("alice\nbob\ncarol\n", machine.output("doveadm", "user", "*"));
        String bob = machine.output("doveadm", "user", "bob");
        assertTrue(bob, bob.contains("uid\t20002\n") && bob.contains("home\t/home/bob\n"));
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        machine(SITE.recipe("dovecot").with(Site.AUTHORITY, SITE.stranger()))
                .run("", "doveadm", "auth", "test", "alice", Site.ALICE_PASSWORD).failsWith("auth failed");
    }
}
