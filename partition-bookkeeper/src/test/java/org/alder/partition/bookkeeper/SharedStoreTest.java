package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.log.FlushedNodes;
import org.alder.partition.bookkeeper.log.LedgerList;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Stores that share a log on three bookies: what one writes the others have, whoever leads, and who is behind what was given up is told. */
public class SharedStoreTest {
    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int SMALL_LEDGER_BYTES = 2_000;
    private static final int MOST_LEDGERS = 4;
    /** How often a log is looked at, with some time for that. */
    private static final int LOOK_MILLIS = 500;
    private static TestCluster bookies;
    private static int logs;

    private final List<Node> open = new ArrayList<>();
    private final BlockingQueue<StoreException> lost = new LinkedBlockingQueue<>();
    private String path;

    /** A store with connections of its own, as on a machine of its own. */
    private final class Node {
        private final Path folder;
        private final Leases lease = new Leases();
        private final LogCluster cluster;
        private final BookKeeperSharedLog log;
        private final JdbmStore store;

        Node(String name, Path folder, int mostLedgers) throws IOException {
            this.folder = folder;
            cluster = LogCluster.connect(bookies.settings(Await.MILLIS, SMALL_LEDGER_BYTES, mostLedgers));
            log = BookKeeperSharedLog.open(cluster, path, name, () -> lease);
            try {
                store = JdbmStore.open(folder, settings(), INDEXER, SystemDisk.INSTANCE, Threads.INSTANCE, log);
            } catch (StoreException e) {
                log.close();
                cluster.close();
                throw e;
            }
            open.add(this);
        }

        void close() throws IOException {
            open.remove(this);
            store.close();
            log.close();
            cluster.close();
        }

        long promote() throws Exception {
            return Await.result("a promotion", store.replica().promote(lost::add));
        }
    }

    private static StoreSettings settings() {
        return StoreSettings.defaults().withMemoryLayerBytes(1 << 20).withBackgroundCompaction(false);
    }

    @BeforeClass
    public static void start() throws Exception {
        bookies = new TestCluster(FOLDER.getRoot().toPath());
    }

    @AfterClass
    public static void stop() throws Exception {
        bookies.close();
    }

    @Before
    public void newLog() throws IOException {
        path = TestCluster.PATH + "-stores-" + logs++;
        for (int i = 0; i < TestCluster.BOOKIES; i++) {
            bookies.start(i);
        }
    }

    @After
    public void closeAll() throws IOException {
        for (Node node : List.copyOf(open)) {
            node.close();
        }
    }

    private Node open(String name) throws IOException {
        return new Node(name, FOLDER.newFolder().toPath(), 1000);
    }

    private static void awaitSame(Node expected, Node... others) throws Exception {
        for (Node other : others) {
            assertTrue(Await.result("the leader's sequence", other.store.awaitSequence(expected.store.sequence(), Await.MILLIS)));
            try (Snapshot left = expected.store.snapshot(); Snapshot right = other.store.snapshot()) {
                assertEquals(left.csn(), right.csn());
                StoreTests.assertSame("on a replica", 2, left, right);
            }
        }
    }

    private static CompletableFuture<Long> submitAdd(Node node, String name) {
        return node.store.submit(context -> {
            long id = context.allocateId();
            context.add(id, StoreTests.entry(0, name, "red"));
            return id;
        });
    }

    private static StoreException.Kind failure(CompletableFuture<?> work) {
        return StoreTests.kindOf(assertThrows(CompletionException.class, () -> work.orTimeout(Await.MILLIS, TimeUnit.MILLISECONDS).join()));
    }

    private static StoreException.Kind refusal(org.junit.function.ThrowingRunnable work) {
        return assertThrows(StoreException.class, work).kind();
    }

    @Test
    public void replicasHaveWhatTheLeaderWritesAndSoHasOneThatComesLater() throws Exception {
        Node leader = open("a");
        Node second = open("b");
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(leader, "early")));
        assertEquals(1, leader.promote());
        long suffix = StoreTests.add(leader.store, 0, "suffix");
        long child = StoreTests.add(leader.store, suffix, "child", "red", "green");
        for (int i = 0; i < 50; i++) {
            StoreTests.add(leader.store, suffix, "n" + i, "c" + i % 7);
        }
        StoreTests.recolor(leader.store, child, List.of("red"), List.of("blue"));
        awaitSame(leader, second);
        Node third = open("c");
        awaitSame(leader, third);
        StoreTests.delete(leader.store, child);
        awaitSame(leader, second, third);
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(second, "elsewhere")));
        assertEquals("a", third.log.leader());
    }

    /** The leader hangs, another one takes over, the first one wakes up. */
    @Test
    public void aLeaderThatSleptIsFencedAndFollows() throws Exception {
        Node first = open("a");
        Node second = open("b");
        long epoch = first.promote();
        long id = StoreTests.add(first.store, 0, "suffix");
        assertTrue(second.promote() > epoch);
        assertEquals(StoreException.Kind.NOT_LEADER, failure(submitAdd(first, "late")));
        assertEquals(StoreException.Kind.FENCED, Await.next("that it lost", lost).kind());
        assertTrue("an ID was given out twice", StoreTests.add(second.store, id, "child") > id);
        awaitSame(second, first);
        assertTrue(first.promote() > epoch + 1);
        // A leader that writes nothing finds out, too.
        assertEquals(StoreException.Kind.FENCED, Await.next("that it lost", lost).kind());
        StoreTests.add(first.store, id, "again");
        awaitSame(first, second);
    }

    @Test
    public void aLeaderWhoseLeaseIsOverTakesNothingMore() throws Exception {
        Node first = open("a");
        Node second = open("b");
        first.promote();
        StoreTests.add(first.store, 0, "suffix");
        first.lease.lose();
        CompletableFuture<Long> sent = submitAdd(first, "late");
        assertEquals(StoreException.Kind.FENCED, Await.next("that it lost", lost).kind());
        second.promote();
        StoreTests.add(second.store, 0, "other");
        assertEquals(StoreException.Kind.NOT_LEADER, failure(sent));
        awaitSame(second, first);
        assertEquals(Replica.Role.REPLICA, first.store.replica().role());
        assertEquals(StoreException.Kind.FENCED, failure(first.store.replica().promote(lost::add)));
    }

    @Test
    public void aLeaderThatHandsOverHasDoneAllThatWasSent() throws Exception {
        Node first = open("a");
        Node second = open("b");
        first.promote();
        CompletableFuture<Long> sent = submitAdd(first, "suffix");
        Await.result("the end of its lead", first.store.replica().demote());
        assertTrue(sent.isDone() && !sent.isCompletedExceptionally());
        awaitSame(first, second);
        second.promote();
        StoreTests.add(second.store, 0, "other");
        awaitSame(second, first);
        assertTrue(lost.isEmpty());
    }

    /** With one bookie left nothing is acknowledged; whatever becomes of what was sent, all have the same afterwards, and it is told right. */
    @Test
    public void whatIsInDoubtWhileBookiesAreAwayIsSettledByTheNextLeader() throws Exception {
        Node first = open("a");
        Node second = open("b");
        first.promote();
        long suffix = StoreTests.add(first.store, 0, "suffix");
        awaitSame(first, second);
        bookies.stop(0);
        bookies.stop(1);
        CompletableFuture<Long> sent = submitAdd(first, "in doubt");
        bookies.start(0);
        second.promote();
        StoreTests.add(second.store, suffix, "behind");
        boolean made = sent.handle((id, e) -> {
            assertTrue("" + e, e == null || StoreTests.kindOf(e) == StoreException.Kind.NOT_LEADER
                    || StoreTests.kindOf(e) == StoreException.Kind.READ_ONLY);
            return e == null;
        }).get(Await.SECONDS, TimeUnit.SECONDS);
        awaitSame(second, first);
        assertEquals(made ? 3 : 2, second.store.sequence());
        assertEquals(made ? 1 : 0, StoreTests.ids(second.store, 1, "red").cardinality());
    }

    @Test
    public void theLogGivesUpWhatAllHaveInSegmentsAndAnEmptyReplicaIsOutdated() throws Exception {
        Node leader = open("a");
        Node second = open("b");
        leader.promote();
        long suffix = StoreTests.add(leader.store, 0, "suffix");
        for (int i = 0; i < 100; i++) {
            StoreTests.add(leader.store, suffix, "n" + i, "c" + i % 7);
        }
        awaitSame(leader, second);
        leader.store.flush();
        assertEquals("kept for the other one", 1, leader.log.firstSequence());
        second.store.flush();
        StoreTests.add(leader.store, suffix, "one more");
        Await.until("a shorter log", () -> leader.log.firstSequence() > 20);
        Path folder = second.folder;
        second.close();
        StoreTests.add(leader.store, suffix, "meanwhile");
        awaitSame(leader, new Node("b", folder, 1000));
        Path empty = FOLDER.newFolder().toPath();
        assertEquals(StoreException.Kind.OUTDATED, refusal(() -> new Node("c", empty, 1000)));
    }

    /** The log does not grow for ever for one that is away. */
    @Test
    public void aReplicaThatIsTooFarBehindIsDroppedAndFindsItselfOutdated() throws Exception {
        Node leader = new Node("a", FOLDER.newFolder().toPath(), MOST_LEDGERS);
        Node second = open("b");
        leader.promote();
        long suffix = StoreTests.add(leader.store, 0, "suffix");
        awaitSame(leader, second);
        Path folder = second.folder;
        second.close();
        FlushedNodes flushed = leader.cluster.flushedNodes(path);
        int[] added = new int[1];
        Await.until("that it is dropped", () -> {
            StoreTests.add(leader.store, suffix, "n" + added[0]++, "red");
            leader.store.flush();
            return flushed.of("b", Deadline.in(Await.MILLIS)).isDropped();
        });
        Await.until("a shorter log", () -> leader.log.firstSequence() > 1);
        assertEquals(StoreException.Kind.OUTDATED, refusal(() -> new Node("b", folder, 1000)));
        Await.until("few ledgers", () -> {
            leader.store.flush();
            return leader.cluster.node(path).read(Deadline.in(Await.MILLIS)).ledgers().size() <= MOST_LEDGERS + 1;
        });
    }

    /** However many ledgers there are: what the leader has not flushed is in its memory alone. */
    @Test
    public void whatIsInNobodysSegmentsTheLogDoesNotGiveUp() throws Exception {
        Node leader = new Node("a", FOLDER.newFolder().toPath(), MOST_LEDGERS);
        Node second = open("b");
        leader.promote();
        long suffix = StoreTests.add(leader.store, 0, "suffix");
        awaitSame(leader, second);
        Path folder = second.folder;
        second.close();
        FlushedNodes flushed = leader.cluster.flushedNodes(path);
        int[] added = new int[1];
        Await.until("many ledgers", () -> {
            // As where a bookie goes away, it ends with what is in it.
            LedgerList list = leader.cluster.node(path).read(Deadline.in(Await.MILLIS));
            leader.cluster.open(list.last().id(), true, Deadline.in(Await.MILLIS)).close();
            try {
                StoreTests.add(leader.store, suffix, "n" + added[0]++, "red");
            } catch (CompletionException e) {
                assertEquals(StoreException.Kind.READ_ONLY, StoreTests.kindOf(e));
            }
            return list.ledgers().size() >= 2 * MOST_LEDGERS;
        });
        // Nothing shows that a look gave up nothing.
        Thread.sleep(5 * LOOK_MILLIS);
        assertEquals(1, leader.log.firstSequence());
        assertFalse(flushed.of("a", Deadline.in(Await.MILLIS)).isDropped());
        assertFalse(flushed.of("b", Deadline.in(Await.MILLIS)).isDropped());
        awaitSame(leader, new Node("b", folder, 1000));
    }

    @Test
    public void aLoadTakesThePlaceOfAllReplicasData() throws Exception {
        Node first = open("a");
        Node second = open("b");
        first.promote();
        StoreTests.add(first.store, 0, "old", "green");
        awaitSame(first, second);
        second.close();
        try (LogCluster cluster = LogCluster.connect(bookies.settings());
                BookKeeperSharedLog log = BookKeeperSharedLog.open(cluster, path, "b", Leases::new);
                BulkLoad load = JdbmStore.bulkLoad(second.folder, settings(), INDEXER, 1 << 20, log)) {
            load.add(1, StoreTests.entry(0, "top"));
            load.add(2, StoreTests.entry(1, "new", "red"));
            StoreTests.add(first.store, 0, "older", "green");
            load.publish((phase, done, total) -> { });
            assertEquals(2, log.generation());
        }
        Await.value("that it has other data", () -> first.store.replica().role(), role -> role == Replica.Role.FAILED);
        assertEquals(StoreException.Kind.OUTDATED, first.store.replica().problem().kind());
        Node loaded = new Node("b", second.folder, 1000);
        loaded.promote();
        assertEquals(3, StoreTests.add(loaded.store, 1, "more", "red"));
        assertEquals(IdSet.of(2, 3), StoreTests.ids(loaded.store, 1, "red"));
        Path folder = first.folder;
        first.close();
        assertEquals(StoreException.Kind.OUTDATED, refusal(() -> new Node("a", folder, 1000)));
    }

    /** Bookies do not know a ledger yet that has no entry. */
    @Test
    public void aReplicaFollowsALeaderThatHasWrittenNothingYet() throws Exception {
        Node first = open("a");
        Node second = open("b");
        first.promote();
        StoreTests.add(first.store, 0, "suffix");
        second.promote();
        awaitSame(second, first);
        Node third = open("c");
        awaitSame(second, third);
        Thread.sleep(500);
        assertEquals(null, third.store.replica().problem());
        assertEquals(null, first.store.replica().problem());
        StoreTests.add(second.store, 0, "other");
        awaitSame(second, first, third);
    }

    /** What was acknowledged by a leader that is gone for good, and lay in its memory alone, is in the log. */
    @Test
    public void theStoreOfAnEmptyFolderIsMadeFromTheLogAlone() throws Exception {
        Node first = open("a");
        first.promote();
        long suffix = StoreTests.add(first.store, 0, "suffix");
        for (int i = 0; i < 30; i++) {
            StoreTests.add(first.store, suffix, "n" + i, "red");
        }
        long sequence = first.store.sequence();
        first.lease.lose();
        Node second = open("b");
        assertNotEquals(first.folder, second.folder);
        second.promote();
        assertEquals(sequence, second.store.sequence());
        assertEquals(30, StoreTests.ids(second.store, 1, "red").cardinality());
    }
}
