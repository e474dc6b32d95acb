package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import com.unboundid.asn1.ASN1OctetString;
import com.unboundid.ldap.sdk.Entry;
import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.LDAPSearchException;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResult;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.SimplePagedResultsControl;
import com.unboundid.ldap.sdk.schema.EntryValidator;
import com.unboundid.ldap.sdk.schema.Schema;
import com.unboundid.ldif.LDIFException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Store;
import org.alder.server.resource.Latencies;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What clients read below cn=Monitor. */
public class MonitorTest {
    private static final String MONITOR = "cn=Monitor";
    /** connections, memory and its two kinds, operations and their eight kinds, workers; partitions; caches; indexes that lack;
     * the connection that asks, and its search. */
    private static final int ENTRIES = 1 + 1 + 3 + 9 + 1 + 1 + 2 + 10 + 1 + 1 + 1;
    private static final String FIRST = "cn=partition-1,cn=Monitor";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private int stores;

    private TestServer embedded() {
        return new TestServer(settings -> settings.withAnonymousRead(true), this::store, true);
    }

    private Store store(EntryIndexer indexer) {
        Path path = folder.getRoot().toPath().resolve("store" + stores++);
        return JdbmStore.open(path, StoreSettings.defaults().withCacheBytes(1 << 20, 1 << 20), indexer);
    }

    /** By what is asked of a partition its background work knows whether clients are served. */
    @Test
    public void whoeverLooksAtTheFiguresAsksNoPartitionForAnything() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            int before = server.openedSnapshots();
            SearchResultEntry partition = admin.getEntry(FIRST);
            assertTrue(partition.hasAttribute("alderIndex"));
            assertEquals(ENTRIES, admin.search(MONITOR, SearchScope.SUB, "(objectClass=*)").getEntryCount());
            assertEquals(before, server.openedSnapshots());
            admin.getEntry(TestServer.SUFFIX);
            assertTrue("a search is counted", server.openedSnapshots() > before);
        }
    }

    @Test
    public void theAdministratorReadsPartitionsAndCaches() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            SearchResult all = admin.search(MONITOR, SearchScope.SUB, "(objectClass=*)");
            assertEquals("the server, its counters, two partitions, five caches each, the connection and its search", ENTRIES, all.getEntryCount());
            SearchResultEntry partition = admin.getEntry(FIRST);
            assertEquals(TestServer.SUFFIX, partition.getAttributeValue("alderSuffix"));
            assertEquals(TestServer.USERS + 2, partition.getAttributeValueAsInteger("alderEntries").intValue());
            assertEquals(Boolean.FALSE, partition.getAttributeValueAsBoolean("alderMergeRunning"));
            assertFalse(partition.hasAttribute("alderReadOnlyReason"));
            SearchResultEntry cache = admin.getEntry("cn=pages," + FIRST);
            assertEquals(1 << 18, cache.getAttributeValueAsInteger("alderCacheLimitBytes").intValue());
            assertNotNull(admin.getEntry(MONITOR).getAttributeValueAsDate("alderStartTime"));
            assertEquals("TRUE", admin.getEntry(MONITOR).getAttributeValue("alderReady"));
            assertFalse(admin.getEntry(MONITOR).hasAttribute("alderOverload"));
        }
    }

    @Test
    public void theFiguresFollowTheServer() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            int before = admin.getEntry(FIRST).getAttributeValueAsInteger("alderTransactions");
            admin.modify("dn: " + TestServer.userDn(1), "changetype: modify", "replace: sn", "sn: Other");
            assertEquals(before + 1, admin.getEntry(FIRST).getAttributeValueAsInteger("alderTransactions").intValue());
        } catch (LDIFException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void operationsAreCountedByKindAndResult() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            assertThrows(LDAPException.class, () -> admin.search("cn=x," + TestServer.SUFFIX, SearchScope.SUB, "(cn=x)"));
            assertThrows(LDAPException.class, () -> admin.delete("cn=x," + TestServer.SUFFIX));
            assertTrue(admin.compare(TestServer.userDn(1), "sn", "Number1").compareMatched());
            assertEquals(Set.of("noSuchObject 1"), Set.of(results(admin, "search")));
            assertEquals("the one before was one more", Set.of("noSuchObject 1", "success 1"), Set.of(results(admin, "search")));
            assertEquals(Set.of("noSuchObject 1"), Set.of(results(admin, "delete")));
            assertEquals(Set.of("compareTrue 1"), Set.of(results(admin, "compare")));
            assertEquals(Set.of("success 1"), Set.of(results(admin, "bind")));
            assertFalse(admin.getEntry("cn=modify-dn,cn=operations,cn=Monitor").hasAttribute("alderResults"));
        }
    }

    @Test
    public void howLongOperationsTakeIsCountedByFixedBounds() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            for (int i = 1; i <= 3; i++) {
                assertTrue(admin.compare(TestServer.userDn(1), "sn", "Number1").compareMatched());
            }
            SearchResultEntry compares = admin.getEntry("cn=compare,cn=operations,cn=Monitor");
            assertEquals(Latencies.boundsMicros().length + 1, compares.getAttributeValues("alderLatency").length);
            assertEquals(3, Stream.of(compares.getAttributeValues("alderLatency")).mapToInt(value -> Integer.parseInt(value.split(" ")[1])).sum());
            assertTrue(compares.getAttributeValueAsLong("alderLatencyMicros") > 0);
        }
    }

    @Test
    public void whatSearchesLackIsShownWithTheIndexToAdd() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(&(sn=Number1)(|(title=x*)(street=*)))");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(sn=Number2)");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(uid=user.1)");
            admin.search(TestServer.SUFFIX, SearchScope.SUB, "(&(uid=user.1)(initials=x))");
            admin.search(TestServer.OTHER_SUFFIX, SearchScope.SUB, "(sn=Number1)");
            SearchResult shown = admin.search("cn=unindexed,cn=Monitor", SearchScope.ONE, "(objectClass=alderUnindexedMonitor)");
            assertEquals(Set.of("sn eq 2 " + TestServer.SUFFIX, "title sub 1 " + TestServer.SUFFIX, "street pres 1 " + TestServer.SUFFIX,
                    "sn eq 1 " + TestServer.OTHER_SUFFIX), shown.getSearchEntries().stream().map(entry -> entry.getAttributeValue("alderIndexToAdd")
                    + ' ' + entry.getAttributeValue("alderSearches") + ' ' + entry.getAttributeValue("alderSuffix")).collect(Collectors.toSet()));
            SearchResultEntry sn = admin.getEntry("cn=partition-1 sn eq,cn=unindexed,cn=Monitor");
            assertEquals(2 * (TestServer.USERS + 2), sn.getAttributeValueAsInteger("alderExaminedEntries").intValue());
            assertEquals(1, sn.getAttributeValueAsInteger("alderReturnedEntries").intValue());
            assertTrue(sn.getAttributeValueAsLong("alderLatencyMicros") > 0);
            assertEquals("3", admin.getEntry("cn=search,cn=operations,cn=Monitor").getAttributeValue("alderUnindexedSearches"));
        }
    }

    private static String[] results(LDAPConnection admin, String kind) throws LDAPException {
        return admin.getEntry("cn=" + kind + ",cn=operations,cn=Monitor").getAttributeValues("alderResults");
    }

    @Test
    public void connectionsAndWhatTheyHoldAreCounted() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin(); LDAPConnection other = server.anonymous()) {
            assertNotNull(other.getRootDSE());
            SearchResultEntry connections = admin.getEntry("cn=connections,cn=Monitor");
            assertEquals(2, connections.getAttributeValueAsInteger("alderConnections").intValue());
            assertEquals(2, connections.getAttributeValueAsInteger("alderConnectionsAccepted").intValue());
            assertEquals(0, connections.getAttributeValueAsInteger("alderConnectionsRefused").intValue());
            long read = connections.getAttributeValueAsLong("alderReadBytes");
            assertTrue(read > 0 && connections.getAttributeValueAsLong("alderWrittenBytes") > 0);
            assertTrue(admin.getEntry("cn=connections,cn=Monitor").getAttributeValueAsLong("alderReadBytes") > read);
            SearchResultEntry memory = admin.getEntry("cn=operationBytes,cn=memory,cn=Monitor");
            assertEquals(server.server().memory().operations().limitBytes(),
                    memory.getAttributeValueAsLong("alderHeldBytesLimit").longValue());
            assertEquals(0, admin.getEntry("cn=workers,cn=Monitor").getAttributeValueAsInteger("alderWaitingTasks").intValue());
        }
    }

    @Test
    public void scopesAndFiltersHold() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            assertEquals(1, admin.search(MONITOR, SearchScope.BASE, "(objectClass=*)").getEntryCount());
            assertEquals(2, admin.search(MONITOR, SearchScope.ONE, "(objectClass=alderPartitionMonitor)").getEntryCount());
            assertEquals(8, admin.search(MONITOR, SearchScope.ONE, "(objectClass=*)").getEntryCount());
            assertEquals(ENTRIES - 1, admin.search(MONITOR, SearchScope.SUBORDINATE_SUBTREE, "(objectClass=*)").getEntryCount());
            assertEquals(5, admin.search("CN=Partition-2, cn=monitor", SearchScope.ONE, "(cn=*)").getEntryCount());
            assertEquals(1, admin.search(MONITOR, SearchScope.SUB, "(alderEntries>=10)").getEntryCount());
            assertEquals(0, admin.search(TestServer.SUFFIX, SearchScope.SUB, "(alderEntries=*)").getEntryCount());
            assertEquals("not searched from the root", 0, admin.search("", SearchScope.SUB, "(alderEntries=*)").getEntryCount());
            assertTrue(admin.compare(FIRST, "alderSuffix", TestServer.SUFFIX).compareMatched());
            LDAPSearchException missing = assertThrows(LDAPSearchException.class,
                    () -> admin.search("cn=nothing,cn=Monitor", SearchScope.SUB, "(cn=*)"));
            assertEquals(ResultCode.NO_SUCH_OBJECT, missing.getResultCode());
        }
    }

    @Test
    public void pagesDoNotRepeat() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            SearchRequest request = new SearchRequest(MONITOR, SearchScope.SUB, "(objectClass=*)", "1.1");
            List<String> dns = new ArrayList<>();
            ASN1OctetString cookie = null;
            do {
                request.setControls(new SimplePagedResultsControl(4, cookie));
                SearchResult page = admin.search(request);
                page.getSearchEntries().stream().map(Entry::getDN).forEach(dns::add);
                cookie = SimplePagedResultsControl.get(page).getCookie();
            } while (cookie != null && cookie.getValueLength() > 0);
            assertEquals(ENTRIES, dns.size());
            assertEquals(ENTRIES, dns.stream().distinct().count());
        }
    }

    @Test
    public void theEntriesAreThoseOfTheSchema() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin()) {
            EntryValidator validator = new EntryValidator(Schema.getSchema(admin));
            for (SearchResultEntry entry : admin.search(MONITOR, SearchScope.SUB, "(objectClass=*)").getSearchEntries()) {
                List<String> reasons = new ArrayList<>();
                assertTrue(entry.getDN() + ": " + reasons, validator.entryIsValid(entry, reasons));
            }
        }
    }

    @Test
    public void nobodyElseSeesAnythingAndNobodyChangesIt() throws LDAPException {
        try (TestServer server = embedded(); LDAPConnection admin = server.admin(); LDAPConnection user = server.user(1);
                LDAPConnection anonymous = server.anonymous()) {
            for (LDAPConnection connection : List.of(anonymous, user)) {
                for (String base : List.of(MONITOR, FIRST, "cn=nothing,cn=Monitor")) {
                    LDAPSearchException refusal = assertThrows(LDAPSearchException.class,
                            () -> connection.search(base, SearchScope.SUB, "(objectClass=*)"));
                    assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, refusal.getResultCode());
                    assertEquals(0, refusal.getEntryCount());
                }
                assertEquals(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, assertThrows(LDAPException.class,
                        () -> connection.compare(FIRST, "alderSuffix", TestServer.SUFFIX)).getResultCode());
            }
            assertEquals(ResultCode.UNWILLING_TO_PERFORM,
                    assertThrows(LDAPException.class, () -> admin.delete(FIRST)).getResultCode());
        }
    }
}
