package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.KeyRange;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** That memory layers which the disk has already, and somebody reads, take no more of the heap than they may, whoever reads them. */
public class HeldLayersTest {
    private static final int COLOR = 1;
    private static final long LAYER_BYTES = 50_000;
    private static final long HELD_BYTES = 4 * LAYER_BYTES;
    private static final int ROUNDS = 15;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private JdbmStore store;
    private int added;

    @Before
    public void open() {
        open(HELD_BYTES);
    }

    private void open(long heldBytes) {
        StoreSettings settings = StoreSettings.defaults().withMemoryLayerBytes(LAYER_BYTES).withHeldLayerBytes(heldBytes)
                .withSnapshotTimeLimitMillis(0);
        store = JdbmStore.open(temporary.getRoot().toPath().resolve("store"), settings, new TestIndexer("color"));
        StoreTests.add(store, 0, "top", "red");
    }

    @After
    public void close() {
        store.close();
    }

    /** Fills a layer of its own, and writes it to the disk. */
    private long fillLayer() {
        long id = 0;
        for (int i = 0; i < 8; i++) {
            id = StoreTests.add(store, 1, "n" + added++, "x".repeat(2000), "red");
        }
        store.flush();
        return id;
    }

    private static void isTakenBack(Runnable read) {
        StoreException refusal = assertThrows(StoreException.class, read::run);
        assertEquals(StoreException.Kind.SNAPSHOT_EXPIRED, refusal.kind());
        assertTrue(refusal.getMessage(), refusal.getMessage().contains("more than " + HELD_BYTES + " (heldLayerBytes)"));
    }

    /** Each search that began before another flush kept one more layer, as many as there were. */
    @Test(timeout = Await.MILLIS)
    public void searchesThatBeginOneAfterTheOtherKeepNoMoreThanTheyMay() throws Exception {
        List<Snapshot> searches = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            long id = StoreTests.add(store, 1, "first" + i, "red");
            Snapshot search = store.snapshot();
            searches.add(search);
            fillLayer();
            Await.until("no more is held than may be", () -> store.status().heldBytes() <= HELD_BYTES);
            assertNotNull("the youngest goes on", search.entry(id));
            assertEquals(9 * i + 2, search.cardinality(COLOR, StoreTests.utf8("red")));
        }
        isTakenBack(() -> searches.get(0).entry(1));
        assertTrue("some are held", store.status().heldBytes() > LAYER_BYTES / 2);
        searches.forEach(Snapshot::close);
        Await.until("nothing is held when nobody reads", () -> store.status().heldBytes() == 0);
        try (Snapshot now = store.snapshot()) {
            assertEquals(9 * ROUNDS + 1, now.cardinality(COLOR, StoreTests.utf8("red")));
        }
    }

    /** A search that nobody goes on with, as its client does not read, kept what it had begun to read. */
    @Test(timeout = Await.MILLIS)
    public void whatIsTakenBackIsFreeWhileTheSearchStillHasIt() throws Exception {
        long id = StoreTests.add(store, 1, "read", "red");
        Snapshot search = store.snapshot();
        WeakReference<EntryRecord> record = new WeakReference<>(search.entry(id));
        Snapshot.EntryLookup lookup = search.lookup(IdSet.of(id));
        Snapshot.EntryCursor entries = search.entries(0);
        assertTrue(entries.next());
        Snapshot.KeyCursor keys = search.keys(COLOR, KeyRange.ALL);
        assertTrue(keys.next());
        List<Snapshot> younger = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            fillLayer();
            younger.add(store.snapshot());
        }
        Await.until("the layer is free", () -> {
            System.gc();
            return record.get() == null;
        });
        for (Runnable read : List.<Runnable>of(() -> search.entry(id), () -> lookup.entry(id), entries::next, entries::entry, keys::next,
                keys::ids, keys::cardinality, () -> search.ids(COLOR, StoreTests.utf8("red")), () -> search.entries(0))) {
            isTakenBack(read);
        }
        entries.close();
        keys.close();
        search.close();
        younger.forEach(Snapshot::close);
        Reference.reachabilityFence(search);
    }

    /** Commits that wait for a client keep their layers as searches do. */
    @Test(timeout = Await.MILLIS)
    public void statesOfCommitsThatNobodyTakesAreTakenBack() throws Exception {
        LinkedBlockingQueue<Commit> told = new LinkedBlockingQueue<>();
        CommitFeed.Following following = store.follow(told::add);
        StoreTests.add(store, 1, "followed", "red");
        Commit read = Await.next("a commit", told);
        Snapshot before = read.before();
        assertEquals(1, before.cardinality(COLOR, StoreTests.utf8("red")));
        List<Commit> waiting = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            fillLayer();
            Await.until("no more is held than may be", () -> store.status().heldBytes() <= HELD_BYTES);
            told.drainTo(waiting);
        }
        isTakenBack(() -> before.cardinality(COLOR, StoreTests.utf8("red")));
        isTakenBack(read::after);
        isTakenBack(waiting.get(0)::before);
        Commit youngest = waiting.get(waiting.size() - 1);
        assertEquals("the youngest goes on", 2 + 8 * ROUNDS, youngest.after().cardinality(COLOR, StoreTests.utf8("red")));
        following.close();
        read.close();
        waiting.forEach(Commit::close);
        Await.until("nothing is held when nobody reads", () -> store.status().heldBytes() == 0);
        assertNull(store.status().readOnlyReason());
    }

    /** Each search that began before another rename kept a memo of its own, of a 64th of the heap. */
    @Test(timeout = Await.MILLIS)
    public void namesOfStatesBeforeTheLastRenamesAreForgotten() {
        List<Snapshot> searches = new ArrayList<>();
        for (int i = 0; i < ROUNDS; i++) {
            String name = "cn=" + i;
            store.submit(context -> {
                context.rename(1, 0, StoreTests.utf8(name), List.of());
                return null;
            }).join();
            Snapshot search = store.snapshot();
            search.dnMemo().put(1, name);
            search.dnMemo().putId(StoreTests.utf8(name), 1);
            searches.add(search);
        }
        for (int i = 0; i < ROUNDS - 2; i++) {
            Snapshot.DnMemo old = searches.get(i).dnMemo();
            old.put(2, "cn=again");
            assertNull(old.get(1));
            assertNull(old.get(2));
            assertEquals(0, old.id(StoreTests.utf8("cn=" + i)));
            assertEquals("cn=" + i, searches.get(i).entry(1).rdn());
        }
        assertEquals("cn=" + (ROUNDS - 2), searches.get(ROUNDS - 2).dnMemo().get(1));
        assertEquals("cn=" + (ROUNDS - 1), searches.get(ROUNDS - 1).dnMemo().get(1));
        searches.forEach(Snapshot::close);
    }

    @Test(timeout = Await.MILLIS)
    public void aSearchThatIsAloneIsNotEnded() throws Exception {
        try (Snapshot search = store.snapshot()) {
            for (int i = 0; i < ROUNDS; i++) {
                fillLayer();
            }
            assertEquals(1, search.cardinality(COLOR, StoreTests.utf8("red")));
            assertTrue("it holds the layer of its time", store.status().heldBytes() < 2 * LAYER_BYTES);
        }
    }
}
