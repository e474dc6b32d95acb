package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.election.Election;
import org.alder.partition.bookkeeper.election.ElectionSessions;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.bookkeeper.distant.DistantStore;
import org.alder.partition.bookkeeper.log.Lease;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.log.SharedLog;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What has served alone becomes what a new cluster begins with, wherever that is ended before. */
public class SharedEngineTest {
    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();
    private static final TestIndexer INDEXER = new TestIndexer("color", "size");
    private static final int ENTRIES = 200;
    private static TestCluster bookies;
    private static int logs;

    private final List<Member> open = new ArrayList<>();
    private LogCluster cluster;
    private String path;
    private Path folder;

    @BeforeClass
    public static void start() throws Exception {
        bookies = new TestCluster(FOLDER.getRoot().toPath());
    }

    @AfterClass
    public static void stop() throws Exception {
        bookies.close();
    }

    @Before
    public void alone() throws Exception {
        path = TestCluster.PATH + "-engine-" + logs++;
        cluster = LogCluster.connect(bookies.settings());
        folder = FOLDER.newFolder().toPath();
        try (JdbmStore store = JdbmStore.open(folder, StoreSettings.defaults(), INDEXER)) {
            long top = StoreTests.add(store, 0, "top");
            for (int i = 1; i < ENTRIES; i++) {
                StoreTests.add(store, top, "n" + i, i % 2 == 0 ? "red" : "green");
            }
        }
    }

    @After
    public void close() throws IOException {
        for (Member each : List.copyOf(open)) {
            each.close();
        }
        cluster.close();
    }

    /** A store as a member of a cluster opens it. */
    private final class Member implements SharedEngine.Seats {
        private final String name;
        private final Store store;
        private final ElectionSessions sessions;
        private SharedEngine.Seat seat;

        Member(String name, Path folder) {
            this.name = name;
            this.sessions = new ElectionSessions(bookies.settings(), name);
            this.store = new SharedEngine(new JdbmEngine(StoreSettings.defaults()), this).open(folder, INDEXER);
            open.add(this);
        }

        @Override
        public LoadersLog openToLoad() throws IOException {
            return LoadersLog.open(cluster, path, new Node(name, "ldap://" + name, "localhost", List.of(), 0, 0, 0));
        }

        @Override
        public SharedEngine.Seat open() throws IOException {
            Election election = new Election(sessions, path, Election.Refusals.REFERRING, () -> null);
            seat = new SharedEngine.Seat(BookKeeperSharedLog.open(cluster, path, name, election), election, "ldap://" + name);
            return seat;
        }

        @Override
        public void copy(Path outdated, BookKeeperSharedLog log, Runnable whenFetched) {
            throw new StoreException(StoreException.Kind.OUTDATED, "nobody gives copies here");
        }

        @Override
        public void opened(Path folder, Store opened) {
            // Nobody takes copies here.
        }

        @Override
        public boolean isHeld() {
            return true;
        }

        @Override
        public boolean isHeldBehind(long sequence) {
            return false;
        }

        @Override
        public DistantStore elsewhere(EntryIndexer indexer) {
            throw new IllegalStateException("all members hold all here");
        }

        @Override
        public void held(Store held) {
            // Nobody asks here.
        }

        @Override
        public void close(SharedEngine.Seat closed) throws IOException {
            closed.election().close();
            closed.log().close();
        }

        @Override
        public void left(Path folder) {
            throw new IllegalStateException("all members hold all here");
        }

        void awaitLead() throws Exception {
            Await.until(name + " to lead", () -> store.replica().role() == Replica.Role.LEADER);
        }

        void close() throws IOException {
            open.remove(this);
            seat.election().close();
            sessions.close();
            store.close();
            seat.log().close();
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                Path target = to.resolve(from.relativize(file));
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
        }
    }

    /** It has all there was, takes more, and a copy of its folder has the same after what came since. */
    private void assertBeginsACluster() throws Exception {
        Member first = new Member("a", folder);
        first.awaitLead();
        assertEquals(ENTRIES, first.store.maintenance().status().entries());
        assertEquals(ENTRIES / 2 - 1, StoreTests.ids(first.store, 1, "red").cardinality());
        long more = StoreTests.add(first.store, 1, "more", "blue");
        assertEquals("beyond all IDs there were", ENTRIES + 1, more);
        first.close();
        Path copied = FOLDER.newFolder().toPath();
        copy(folder, copied);
        Member again = new Member("a", folder);
        again.awaitLead();
        Member replica = new Member("b", copied);
        StoreTests.add(again.store, 1, "last", "blue");
        assertTrue(Await.result("the leader's sequence", replica.store.awaitSequence(again.store.sequence(), Await.MILLIS)));
        assertEquals(IdSet.of(ENTRIES + 1, ENTRIES + 2), StoreTests.ids(replica.store, 1, "blue"));
        try (Snapshot left = again.store.snapshot(); Snapshot right = replica.store.snapshot()) {
            assertSameDigest(left, right);
        }
    }

    private static void assertSameDigest(Snapshot left, Snapshot right) {
        assertEquals(StoreTests.digest(left, INDEXER), StoreTests.digest(right, INDEXER));
    }

    @Test
    public void aFolderThatServedAloneIsWhatTheClusterBeginsWith() throws Exception {
        assertBeginsACluster();
    }

    @Test
    public void killedWhenTheLogWasTakenOverItIsDoneAgain() throws Exception {
        try (BookKeeperSharedLog log = BookKeeperSharedLog.open(cluster, path, "a", () -> Lease.HELD)) {
            log.takeOver();
        }
        assertBeginsACluster();
    }

    @Test
    public void killedBetweenTheFolderAndTheLogItGoesOn() throws Exception {
        try (BookKeeperSharedLog log = BookKeeperSharedLog.open(cluster, path, "a", () -> Lease.HELD)) {
            assertThrows(Killed.class, () -> JdbmStore.share(folder, StoreSettings.defaults(), INDEXER, dyingBeforeItReplaces(log)));
            assertEquals(1, log.generation());
        }
        assertTrue(JdbmStore.isShared(folder));
        assertBeginsACluster();
    }

    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private static SharedLog dyingBeforeItReplaces(SharedLog log) {
        return (SharedLog) Proxy.newProxyInstance(SharedLog.class.getClassLoader(), new Class<?>[] {SharedLog.class}, (proxy, method, arguments) -> {
            if (method.getName().equals("replace")) {
                throw new Killed();
            }
            try {
                return method.invoke(log, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    /** As where all members of a new cluster are started at the same time. */
    @Test
    public void anEmptyMemberThatWasElectedBeforeHandsOver() throws Exception {
        Member empty = new Member("empty", FOLDER.newFolder().toPath());
        empty.awaitLead();
        assertBeginsACluster();
        Await.until("that the empty one needs a copy", () -> empty.store.replica().role() == Replica.Role.FAILED);
        assertEquals(StoreException.Kind.OUTDATED, empty.store.replica().problem().kind());
    }

    @Test
    public void whatOthersHaveAddedSinceItWasKilledStays() throws Exception {
        try (BookKeeperSharedLog log = BookKeeperSharedLog.open(cluster, path, "a", () -> Lease.HELD)) {
            assertThrows(Killed.class, () -> JdbmStore.share(folder, StoreSettings.defaults(), INDEXER, dyingBeforeItReplaces(log)));
        }
        Member other = new Member("b", FOLDER.newFolder().toPath());
        other.awaitLead();
        StoreTests.add(other.store, 0, "other", "red");
        assertThrows(StoreException.class, () -> new Member("a", folder));
        other.awaitLead();
        assertEquals(1, other.store.maintenance().status().entries());
        StoreTests.add(other.store, 1, "more", "red");
    }

    @Test
    public void aClusterThatHasDataTakesNoOthers() throws Exception {
        Member first = new Member("a", FOLDER.newFolder().toPath());
        first.awaitLead();
        StoreTests.add(first.store, 0, "other", "red");
        StoreException refused = assertThrows(StoreException.class, () -> new Member("b", folder));
        assertEquals(StoreException.Kind.REFUSED, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains("has served alone, and the cluster has data already"));
        try (JdbmStore store = JdbmStore.open(folder, StoreSettings.defaults(), INDEXER)) {
            assertEquals("as it was", ENTRIES, store.maintenance().status().entries());
        }
    }
}
