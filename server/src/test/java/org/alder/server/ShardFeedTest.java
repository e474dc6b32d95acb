package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import com.unboundid.ldap.sdk.SearchRequest;
import com.unboundid.ldap.sdk.SearchResultEntry;
import com.unboundid.ldap.sdk.SearchScope;
import com.unboundid.ldap.sdk.controls.EntryChangeNotificationControl;
import com.unboundid.ldap.sdk.controls.PersistentSearchChangeType;
import com.unboundid.ldap.sdk.controls.PersistentSearchRequestControl;
import com.unboundid.ldif.LDIFException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.alder.partition.testing.Await;
import org.alder.partition.tree.Shard;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Persistent search from the suffix of shards. */
public class ShardFeedTest {
    private static final int SHARDS = 3;
    private static final int CLIENTS = 4;
    private static final int CHANGES = 60;
    private static final String SUFFIX = TestServer.SUFFIX;
    private static final String PARTITION = "\ndn: cn=first,cn=config\nobjectClass: alderPartition\nsuffix: " + SUFFIX + "\ndistribution: hash\nshards: " + SHARDS
            + "\nindex: objectClass eq\nindex: entryUUID eq\n";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final FollowingListener told = new FollowingListener();
    private ConfiguredServer server;
    private LDAPConnection admin;
    private LDAPConnection follower;

    @Before
    public void start() throws Exception {
        server = ConfiguredServer.start(folder.getRoot().toPath(), ConfiguredServer.SERVER + PARTITION);
        admin = server.admin();
        follower = server.admin();
        admin.add("dn: " + SUFFIX, "objectClass: domain", "dc: example");
        for (int i = 0; i < CLIENTS; i++) {
            add("p" + i);
        }
        assertNotEquals("all are in one shard", 1, IntStream.range(0, CLIENTS).map(i -> shard("p" + i)).distinct().count());
    }

    @After
    public void stop() {
        follower.close();
        admin.close();
        server.close();
    }

    private static int shard(String uid) {
        return Shard.numberOf(TestServer.dn(SUFFIX), TestServer.dn(dn(uid)), SHARDS);
    }

    private static String dn(String uid) {
        return "uid=" + uid + "," + SUFFIX;
    }

    private void add(String uid) throws LDAPException, LDIFException {
        admin.add("dn: " + dn(uid), "objectClass: inetOrgPerson", "cn: x", "sn: x");
    }

    private void follow(SearchScope scope, boolean changesOnly) throws LDAPException {
        SearchRequest request = new SearchRequest(told, SUFFIX, scope, "(objectClass=*)", "description");
        request.setControls(new PersistentSearchRequestControl(EnumSet.allOf(PersistentSearchChangeType.class), changesOnly, true));
        follower.asyncSearch(request);
        if (changesOnly) {
            follower.getEntry("");
        }
    }

    private static void describe(LDAPConnection connection, String dn, String text) throws LDAPException {
        connection.modify(dn, new Modification(ModificationType.REPLACE, "description", text));
    }

    /** What is told of one entry after the other. */
    private List<String> changes(int count) throws Exception {
        List<String> changes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SearchResultEntry entry = told.next(SearchResultEntry.class);
            changes.add(EntryChangeNotificationControl.get(entry).getChangeType().getName() + " " + entry.getDN());
        }
        return changes;
    }

    @Test(timeout = Await.MILLIS)
    public void firstAllEntriesOnceThenAllChangesOnce() throws Exception {
        follow(SearchScope.SUB, false);
        TreeSet<String> expected = new TreeSet<>(List.of(SUFFIX, dn("p0"), dn("p1"), dn("p2"), dn("p3")));
        for (int i = 0; i <= CLIENTS; i++) {
            SearchResultEntry entry = told.next(SearchResultEntry.class);
            assertNull(EntryChangeNotificationControl.get(entry));
            assertTrue(entry.getDN(), expected.remove(entry.getDN()));
        }
        describe(admin, SUFFIX, "written into all shards");
        assertEquals(List.of("modify " + SUFFIX), changes(1));
        for (int i = 0; i < CLIENTS; i++) {
            describe(admin, dn("p" + i), "x");
            assertEquals(List.of("modify " + dn("p" + i)), changes(1));
        }
        add("new");
        assertEquals(List.of("add " + dn("new")), changes(1));
        admin.delete(dn("new"));
        assertEquals(List.of("delete " + dn("new")), changes(1));
        told.isEmpty();
    }

    @Test(timeout = Await.MILLIS)
    public void ofOneLevelTheSuffixIsNoEntry() throws Exception {
        follow(SearchScope.ONE, true);
        describe(admin, SUFFIX, "x");
        for (int i = 0; i < CLIENTS; i++) {
            describe(admin, dn("p" + i), "x");
            assertEquals(List.of("modify " + dn("p" + i)), changes(1));
        }
        told.isEmpty();
    }

    /** Nothing is left untold, whoever wrote while the one who tells went to sleep. */
    @Test(timeout = Await.MILLIS)
    public void changesOfEachEntryComeInTheirOrder() throws Exception {
        follow(SearchScope.SUB, true);
        ExecutorService writers = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String dn = dn("p" + i);
                running.add(writers.submit(() -> {
                    try (LDAPConnection connection = server.admin()) {
                        for (int change = 0; change < CHANGES; change++) {
                            describe(connection, dn, Integer.toString(change));
                        }
                    }
                    return null;
                }));
            }
            TreeMap<String, Integer> next = new TreeMap<>();
            for (int i = 0; i < CLIENTS * CHANGES; i++) {
                SearchResultEntry entry = told.next(SearchResultEntry.class);
                int expected = next.merge(entry.getDN(), 1, Integer::sum) - 1;
                assertEquals(entry.getDN(), Integer.valueOf(expected), entry.getAttributeValueAsInteger("description"));
            }
            for (Future<?> each : running) {
                each.get(60, TimeUnit.SECONDS);
            }
            assertEquals(CLIENTS, next.size());
            told.isEmpty();
        } finally {
            writers.shutdownNow();
        }
    }
}
