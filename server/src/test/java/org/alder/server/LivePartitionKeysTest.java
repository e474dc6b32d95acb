package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.ResultCode;
import com.unboundid.ldap.sdk.SearchScope;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Keys of a partition that a running server goes by at once: what it does after each change is not what it did before. */
public class LivePartitionKeysTest {
    private static final String ENTRY = "cn=first,cn=config";
    private static final String STORED = ConfiguredServer.PARTITION.replace("engine: memory\n", "");
    private static final int PEOPLE = 300;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private ConfiguredServer start(String keys) throws Exception {
        ConfiguredServer server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + STORED + keys);
        try (LDAPConnection admin = server.admin()) {
            admin.add("dn: " + TestServer.SUFFIX, "objectClass: domain", "dc: example");
            for (int i = 0; i < PEOPLE; i++) {
                addPerson(admin, i);
            }
        }
        return server;
    }

    private static void addPerson(LDAPConnection admin, int number) throws Exception {
        admin.add("dn: uid=u" + number + "," + TestServer.SUFFIX, "objectClass: account", "uid: u" + number,
                "description: " + ("the same words for all " + number).repeat(20));
    }

    private static void change(LDAPConnection admin, String key, String value) throws LDAPException {
        assertNull(admin.modify(ENTRY, new Modification(ModificationType.REPLACE, key, value)).getDiagnosticMessage());
        assertEquals(value, admin.getEntry(ENTRY).getAttributeValue(key));
    }

    private static void describe(LDAPConnection admin, int number, String text) throws LDAPException {
        admin.modify("uid=u" + number + "," + TestServer.SUFFIX, new Modification(ModificationType.REPLACE, "description", text));
    }

    private static int found(LDAPConnection admin) throws LDAPException {
        return admin.search(TestServer.SUFFIX, SearchScope.SUB, "(objectClass=account)").getEntryCount();
    }

    /** The files with the entries. */
    private long segmentBytes() throws IOException {
        long bytes = 0;
        try (Stream<Path> files = Files.walk(folder.getRoot().toPath().resolve("data/partitions/first"))) {
            for (Path file : files.filter(each -> each.getFileName().toString().equals("master.entries")).toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /** All that was written so far in one new segment. */
    private static void rewrite(ConfiguredServer server, LDAPConnection admin, int number) throws Exception {
        server.store().maintenance().flush();
        addPerson(admin, number);
        server.store().maintenance().compact();
        assertEquals(1, server.store().maintenance().status().parts());
    }

    @Test(timeout = Await.MILLIS)
    public void newSegmentsAreCompressedAsIsSaidNow() throws Exception {
        try (ConfiguredServer server = start("compression: none\n"); LDAPConnection admin = server.admin()) {
            rewrite(server, admin, PEOPLE);
            long plain = segmentBytes();
            assertTrue("more than the text of the entries: " + plain, plain > PEOPLE * 400);
            change(admin, "compression", "coded");
            assertEquals("what is there stays as it is", plain, segmentBytes());
            rewrite(server, admin, PEOPLE + 1);
            long compressed = segmentBytes();
            assertTrue(compressed + " of " + plain, compressed < plain / 2);
            change(admin, "compression", "none");
            rewrite(server, admin, PEOPLE + 2);
            assertTrue(segmentBytes() + " of " + plain, segmentBytes() >= plain);
            assertEquals(PEOPLE + 3, found(admin));
        }
    }

    /** A byte a second: without another value it would not end before the limit of this test. */
    @Test(timeout = Await.MILLIS)
    public void aMergeThatIsUnderWayGoesByTheRateOfNow() throws Exception {
        try (ConfiguredServer server = start("mergeBytesPerSecond: 100g\n"); LDAPConnection admin = server.admin()) {
            Store store = server.store();
            rewrite(server, admin, PEOPLE);
            change(admin, "mergeBytesPerSecond", "1");
            store.maintenance().flush();
            addPerson(admin, PEOPLE + 1);
            store.maintenance().flush();
            assertEquals(2, store.maintenance().status().parts());
            CompletableFuture<Void> merge = CompletableFuture.runAsync(store.maintenance()::compact, Await.THREADS);
            Await.until("the merge to have begun", () -> store.maintenance().status().background().mergeRunning());
            assertEquals("searches go on", PEOPLE + 2, found(admin));
            assertFalse(merge.isDone());
            assertEquals(2, store.maintenance().status().parts());
            change(admin, "mergeBytesPerSecond", "100g");
            Await.result("the merge", merge);
            assertEquals(1, store.maintenance().status().parts());
        }
    }

    @Test(timeout = Await.MILLIS)
    public void aSearchKeepsItsPointInTimeAsLongAsIsSaidNow() throws Exception {
        try (ConfiguredServer server = start(""); LDAPConnection admin = server.admin(); Snapshot snapshot = server.store().snapshot()) {
            assertTrue(snapshot.entry(1) != null);
            change(admin, "snapshotTimeLimitSeconds", "1");
            Await.until("the snapshot to be taken back", () -> {
                try {
                    snapshot.entry(1);
                    return false;
                } catch (StoreException e) {
                    assertEquals(StoreException.Kind.SNAPSHOT_EXPIRED, e.kind());
                    assertTrue(e.getMessage(), e.getMessage().contains("longer than 1 s (snapshotTimeLimitSeconds)"));
                    return true;
                }
            });
            assertEquals("others have their own time", PEOPLE, found(admin));
        }
    }

    @Test(timeout = Await.MILLIS)
    public void updatesAreRefusedBelowWhatIsToBeFreeNow() throws Exception {
        try (ConfiguredServer server = start(""); LDAPConnection admin = server.admin()) {
            change(admin, "diskLowBytes", "8000000g");
            Await.until("updates to be refused", () -> {
                try {
                    describe(admin, 1, "still");
                    return false;
                } catch (LDAPException e) {
                    assertEquals(e.getMessage(), ResultCode.UNWILLING_TO_PERFORM, e.getResultCode());
                    assertTrue(e.getMessage(), e.getMessage().contains("diskLowBytes"));
                    return true;
                }
            });
            assertEquals("searches go on", PEOPLE, found(admin));
            change(admin, "diskLowBytes", "0");
            Await.until("updates to be taken again", () -> {
                try {
                    describe(admin, 1, "again");
                    return true;
                } catch (LDAPException e) {
                    return false;
                }
            });
        }
    }

    private static long missedSets(ConfiguredServer server) {
        return server.store().maintenance().cacheStatus().caches().stream().filter(each -> each.name().equals("id-sets")).findFirst()
                .orElseThrow().misses();
    }

    /** @return how many ID sets the first searches behind a merge had to read, of those that the searches before it had used */
    private static long missedAfterMerge(ConfiguredServer server, LDAPConnection admin, int number) throws Exception {
        server.store().maintenance().flush();
        addPerson(admin, number);
        server.store().maintenance().flush();
        found(admin);
        found(admin);
        server.store().maintenance().compact();
        long before = missedSets(server);
        found(admin);
        return missedSets(server) - before;
    }

    @Test(timeout = Await.MILLIS)
    public void newSegmentsAreWarmedAsIsSaidNow() throws Exception {
        try (ConfiguredServer server = start("warmSegments: false\n"); LDAPConnection admin = server.admin()) {
            assertTrue(missedAfterMerge(server, admin, PEOPLE) > 0);
            change(admin, "warmSegments", "true");
            assertEquals(0, missedAfterMerge(server, admin, PEOPLE + 1));
            change(admin, "warmSegments", "false");
            assertTrue(missedAfterMerge(server, admin, PEOPLE + 2) > 0);
        }
    }

    @Test(timeout = Await.MILLIS)
    public void whatChangedIsToldAsFarBackAsIsSaidNow() throws Exception {
        try (ConfiguredServer server = start(""); LDAPConnection admin = server.admin();
                SyncedCopy copy = new SyncedCopy(server.admin(), TestServer.SUFFIX, "(objectClass=account)")) {
            assertEquals(PEOPLE, copy.poll());
            describe(admin, 1, "first");
            server.store().maintenance().flush();
            assertEquals("what changed", 1, copy.poll());
            change(admin, "changeHistoryBytes", "0");
            describe(admin, 2, "second");
            server.store().maintenance().flush();
            assertEquals("nothing is known any more", PEOPLE, copy.poll());
            change(admin, "changeHistoryBytes", "64m");
            describe(admin, 3, "third");
            server.store().maintenance().flush();
            assertEquals("what changed since", 1, copy.poll());
            assertEquals(SyncedCopy.content(admin, TestServer.SUFFIX, "(objectClass=account)"), copy.content());
        }
    }
}
