package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;

/** Postfix's tables in the directory, as {@code postmap} asks them; no mail is sent. */
public class PostfixTest {
    private static final String PEOPLE = "ldap:/etc/postfix/alder-people.cf";
    private static final String GROUPS = "ldap:/etc/postfix/alder-groups.cf";

    @ClassRule
    public static final Site SITE = new Site(() -> LaidOver.require("postfix"));

    private static LaidOver machine;

    @BeforeClass
    public static void configure() throws IOException {
        machine = machine(SITE.recipe("postfix"));
    }

    private static LaidOver machine(Recipe recipe) throws IOException {
        Path configuration = SITE.newFolder();
        // By itself Postfix waits 10 seconds for a connection, TLS and all, and for an answer.
        recipe.with("version = 3\n", "version = 3\ntimeout = 500\n");
        recipe.write("/etc/postfix/alder-people.cf", configuration);
        recipe.write("/etc/postfix/alder-groups.cf", configuration);
        return new LaidOver("postfix", configuration);
    }

    @Test
    public void people() throws Exception {
        assertEquals("alice\n", machine.output("postmap", "-q", "alice@example.com", PEOPLE));
        assertTrue(machine.run("", "postmap", "-q", "dave@example.com", PEOPLE).status() != 0);
        assertTrue("it is no filter", machine.run("", "postmap", "-q", "a*@example.com", PEOPLE).status() != 0);
    }

    @Test
    public void groupsAreLists() throws Exception {
        assertEquals("alice@example.com\n", machine.output("postmap", "-q", "administrators@example.com", GROUPS));
        assertEquals("a group in it too", "alice@example.com,carol@example.com\n",
                machine.output("postmap", "-q", "everybody@example.com", GROUPS));
        assertTrue(machine.run("", "postmap", "-q", "everybody@example.org", GROUPS).status() != 0);
    }

    @Test
    public void aServerThatIsNotKnownIsRefused() throws Exception {
        machine(SITE.recipe("postfix").with(Site.AUTHORITY, SITE.stranger())).run("", "postmap", "-q", "alice@example.com", PEOPLE)
                .failsWith("Unable to set STARTTLS");
    }
}
