package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.DeleteRequestProtocolOp;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultEntryProtocolOp;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.alder.partition.testing.Await;
import org.alder.partition.text.JsonReader;
import org.alder.server.audit.AuditLevel;
import org.alder.server.audit.AuditSettings;
import org.alder.server.audit.LogFiles;
import org.alder.server.cli.CommandRun;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Requests that are being answered are entries below their connections, and administrators end searches by deleting them. */
public class RunningRequestsTest {
    private static final String BASE = "cn=connections,cn=Monitor";
    private static final String USERS = "ou=users," + TestServer.SUFFIX;
    private static final int DEVICES = 20_000;
    private static final String LONG_VALUE = "x".repeat(100);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private TestServer server;
    private Path audit;
    private Path password;

    @Before
    public void start() throws Exception {
        audit = folder.getRoot().toPath().resolve("audit.jsonl");
        server = new TestServer(settings -> settings.with(draft ->
                draft.audit = new AuditSettings(AuditLevel.SECURITY, new LogFiles(audit, 1 << 20, 24, 3), true)));
        password = folder.newFile("password").toPath();
        Files.writeString(password, TestServer.ADMIN_PASSWORD);
    }

    @After
    public void stop() {
        server.close();
    }

    /** A client that has asked for all devices, and reads one. */
    private RawClient stalled(int messageId) throws Exception {
        server.addDevices(DEVICES);
        RawClient client = new RawClient(server.port(), 4096);
        client.bindAsAdmin();
        client.send(devices(messageId));
        assertEquals(messageId, client.read().getMessageID());
        return client;
    }

    private static byte[] devices(int messageId) throws LDAPException {
        Filter filter = Filter.createORFilter(Filter.createEqualityFilter("objectClass", "device"), Filter.createEqualityFilter("description", LONG_VALUE),
                Filter.createEqualityFilter("userPassword", "sesame"));
        return RawClient.bytes(messageId, new SearchRequestProtocolOp(USERS, SearchScope.ONE, DereferencePolicy.NEVER, 0, 0, false, filter, List.of("cn", "*")));
    }

    private static SearchResultEntry request(LDAPConnection admin, String filter) throws LDAPException {
        SearchResult found = admin.search(BASE, SearchScope.SUB, filter);
        return found.getEntryCount() == 0 ? null : found.getSearchEntries().get(0);
    }

    private static SearchResultEntry devicesAsked(LDAPConnection admin) throws LDAPException {
        return request(admin, "(&(objectClass=alderOperation)(alderRequest=*\"" + USERS + "\"*))");
    }

    private static LDAPMessage resultOf(RawClient client) throws Exception {
        int entries = 0;
        LDAPMessage next = client.read();
        for (; next.getProtocolOp() instanceof SearchResultEntryProtocolOp; next = client.read()) {
            entries++;
        }
        assertTrue("it was ended after " + entries, entries < DEVICES - 1);
        return next;
    }

    private CommandRun connections(Object... more) {
        List<Object> arguments = new ArrayList<>(List.of("connections", "--url", "ldap://127.0.0.1:" + server.port(), "--password-file",
                password, "--data", folder.getRoot().toPath().resolve("none")));
        arguments.addAll(Arrays.asList(more));
        return CommandRun.of(arguments.toArray());
    }

    private String audited() throws Exception {
        return Files.readString(audit);
    }

    @Test
    public void aSearchOfSomebodyElseIsShownAndEnded() throws Exception {
        try (RawClient client = stalled(17); LDAPConnection admin = server.admin()) {
            SearchResultEntry search = devicesAsked(admin);
            assertTrue(search.getDN(), search.getDN().matches("cn=17,cn=\\d+," + BASE));
            assertEquals("search", search.getAttributeValue("alderOperationKind"));
            assertEquals("dn:" + TestServer.ADMIN, search.getAttributeValue("alderAuthorizationIdentity"));
            assertEquals("FALSE", search.getAttributeValue("alderFollowed"));
            assertEquals("running", search.getAttributeValue("alderOperationState"));
            assertFalse(search.hasAttribute("alderLagMillis"));
            assertTrue(search.getAttributeValueAsLong("alderRunningMicros") > 0);
            Map<?, ?> asked = (Map<?, ?>) JsonReader.parse(search.getAttributeValue("alderRequest"));
            assertEquals(USERS, asked.get("target"));
            assertEquals("one-level", asked.get("scope"));
            assertEquals("cn *", asked.get("asked"));
            assertEquals("values are cut, and secrets hidden", "(|(objectClass=device)(description=" + LONG_VALUE.substring(0, 32) + "...)(userPassword=...))",
                    asked.get("filter"));
            assertEquals("as it is named itself", search.getDN(), admin.getEntry(search.getDN()).getDN());
            assertEquals("1", admin.getEntry(search.getParentDNString()).getAttributeValue("alderOperations"));
            assertEquals(1, admin.search(search.getParentDNString(), SearchScope.ONE, "(objectClass=*)").getEntryCount());

            admin.delete(search.getDN());
            LDAPMessage result = resultOf(client);
            assertEquals(17, result.getMessageID());
            assertEquals("unwillingToPerform", 53, result.getSearchResultDoneProtocolOp().getResultCode());
            assertEquals("an administrator has ended the search", result.getSearchResultDoneProtocolOp().getDiagnosticMessage());
            Await.until("the search to be gone", () -> devicesAsked(admin) == null);
            assertEquals(ResultCode.NO_SUCH_OBJECT, assertThrows(LDAPException.class, () -> admin.delete(search.getDN())).getResultCode());
            client.send(devices(18));
            assertEquals("the connection lives", 18, client.read().getMessageID());
        }
        Await.until("the audit log to tell of it", () -> audited().lines().filter(line -> line.contains("\"event\":\"operationEnded\"")
                && line.contains("cn=17,cn=") && line.contains("a search of the connection of 127.0.0.1:") && line.contains("as dn:" + TestServer.ADMIN)).count() == 1);
    }

    @Test
    public void theVerbShowsAndCancelsThem() throws Exception {
        try (RawClient client = stalled(4); LDAPConnection admin = server.admin()) {
            String connection = devicesAsked(admin).getParentDNString().replaceAll("cn=(\\d+),.*", "$1");
            String listed = connections("requests", "--id", connection).succeeds().out();
            assertTrue(listed, listed.lines().anyMatch(line -> line.matches(connection + " +4 +search +\\d+ +dn:" + TestServer.ADMIN + " +\\{\"target\":\"" + USERS + ".*")));
            Map<?, ?> facts = (Map<?, ?>) JsonReader.parse(connections("requests", "--id", connection, "--json").succeeds().out());
            assertEquals(USERS, ((Map<?, ?>) facts.get("request")).get("target"));
            assertEquals(4.0, facts.get("message"));
            assertEquals("the head", 1, connections("requests", "--running", 86_400).succeeds().out().lines().count());
            connections("cancel", "--id", connection, "--message", 5).fails(1, "cancel: no request was canceled");
            connections("cancel", "--running", 86_400).fails(1, "cancel: no request was canceled");
            assertEquals("1 request canceled", connections("cancel", "--id", connection, "--message", 4).succeeds().out().strip());
            assertEquals(53, resultOf(client).getSearchResultDoneProtocolOp().getResultCode());
        }
        for (List<Object> wrong : List.<List<Object>>of(List.of("cancel"), List.of("close", "--message", 4), List.of("--running", 1), List.of("requests", "--idle", 3))) {
            assertEquals(wrong.toString(), 2, connections(wrong.toArray()).status());
        }
    }

    @Test
    public void searchesThatAreToldChangesAreEndedOnlyByTheirNames() throws Exception {
        try (RawClient client = new RawClient(server.port()); LDAPConnection admin = server.admin()) {
            client.bindAsAdmin();
            client.send(RawClient.bytes(9, new SearchRequestProtocolOp(USERS, SearchScope.ONE, DereferencePolicy.NEVER, 0, 0, false,
                    Filter.createPresenceFilter("cn"), List.of("cn")),
                    new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, true)));
            Await.until("the search to go on", () -> request(admin, "(alderFollowed=TRUE)") != null);
            String connection = request(admin, "(alderFollowed=TRUE)").getParentDNString().replaceAll("cn=(\\d+),.*", "$1");
            connections("cancel", "--id", connection).fails(1, "cancel: no request was canceled");
            assertEquals("1 request canceled", connections("cancel", "--id", connection, "--message", 9).succeeds().out().strip());
            assertEquals(53, client.read().getSearchResultDoneProtocolOp().getResultCode());
        }
    }

    @Test
    public void aSearchWhoseClientDoesNotReadFallsBehind() throws Exception {
        try (RawClient client = new RawClient(server.port(), 4096); LDAPConnection admin = server.admin()) {
            client.bindAsAdmin();
            client.send(RawClient.bytes(9, new SearchRequestProtocolOp(USERS, SearchScope.ONE, DereferencePolicy.NEVER, 0, 0, false,
                    Filter.createPresenceFilter("cn"), List.of("*")),
                    new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), true, false)));
            Await.until("the search to have been told all", () -> request(admin, "(&(alderFollowed=TRUE)(alderLagChanges=0)(alderLagMillis=0))") != null);
            assertEquals("running", request(admin, "(alderFollowed=TRUE)").getAttributeValue("alderOperationState"));
            byte[] large = new byte[200_000];
            Arrays.fill(large, (byte) 'x');
            for (int i = 0; i < 2000 && request(admin, "(alderLagChanges>=2)") == null; i++) {
                admin.modify(TestServer.userDn(1), new Modification(ModificationType.REPLACE, "description", large));
            }
            Await.until("time to go by", () -> request(admin, "(&(alderLagChanges>=2)(alderLagMillis>=20))") != null);
            SearchResultEntry figures = admin.getEntry(BASE);
            assertTrue(figures.getAttributeValue("alderFollowerLagChanges"), Integer.parseInt(figures.getAttributeValue("alderFollowerLagChanges").replace("127.0.0.1 ", "")) >= 2);
            assertTrue(figures.getAttributeValue("alderFollowerLagMillis"), Integer.parseInt(figures.getAttributeValue("alderFollowerLagMillis").replace("127.0.0.1 ", "")) >= 20);
            String connection = request(admin, "(alderFollowed=TRUE)").getParentDNString().replaceAll("cn=(\\d+),.*", "$1");
            Map<?, ?> facts = (Map<?, ?>) JsonReader.parse(connections("requests", "--id", connection, "--json").succeeds().out());
            assertTrue(facts.toString(), (Double) facts.get("lagChanges") >= 2 && (Double) facts.get("lagMillis") >= 20);
            client.cutOffAtTheEnd();
        }
    }

    @Test
    public void othersNeitherSeeNorEndThem() throws Exception {
        try (RawClient client = stalled(3); LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1)) {
            String search = devicesAsked(admin).getDN();
            assertThrows(LDAPException.class, () -> user.search(search, SearchScope.BASE, "(objectClass=*)"));
            assertThrows(LDAPException.class, () -> user.search(BASE, SearchScope.SUB, "(objectClass=*)"));
            assertThrows(LDAPException.class, () -> user.delete(search));
            assertEquals(search, devicesAsked(admin).getDN());
            client.cutOffAtTheEnd();
        }
    }

    @Test
    public void whatIsDoneWholeIsNotEnded() throws Exception {
        try (RawClient client = new RawClient(server.port()); LDAPConnection admin = server.admin()) {
            client.bindAsAdmin();
            List<SearchResultEntry> open = admin.search(BASE, SearchScope.ONE, "(objectClass=alderConnection)").getSearchEntries();
            for (SearchResultEntry connection : open) {
                client.send(RawClient.bytes(7, new DeleteRequestProtocolOp("cn=7," + connection.getDN())));
                LDAPMessage answer = client.read();
                String told = answer.getDeleteResponseProtocolOp().getDiagnosticMessage();
                if (answer.getDeleteResponseProtocolOp().getResultCode() == 53) {
                    assertEquals("a request of this kind, delete, is done whole once it has begun", told);
                    return;
                }
                assertEquals(told, 32, answer.getDeleteResponseProtocolOp().getResultCode());
            }
        }
        throw new AssertionError("the client's own connection was not among those that are open");
    }

    @Test
    public void pagesHaveEachOnce() throws Exception {
        try (RawClient client = stalled(5); LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1)) {
            TreeSet<String> found = new TreeSet<>();
            ASN1OctetString cookie = null;
            do {
                SearchRequest request = new SearchRequest(BASE, SearchScope.SUB, "(|(objectClass=alderConnection)(alderRequest=*\"" + USERS + "\"*))", "cn");
                request.setControls(new SimplePagedResultsControl(1, cookie, true));
                SearchResult page = admin.search(request);
                page.getSearchEntries().forEach(entry -> assertTrue(entry.getDN(), found.add(entry.getDN())));
                cookie = SimplePagedResultsControl.get(page).getCookie();
            } while (cookie != null && cookie.getValueLength() > 0);
            assertEquals(found.toString(), 4, found.size());
            assertTrue(user.isConnected());
            assertFalse(found.stream().allMatch(dn -> dn.startsWith("cn=5,")));
            client.cutOffAtTheEnd();
        }
    }
}
