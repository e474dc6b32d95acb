package org.alder.server.cli;

import static org.junit.Assert.assertFalse;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Calls by which nobody joins a cluster or is invited into one: they say what was expected, and leave nothing. */
public class JoinOptionsTest {
    private static final int WRONG_CALL = 2;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private void assertNoStart(String message, String... options) {
        Path data = folder.getRoot().toPath().resolve("data");
        List<Object> arguments = new ArrayList<>(List.of("start", "--data", data));
        arguments.addAll(List.of(options));
        CommandRun.of(arguments.toArray()).fails(WRONG_CALL, message);
        assertFalse(Files.exists(data));
    }

    @Test
    public void aStartIsToldOneWayIntoACluster() {
        assertNoStart("--join and --cluster: expected one of the two", "--join", "localhost:10389", "--cluster", "node1.conf");
        assertNoStart("expected --join HOST:PORT, too", "--join-token-file", "token");
        assertNoStart("--join-ca: expected --join HOST:PORT, too", "--join-ca", "ca.crt");
        for (String wrong : List.of("localhost", "http://localhost:10389", "ldaps://localhost", "localhost:", "localhost:x", ":10389", "local host:1")) {
            assertNoStart("expected HOST:PORT", "--join", wrong, "--join-token-file", "token");
        }
    }

    private static void assertNoInvitation(String message, String action, String... options) {
        List<Object> arguments = new ArrayList<>(List.of("cluster", action, "--cluster", "node1.conf"));
        arguments.addAll(List.of(options));
        CommandRun.of(arguments.toArray()).fails(WRONG_CALL, message);
    }

    @Test
    public void anInvitationNeedsANameAHostAndAUrl() {
        assertNoInvitation("expected the name of a member", "invite", "--host", "h", "--url", "ldap://h");
        assertNoInvitation("expected --host and --url", "invite", "node4", "--host", "h");
        assertNoInvitation("expected --host and --url", "invite", "node4", "--url", "ldap://h");
        assertNoInvitation("expected --host and --url", "add", "node4", "--url", "ldap://h");
        assertNoInvitation("upgrade takes no member", "upgrade", "node4");
        assertNoInvitation("--minutes 0: expected a number from 1", "invite", "node4", "--host", "h", "--url", "ldap://h", "--minutes", "0");
        assertNoInvitation("expected three numbers from 1", "invite", "node4", "--host", "h", "--url", "ldap://h", "--ports", "1,2");
        assertNoInvitation("expected three numbers from 1", "invite", "node4", "--host", "h", "--url", "ldap://h", "--ports", "1,2,65536");
        assertNoInvitation("are of invite: status takes none of them", "status", "--host", "h");
        assertNoInvitation("are of invite: keys takes none of them", "keys", "--to", "keys", "--keys", "keys");
        assertNoInvitation("invite takes no --to", "invite", "node4", "--host", "h", "--url", "ldap://h", "--to", "keys");
    }
}
