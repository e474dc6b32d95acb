package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alder.partition.text.JsonReader;
import org.alder.server.TestServer;
import org.alder.server.cli.CommandRun;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code alder passwd} against a running server. */
public class PasswdVerbTest {
    private static final String DN = TestServer.userDn(1);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private Path administrators;
    private Path wanted;

    @Before
    public void start() throws Exception {
        server = new TestServer();
        administrators = file("administrators", TestServer.ADMIN_PASSWORD);
        wanted = file("wanted", "a new password\n");
    }

    @After
    public void stop() {
        server.close();
    }

    private Path file(String name, String text) throws Exception {
        return Files.writeString(folder.newFile(name).toPath(), text);
    }

    private CommandRun passwd(String standardInput, Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("passwd", "-H", "ldap://127.0.0.1:" + server.port(), "--data",
                folder.getRoot().toPath().resolve("none")));
        arguments.addAll(List.of(more));
        return CommandRun.reading(standardInput.getBytes(StandardCharsets.UTF_8), arguments.toArray());
    }

    private ResultCode bind(String secret) throws LDAPException {
        try (LDAPConnection connection = server.anonymous()) {
            return connection.bind(DN, secret).getResultCode();
        } catch (LDAPException e) {
            return e.getResultCode();
        }
    }

    @Test
    public void anAdministratorGivesAnotherOne() throws Exception {
        assertEquals("changed the password of " + DN + "\n",
                passwd("", "-y", administrators, "--new-password-file", wanted, DN).succeeds().out());
        assertEquals(ResultCode.SUCCESS, bind("a new password"));
        assertEquals(ResultCode.INVALID_CREDENTIALS, bind(TestServer.USER_PASSWORD));
        passwd("from elsewhere\n", "-y", administrators, "--new-password-file", "-", "user.1").succeeds();
        assertEquals(ResultCode.SUCCESS, bind("from elsewhere"));
    }

    @Test
    public void aUserChangesHisOwn() throws Exception {
        Path own = file("own", TestServer.USER_PASSWORD);
        Path other = file("other", "yet another one");
        CommandRun run = passwd("", "-D", DN, "-y", own, "--new-password-file", wanted, "--json").succeeds();
        assertEquals(Map.of("account", DN, "changed", true), JsonReader.parse(run.out()));
        assertEquals(ResultCode.SUCCESS, bind("a new password"));
        passwd("", "-D", DN, "-y", wanted, "--old-password-file", own, "--new-password-file", own).fails(1, "result ");
        passwd("", "-D", DN, "-y", wanted, "--old-password-file", wanted, "--new-password-file", other).succeeds();
        passwd("", "-D", DN, "-y", other, "--new-password-file", wanted, TestServer.userDn(2)).fails(1, "result 50 (insufficientAccessRights)");
    }

    @Test
    public void whatTheServerMakesIsPrinted() throws Exception {
        String made = passwd("", "-y", administrators, "--generate", DN).succeeds().out().strip();
        assertTrue(made, made.length() >= 8);
        assertEquals(ResultCode.SUCCESS, bind(made));
        Map<?, ?> facts = (Map<?, ?>) JsonReader.parse(passwd("", "-y", administrators, "--generate", "--json", DN).succeeds().out());
        assertEquals(ResultCode.SUCCESS, bind((String) facts.get("password")));
    }

    @Test
    public void whatCannotBeIsSaidBeforeAnythingIsChanged() throws Exception {
        passwd("", "-y", administrators, "--generate").fails(2, "say whose password");
        passwd("", "-y", administrators, "--generate", "--new-password-file", wanted, DN).fails(2, "leave one of the two out");
        passwd("", "-y", administrators, "--new-password-file", file("two", "one\ntwo\n"), DN).fails(1, "expected a password as one line");
        passwd("", "-y", administrators, "--new-password-file", "-", DN).fails(1, "standard input: expected a password");
        passwd("", "-y", administrators, "--new-password-file", folder.getRoot().toPath().resolve("gone"), DN).fails(1, "gone");
        passwd("", "-y", administrators, "--generate", "uid=nobody,dc=example,dc=com").fails(1, "result 32");
        assertEquals(ResultCode.SUCCESS, bind(TestServer.USER_PASSWORD));
    }
}
