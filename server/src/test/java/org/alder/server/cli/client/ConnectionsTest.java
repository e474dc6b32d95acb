package org.alder.server.cli.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DeleteRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.testing.Await;
import org.alder.server.TestServer;
import org.alder.server.access.AccessRule;
import org.alder.server.access.AccessRuleException;
import org.alder.server.access.AccessRuleParser;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.cli.CommandRun;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** {@code alder connections} against a running server, and the entries that it reads and deletes. */
public class ConnectionsTest {
    private static final String BASE = "cn=connections,cn=Monitor";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private Path password;
    private Path audit;

    @Before
    public void start() throws IOException, AccessRuleException {
        audit = folder.getRoot().toPath().resolve("audit.jsonl");
        List<AccessRule> all = List.of(AccessRuleParser.parse(TestServer.SCHEMA, "grant all to anyone", ""),
                AccessRuleParser.parse(TestServer.SCHEMA, "grant authenticate to anyone", ""));
        server = new TestServer(settings -> settings.with(draft -> draft.accessRules = all)
                .with(draft -> draft.audit = new AuditSettings(AuditLevel.SECURITY, new LogFiles(audit, 1 << 20, 24, 3), true)));
        password = folder.newFile("password").toPath();
        Files.writeString(password, TestServer.ADMIN_PASSWORD);
    }

    @After
    public void stop() {
        server.close();
    }

    private CommandRun connections(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("connections", "--url", "ldap://127.0.0.1:" + server.port(), "--password-file",
                password, "--data", folder.getRoot().toPath().resolve("none")));
        arguments.addAll(List.of(more));
        return CommandRun.of(arguments.toArray());
    }

    /** Of the first one that has bound as this DN, or not at all. */
    private static String id(LDAPConnection admin, String dn) throws LDAPException {
        String filter = dn.isEmpty() ? "(&(objectClass=alderConnection)(!(alderAuthorizationIdentity=*)))"
                : "(alderAuthorizationIdentity=dn:" + dn + ")";
        return admin.search(BASE, SearchScope.ONE, filter, "cn").getSearchEntries().get(0).getAttributeValue("cn");
    }

    @Test
    public void connectionsAreEntriesOfTheMonitor() throws LDAPException {
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1); LDAPConnection anonymous = server.anonymous()) {
            anonymous.getRootDSE();
            assertEquals(3, admin.search(BASE, SearchScope.ONE, "(objectClass=alderConnection)").getEntryCount());
            assertEquals("with the search itself", 5, admin.search(BASE, SearchScope.SUB, "(objectClass=*)").getEntryCount());
            SearchResultEntry entry = admin.getEntry("cn=" + id(admin, TestServer.userDn(1)) + "," + BASE);
            assertEquals("dn:" + TestServer.userDn(1), entry.getAttributeValue("alderAuthorizationIdentity"));
            assertEquals("SIMPLE", entry.getAttributeValue("alderMechanism"));
            assertEquals("bind", entry.getAttributeValue("alderLastOperation"));
            assertEquals("0", entry.getAttributeValue("alderOperations"));
            assertFalse(entry.hasAttribute("alderTls"));
            entry = admin.getEntry("cn=" + id(admin, "") + "," + BASE);
            assertFalse(entry.hasAttribute("alderAuthorizationIdentity"));
            assertEquals("search", entry.getAttributeValue("alderLastOperation"));
            assertEquals(ResultCode.NO_SUCH_OBJECT, assertThrows(LDAPException.class,
                    () -> admin.search("cn=999999," + BASE, SearchScope.BASE, "(objectClass=*)")).getResultCode());
        }
    }

    @Test
    public void theVerbShowsAndClosesThem() throws Exception {
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1); LDAPConnection same = server.user(1);
                LDAPConnection other = server.user(2)) {
            String listed = connections().succeeds().out();
            assertTrue(listed, listed.contains("dn:" + TestServer.userDn(2)) && listed.contains("127.0.0.1:"));
            assertEquals("a head, four, and its own", 6, listed.lines().count());
            assertEquals(1, connections("--id", id(admin, TestServer.userDn(2)), "--json").succeeds().out().lines()
                    .filter(line -> line.contains("\"identity\":\"dn:" + TestServer.userDn(2)) && line.contains("\"heldFor\":\"")).count());
            String few = connections("--limit", 2).succeeds().out();
            assertTrue(few, few.contains("and 3 more that hold less: --limit 0 shows all"));
            assertEquals("2 connections closed", connections("close", "--identity", "UID=user.1, ou=users, " + TestServer.SUFFIX)
                    .succeeds().out().strip());
            Await.until("both connections to be closed", () -> !user.isConnected() && !same.isConnected());
            assertTrue(other.getRootDSE() != null);
            assertEquals("1 connection closed", connections("close", "--id", id(admin, TestServer.userDn(2))).succeeds().out().strip());
            Await.until("the connection to be closed", () -> !other.isConnected());
            CommandRun none = connections("close", "--address", "10.0.0.1").fails(1, "close: no connection was closed");
            assertEquals("", none.out());
            assertEquals("{\"closed\":0}", connections("close", "--address", "10.0.0.1", "--json").fails(1, "no connection").out().strip());
            connections("cancel", "--id", id(admin, TestServer.ADMIN), "--message", 999_999).fails(1, "cancel: no request was canceled");
            connections("close").fails(2, "--id, --identity, --address or --idle");
            assertTrue(admin.isConnected());
        }
        Await.until("the audit log to tell of it", () -> lines().stream().filter(line -> line.contains("connectionClosed")
                && line.contains("as dn:" + TestServer.userDn(1))).count() == 2);
    }

    @Test
    public void theyAreMeantByRangeNumbersAndIdleTime() throws Exception {
        try (LDAPConnection admin = server.admin(); LDAPConnection first = server.user(1); LDAPConnection second = server.user(2)) {
            assertEquals("three, the head, and its own", 5, connections("--address", "127.0.0.0/8").succeeds().out().lines().count());
            assertEquals("the head", 1, connections("--address", "10.0.0.0/8").succeeds().out().lines().count());
            assertEquals("the head", 1, connections("--address", "::/0").succeeds().out().lines().count());
            assertEquals("the head", 1, connections("--address", "unix:nobody").succeeds().out().lines().count());
            connections("--address", "localhost").fails(2, "--address localhost: expected such as 192.0.2.7");
            connections("--idle", -1).fails(2, "--idle -1");
            connections("close", "--idle", 365 * 86_400).fails(1, "no connection was closed");
            assertEquals("all but the one that asks, for which something is done", "4",
                    String.valueOf(connections("--idle", 0).succeeds().out().lines().count()));
            assertEquals("the head", 1, connections("--idle", 0, "--identity", TestServer.userDn(3)).succeeds().out().lines().count());
            assertEquals("{\"closed\":2}", connections("close", "--id", id(admin, TestServer.userDn(1)), "--id",
                    id(admin, TestServer.userDn(2)), "--json").succeeds().out().strip());
            Await.until("both to be closed", () -> !first.isConnected() && !second.isConnected());
        }
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(audit);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    public void onlyAdministratorsCloseConnectionsAndNotTheirOwn() throws LDAPException {
        try (LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1)) {
            assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertThrows(LDAPException.class,
                    () -> user.delete("cn=" + id(admin, TestServer.ADMIN) + "," + BASE)).getResultCode());
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, assertThrows(LDAPException.class,
                    () -> admin.delete("cn=" + id(admin, TestServer.ADMIN) + "," + BASE)).getResultCode());
            assertEquals(ResultCode.NO_SUCH_OBJECT, assertThrows(LDAPException.class,
                    () -> admin.delete("cn=999999," + BASE)).getResultCode());
            DeleteRequest tree = new DeleteRequest("cn=" + id(admin, TestServer.userDn(1)) + "," + BASE);
            tree.addControl(new Control("1.2.840.113556.1.4.805", true));
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, assertThrows(LDAPException.class, () -> admin.delete(tree)).getResultCode());
            assertEquals(ResultCode.UNWILLING_TO_PERFORM, assertThrows(LDAPException.class, () -> admin.delete(BASE)).getResultCode());
            assertTrue(user.getRootDSE() != null);
        }
    }
}
