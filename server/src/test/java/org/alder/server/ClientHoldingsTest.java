package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.protocol.LDAPMessage;
import com.unboundid.ldap.protocol.SearchRequestProtocolOp;
import com.unboundid.ldap.protocol.SearchResultDoneProtocolOp;
import com.unboundid.ldap.sdk.Attribute;
import com.unboundid.ldap.sdk.Control;
import com.unboundid.ldap.sdk.DereferencePolicy;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.GenericSASLBindRequest;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.ContentSyncDoneControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestControl;
import com.unboundid.ldap.sdk.controls.ContentSyncRequestMode;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldap.sdk.controls.ServerSideSortRequestControl;
import com.unboundid.ldap.sdk.controls.SortKey;
import com.unboundid.ldap.sdk.controls.VirtualListViewRequestControl;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.testing.Await;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.MemoryLimits;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

/** That each kind of what the server holds for clients is counted before it is held, is refused by name, and is shown with who has it. */
public class ClientHoldingsTest {
    private static final String USERS = "ou=users," + TestServer.SUFFIX;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private static TestServer server(long operationBytes) {
        return new TestServer(settings -> settings.with(draft -> draft.memory =
                new MemoryLimits(settings.memory().unfinishedBytes(), operationBytes)));
    }

    private static MemoryBudget operations(TestServer server) {
        return server.server().memory().operations();
    }

    private static void holdsNothing(TestServer server) throws Exception {
        Await.until("nothing is held", () -> operations(server).heldBytes() == 0);
    }

    private static Filter wide(int items) throws LDAPException {
        List<Filter> parts = new ArrayList<>(Collections.nCopies(items, Filter.create("(cn=a)")));
        parts.add(Filter.create("(objectClass=device)"));
        return Filter.createORFilter(parts);
    }

    private static SearchRequestProtocolOp search(Filter filter) {
        return new SearchRequestProtocolOp(USERS, SearchScope.ONE, DereferencePolicy.NEVER, 0, 0, false, filter, List.of());
    }

    private static long held(TestServer server, Holding what) throws LDAPException {
        try (LDAPConnection admin = server.admin()) {
            return figures(admin, "cn=memory,cn=Monitor", "alderHeldBytesOfKind").getOrDefault(what.label(), 0L);
        }
    }

    /** A few bytes may be those that tell this how much there is. */
    private static void awaitWaitingSearch(TestServer server) throws Exception {
        Await.until("the search waits for its client", () -> held(server, Holding.UNREAD_ANSWER) > 10_000);
    }

    /** The values of an attribute, each a name and a number. */
    private static Map<String, Long> figures(LDAPConnection admin, String dn, String attribute) throws LDAPException {
        Map<String, Long> figures = new LinkedHashMap<>();
        String[] values = admin.getEntry(dn).getAttributeValues(attribute);
        for (String value : values == null ? new String[0] : values) {
            int space = value.lastIndexOf(' ');
            figures.put(value.substring(0, space), Long.parseLong(value.substring(space + 1)));
        }
        return figures;
    }

    private static void isRefused(LDAPConnection client, String what, ThrowingRunnable action) {
        LDAPException refusal = assertThrows(LDAPException.class, action);
        assertTrue(refusal.toString(), refusal.getResultCode() == ResultCode.BUSY
                || refusal.getResultCode() == ResultCode.ADMIN_LIMIT_EXCEEDED);
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("cannot be held for " + what));
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("operationBytes"));
        assertTrue("the connection lives", client.isConnected());
    }

    /** Forty kilobytes of request became megabytes, and a search that waited counted for sixteen. */
    @Test(timeout = Await.MILLIS)
    public void wideFiltersOfSearchesThatWaitAreCounted() throws Exception {
        try (TestServer server = new TestServer(); RawClient client = new RawClient(server.port(), 4096)) {
            server.addDevices(20_000);
            client.bindAsAdmin();
            client.send(RawClient.bytes(1, search(wide(5000))));
            awaitWaitingSearch(server);
            assertTrue("held " + held(server, Holding.SEARCH), held(server, Holding.SEARCH) > 2_000_000);
            while (!(client.read().getProtocolOp() instanceof SearchResultDoneProtocolOp)) {
                assertTrue(operations(server).heldBytes() >= 0);
            }
            holdsNothing(server);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aFilterThatWouldTakeTooMuchIsRefusedBeforeItIsCompiled() throws Exception {
        try (TestServer server = server(1 << 20); LDAPConnection admin = server.admin()) {
            isRefused(admin, "a search", () -> admin.search(USERS, SearchScope.ONE, wide(5000)));
            assertNotNull(admin.getEntry(USERS));
            holdsNothing(server);
        }
    }

    /** The members of a dynamic group are worked out in memory, which a hundred thousand of them took without being counted. */
    @Test(timeout = Await.MILLIS)
    public void membersThatAreWorkedOutAreCounted() throws Exception {
        String group = "cn=devices," + TestServer.SUFFIX;
        Attribute[] attributes = {new Attribute("objectClass", "groupOfURLs", "extensibleObject"),
                new Attribute("memberURL", "ldap:///" + USERS + "??one?(objectClass=device)")};
        try (TestServer server = server(3 << 20); LDAPConnection admin = server.admin()) {
            server.addDevices(20_000);
            admin.add(group, attributes);
            isRefused(admin, "a search", () -> admin.search(group, SearchScope.BASE, "(objectClass=*)", "member"));
            assertEquals("what is not asked for takes nothing", 1,
                    admin.search(group, SearchScope.BASE, "(objectClass=*)", "memberURL").getEntryCount());
            holdsNothing(server);
        }
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            server.addDevices(20_000);
            admin.add(group, attributes);
            Entry found = admin.getEntry(group, "member");
            assertEquals(20_000, found.getAttributeValues("member").length);
            holdsNothing(server);
        }
    }

    /** The names of all groups that an entry is in were gathered without being counted. */
    @Test(timeout = Await.MILLIS)
    public void groupsOfAnEntryAreCounted() throws Exception {
        String member = TestServer.userDn(1);
        try (TestServer server = server(1 << 20); LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1)) {
            server.addGroups(10_000, member);
            for (LDAPConnection client : List.of(admin, user)) {
                isRefused(client, "a search", () -> client.search(member, SearchScope.BASE, "(objectClass=*)", "memberOf"));
                assertEquals("what is not asked for takes nothing", 1,
                        client.search(member, SearchScope.BASE, "(objectClass=*)", "cn").getEntryCount());
            }
            holdsNothing(server);
        }
        try (TestServer server = new TestServer(); LDAPConnection admin = server.admin()) {
            server.addGroups(10_000, member);
            assertEquals(10_000, admin.getEntry(member, "memberOf").getAttributeValues("memberOf").length);
            holdsNothing(server);
        }
    }

    /** What a list view gathers before it finds its window. */
    @Test(timeout = Await.MILLIS)
    public void listViewsThatWaitAreCounted() throws Exception {
        try (TestServer server = new TestServer(); RawClient client = new RawClient(server.port(), 4096)) {
            server.addAccounts(20_000);
            client.bindAsAdmin();
            client.send(RawClient.bytes(1, search(Filter.create("(objectClass=account)")), new ServerSideSortRequestControl(new SortKey("uid")),
                    new VirtualListViewRequestControl(1, 0, 19_999, 0, null)));
            awaitWaitingSearch(server);
            assertTrue("held " + held(server, Holding.SEARCH), held(server, Holding.SEARCH) > 20_000 * Long.BYTES);
            client.close();
            holdsNothing(server);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void searchesThatAreToldChangesAreCounted() throws Exception {
        PersistentSearchRequestControl changes =
                new PersistentSearchRequestControl(PersistentSearchChangeType.allChangeTypes(), true, true);
        try (TestServer server = server(100_000); RawClient client = new RawClient(server.port())) {
            client.bindAsAdmin();
            client.send(RawClient.bytes(1, search(Filter.create("(cn=x)")), changes), RawClient.bytes(2, search(Filter.create("(cn=y)")), changes));
            Await.until("both are followed", () -> held(server, Holding.FOLLOWED_SEARCH) >= 2 * 20_000);
            for (int id = 3; id <= 10; id++) {
                client.send(RawClient.bytes(id, search(Filter.create("(cn=x)")), changes));
            }
            SearchResultDoneProtocolOp refused = client.read().getSearchResultDoneProtocolOp();
            assertEquals(ResultCode.BUSY_INT_VALUE, refused.getResultCode());
            assertTrue(refused.getDiagnosticMessage(), refused.getDiagnosticMessage().contains("a search that is told changes"));
            client.close();
            holdsNothing(server);
        }
    }

    /** The names of all that was deleted since a copy was made. */
    @Test(timeout = Await.MILLIS)
    public void whatACopyHasToForgetIsCounted() throws Exception {
        try (TestServer server = server(200_000); LDAPConnection admin = server.admin()) {
            SearchRequest copy = new SearchRequest(USERS, SearchScope.ONE, "(objectClass=device)", "1.1");
            copy.setControls(new ContentSyncRequestControl(ContentSyncRequestMode.REFRESH_ONLY));
            ASN1OctetString cookie = ContentSyncDoneControl.get(admin.search(copy)).getCookie();
            server.addAccounts(10_000);
            copy.setControls(new ContentSyncRequestControl(true, ContentSyncRequestMode.REFRESH_ONLY, cookie, false));
            isRefused(admin, "a search", () -> admin.search(copy));
            holdsNothing(server);
        }
    }

    /** What an authentication had to remember between two binds was nobody's. */
    @Test(timeout = Await.MILLIS)
    public void authenticationsBetweenTwoBindsAreCounted() throws Exception {
        try (TestServer server = new TestServer(); LDAPConnection first = server.anonymous(); LDAPConnection second = server.anonymous()) {
            for (LDAPConnection each : List.of(first, second)) {
                LDAPException more = assertThrows(LDAPException.class, () -> each.bind(new GenericSASLBindRequest("",
                        "SCRAM-SHA-256", new ASN1OctetString("n,,n=user.1,r=" + "x".repeat(20_000)))));
                assertEquals(ResultCode.SASL_BIND_IN_PROGRESS, more.getResultCode());
            }
            assertTrue("held " + held(server, Holding.AUTHENTICATION), held(server, Holding.AUTHENTICATION) > 2 * 20_000);
            first.bind(TestServer.userDn(1), TestServer.USER_PASSWORD);
            second.close();
            holdsNothing(server);
        }
    }

    /** Each search that waited kept the changes in memory that were so when it began, for ten minutes, however much was on the disk by then. */
    @Test(timeout = Await.MILLIS)
    public void searchesThatWaitKeepNoMoreMemoryLayersThanTheyMay() throws Exception {
        long layerBytes = 64 << 10;
        StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(layerBytes).withHeldLayerBytes(4 * layerBytes);
        AtomicInteger suffix = new AtomicInteger();
        try (TestServer server = new TestServer(unchanged -> unchanged, indexer -> JdbmStore.open(folder.getRoot().toPath()
                .resolve("store" + suffix.incrementAndGet()), settings, indexer), true);
                LDAPConnection admin = server.admin()) {
            server.addDevices(20_000);
            server.partitions().get(0).store().maintenance().flush();
            List<RawClient> clients = new ArrayList<>();
            for (int round = 0; round < 12; round++) {
                RawClient client = new RawClient(server.port(), 4096);
                clients.add(client);
                client.bindAsAdmin();
                client.send(RawClient.bytes(1, search(Filter.create("(objectClass=device)"))));
                int waiting = round + 1;
                Await.until("the search waits for its client", () -> server.openSnapshots() == waiting);
                for (int i = 0; i < 20; i++) {
                    admin.modify(USERS, new Modification(ModificationType.REPLACE, "description", i + "x".repeat(8 << 10)));
                }
                server.partitions().get(0).store().maintenance().flush();
                Await.until("no more is held than may be", () -> figures(admin, "cn=memory,cn=Monitor", "alderHeldBytesOfKind")
                        .getOrDefault("memoryLayers", 0L) <= 4 * layerBytes);
            }
            assertTrue(admin.getEntry("cn=partition-1,cn=Monitor").getAttributeValueAsLong("alderHeldLayerBytes") > layerBytes);
            RawClient oldest = clients.get(0);
            LDAPMessage last = oldest.read();
            for (; !(last.getProtocolOp() instanceof SearchResultDoneProtocolOp); last = oldest.read()) {
                assertEquals("what was found before", 1, last.getMessageID());
            }
            assertEquals(ResultCode.ADMIN_LIMIT_EXCEEDED_INT_VALUE, last.getSearchResultDoneProtocolOp().getResultCode());
            String why = last.getSearchResultDoneProtocolOp().getDiagnosticMessage();
            assertTrue(why, why.contains("more than " + 4 * layerBytes + " (heldLayerBytes)"));
            oldest.send(RawClient.bytes(2, search(Filter.create("(uid=user.1)"))));
            assertEquals("the connection lives", 2, oldest.read().getMessageID());
            for (RawClient client : clients) {
                client.close();
            }
        }
    }

    @Test(timeout = Await.MILLIS)
    public void theMonitorShowsWhoHoldsMostAndForWhat() throws Exception {
        try (TestServer server = new TestServer(); RawClient client = new RawClient(server.port(), 4096); LDAPConnection admin = server.admin()) {
            server.addDevices(20_000);
            client.bindAsAdmin();
            client.send(RawClient.bytes(1, search(Filter.create("(objectClass=device)"))));
            awaitWaitingSearch(server);
            Map<String, Long> identities = figures(admin, "cn=memory,cn=Monitor", "alderHeldBytesOfIdentity");
            assertTrue(identities.toString(), identities.get("dn:" + TestServer.ADMIN) > 10_000);
            String largest = figures(admin, "cn=memory,cn=Monitor", "alderHeldBytesOfConnection").keySet().iterator().next();
            Await.until("the figures are of a search that is at rest", () -> {
                Long all = figures(admin, "cn=memory,cn=Monitor", "alderHeldBytesOfConnection").get(largest);
                Map<String, Long> its = figures(admin, "cn=" + largest + ",cn=connections,cn=Monitor", "alderHeldBytesOfKind");
                return its.containsKey(Holding.UNREAD_ANSWER.label()) && its.values().stream().reduce(0L, Long::sum).equals(all)
                        // With the candidates that are left.
                        && its.getOrDefault(Holding.SEARCH.label(), 0L) > (16 << 10) + 2000;
            });
        }
    }
}
