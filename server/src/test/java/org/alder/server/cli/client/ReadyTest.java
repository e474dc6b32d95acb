package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.alder.partition.testing.Await;
import org.alder.server.TestServer;
import org.alder.server.cli.CommandRun;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Overload as clients, {@code cn=Monitor} and {@code alder status} see it. */
public class ReadyTest {
    private static final int MOST_WAITING = 4;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final CountDownLatch released = new CountDownLatch(1);
    private TestServer server;
    private Path password;

    @Before
    public void start() throws Exception {
        server = new TestServer(settings -> settings.with(draft -> draft.passwords = TestServer.QUICK_PASSWORDS.withThreads(1)
                .withMostWaiting(MOST_WAITING)));
        server.add("uid=hashed,ou=users," + TestServer.SUFFIX, "objectClass: inetOrgPerson", "uid: hashed", "cn: x", "sn: x",
                "userPassword: {SSHA}2D7DXcHaxkWxjlTTFhTzbi4Z/sdhYmNk");
        password = folder.newFile("password").toPath();
        Files.writeString(password, TestServer.ADMIN_PASSWORD);
    }

    @After
    public void stop() {
        released.countDown();
        server.close();
    }

    private CommandRun status(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("status", "--url", "ldap://127.0.0.1:" + server.port(), "--password-file",
                password, "--data", folder.getRoot().toPath().resolve("none")));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray());
    }

    private void hash() {
        server.server().hashing().run(new Object(), "somebody", () -> {
            Await.latch("the release", released);
            return true;
        });
    }

    @Test(timeout = Await.MILLIS)
    public void newWorkIsRefusedWhileEstablishedClientsGoOnAndItComesBackByItself() throws Exception {
        assertEquals("server      takes new work", status("--ready").succeeds().out().strip());
        assertEquals("{\"server\":\"running\",\"ready\":true,\"overload\":[]}", status("--ready", "--json").succeeds().out().strip());
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1); LDAPConnection later = server.anonymous()) {
            hash();
            Await.until("the thread to be busy", () -> server.server().hashing().waiting() == 0);
            for (int i = 0; i < MOST_WAITING; i++) {
                hash();
            }
            String overload = "passwords to check or to hash: " + MOST_WAITING + ", the mark is " + MOST_WAITING + " (passwordQueue)";
            assertEquals(overload, admin.getEntry("cn=Monitor").getAttributeValue("alderOverload"));
            assertEquals("FALSE", admin.getEntry("cn=Monitor").getAttributeValue("alderReady"));
            CommandRun refused = status("--ready").fails(1, "the server refuses new work");
            assertEquals("server      refuses new work\noverload    " + overload, refused.out().strip().replace("\r", ""));
            assertTrue(status("--ready", "--json").fails(1, "").out().contains("\"ready\":false,\"overload\":[\"passwords"));
            assertEquals(ResultCode.BUSY, assertThrows(LDAPException.class,
                    () -> later.bind("uid=hashed,ou=users," + TestServer.SUFFIX, "password")).getResultCode());
            assertNotNull("who has bound goes on", user.getEntry(TestServer.userDn(2)));
            released.countDown();
            Await.until("the server to take new work again", () -> isReady(admin));
            later.bind("uid=hashed,ou=users," + TestServer.SUFFIX, "password");
            status("--ready").succeeds();
        }
    }

    private static boolean isReady(LDAPConnection admin) {
        try {
            return "TRUE".equals(admin.getEntry("cn=Monitor").getAttributeValue("alderReady"));
        } catch (LDAPException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void theServerThatIsNamedShowsItsOwnPartitions() throws Exception {
        CommandRun shown = status().succeeds();
        assertTrue(shown.out(), shown.out().matches("(?s)server      takes new work\npartition   dc=example,dc=com\nentries     \\d+ at sequence \\d+\ndisk  .*"
                + "\nindex       .*") && !shown.out().contains("folder"));
        assertTrue(shown.out(), status("--json").succeeds().out().contains("{\"partition\":\"dc=example,dc=com\",\"entries\":"));
        status("--suffix", "dc=none").fails(1, "the server shows no such partition");
    }

    @Test
    public void aServerThatCannotBeAskedIsNotReady() throws Exception {
        int port = server.port();
        server.close();
        CommandRun.of("status", "--ready", "--url", "ldap://127.0.0.1:" + port, "--password-file", password, "--data",
                folder.getRoot().toPath().resolve("none")).fails(1, "");
        server = new TestServer();
        Path wrong = folder.newFile("wrong").toPath();
        Files.writeString(wrong, "wrong");
        CommandRun.of("status", "--ready", "--url", "ldap://127.0.0.1:" + server.port(), "--password-file", wrong, "--data",
                folder.getRoot().toPath().resolve("none")).fails(1, "result 49");
    }
}
