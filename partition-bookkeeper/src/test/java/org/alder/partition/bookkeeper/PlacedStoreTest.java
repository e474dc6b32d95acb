package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.backup.BackupChecker;
import org.alder.partition.jdbm.backup.BackupFolder;
import org.alder.partition.jdbm.backup.BackupPoint;
import org.alder.partition.jdbm.backup.BackupWriter;
import org.alder.partition.jdbm.backup.ClusterContents;
import org.alder.partition.jdbm.backup.Restore;
import org.alder.partition.jdbm.backup.RestoreGoal;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members of which some hold a store, and others read it from them. */
public class PlacedStoreTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int MEMBERS = 4;
    private static final String PARTITION = "first";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final ClusterService service = new BookKeeperCluster();
    private final List<Member> members = new ArrayList<>();
    private EmbeddedZooKeeper zooKeeper;

    /** One of them, with its store. */
    private final class Member {
        private final int number;
        private ClusterService.Cluster cluster;
        private Store store;

        Member(int number) throws IOException {
            this.number = number;
            open();
        }

        void open() throws IOException {
            cluster = service.join(file(number), path("node" + number).resolve("cluster"));
            store = cluster.sharing(PARTITION, "o=test", new JdbmEngine(StoreSettings.defaults().withBackgroundCompaction(false))).open(store(), INDEXER);
        }

        Path store() {
            return path("node" + number).resolve(PARTITION);
        }

        Replica.Role role() {
            return store.replica().role();
        }

        void close() {
            if (cluster != null) {
                store.close();
                cluster.close();
                cluster = null;
            }
        }
    }

    @Before
    public void start() throws Exception {
        int[] port = new int[1];
        zooKeeper = TestCluster.onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(path("zookeeper-" + found), 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        });
        StringBuilder lines = new StringBuilder("zookeeper: " + TestCluster.HOST + ":" + port[0] + "\n");
        for (int i = 0; i < MEMBERS; i++) {
            int[] ports = TestCluster.freePorts(3);
            lines.append("member: node").append(i).append(" url=ldap://node").append(i).append(" host=").append(TestCluster.HOST).append(" bookie=")
                    .append(ports[0]).append(" copy=").append(ports[1]).append(" updates=").append(ports[2]).append('\n');
        }
        for (int i = 0; i < MEMBERS; i++) {
            Files.writeString(file(i), "name: node" + i + "\n" + lines);
            members.add(new Member(i));
        }
    }

    @After
    public void close() {
        members.forEach(Member::close);
        zooKeeper.close();
    }

    private Path path(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private Path file(int member) {
        return path("node" + member + ".conf");
    }

    private Member leader() throws Exception {
        return Await.value("a leader", () -> members.stream().filter(each -> each.cluster != null && each.role() == Replica.Role.LEADER).findFirst().orElse(null),
                found -> found != null);
    }

    /** Adds an entry where it can be, however often who leads changes. */
    private long add(String name) throws Exception {
        while (true) {
            try {
                return StoreTests.add(leader().store, 1, name, "red");
            } catch (CompletionException e) {
                assertTrue(e.toString(), e.getCause() instanceof StoreException store && store.kind() == StoreException.Kind.NOT_LEADER);
            }
        }
    }

    private Set<String> holders() throws IOException {
        return service.status(file(0), PARTITION).members().stream().filter(each -> each.url() != null && each.problem() == null && each.copying() == null)
                .map(ClusterService.Member::name).collect(Collectors.toCollection(TreeSet::new));
    }

    private void place(String... names) throws Exception {
        service.place(file(0), PARTITION, List.of(names));
        Await.until("that those hold it who are to", () -> holders().equals(new TreeSet<>(List.of(names))));
        for (Member each : members) {
            boolean isToHold = List.of(names).contains("node" + each.number);
            Await.until("that node" + each.number + " has it or not", () -> isToHold == (each.role() != Replica.Role.ELSEWHERE));
            Await.until("its folder", () -> isToHold == Files.exists(each.store()));
        }
    }

    private void assertSame() throws Exception {
        Store leader = leader().store;
        for (Member each : members) {
            assertTrue(Await.result("the leader's sequence", each.store.awaitSequence(leader.sequence(), Await.MILLIS)));
            try (Snapshot expected = leader.snapshot(); Snapshot found = each.store.snapshot()) {
                assertEquals(expected.sequence(), found.sequence());
                assertEquals("node" + each.number, StoreTests.digest(expected, INDEXER), StoreTests.digest(found, INDEXER));
            }
        }
    }

    private void assertNotPlaced(String message, String... names) throws Exception {
        StoreException refusal = assertThrows(StoreException.class, () -> service.place(file(0), PARTITION, List.of(names)));
        assertTrue(refusal.getMessage(), refusal.getMessage().startsWith(message));
        assertEquals(null, service.status(file(0), PARTITION).holders());
    }

    @Test
    public void aMemberThatIsToHoldItNoMoreReadsItFromOthersAndMayHoldItAgain() throws Exception {
        StoreTests.add(leader().store, 0, "top", "white");
        assertNotPlaced("node7 cannot hold /alder/logs/first: the members are node0, node1, node2, node3", "node0", "node7");
        assertNotPlaced("/alder/logs/first is to be held by 2 members or more", "node0");
        service.moveLeader(file(0), PARTITION, "node3");
        Await.until("that node3 leads", () -> members.get(3).role() == Replica.Role.LEADER);
        add("before");
        try (Snapshot kept = members.get(3).store.snapshot()) {
            assertEquals(2, kept.sequence());
        }
        place("node0", "node1", "node2");
        add("behind");
        assertSame();
        NotLeaderException refusal = (NotLeaderException) members.get(3).store.replica().refusal();
        assertTrue(refusal.handsOn());
        Await.until("that node3 knows the leader", () -> ("node" + leader().number).equals(((NotLeaderException) members.get(3).store.replica().refusal()).leader()));
        assertEquals(List.of("node0", "node1", "node2"), service.status(file(1), PARTITION).holders());
        members.get(3).close();
        add("while it is away");
        members.get(3).open();
        assertEquals(Replica.Role.ELSEWHERE, members.get(3).role());
        assertSame();
        place("node0", "node1", "node2", "node3");
        add("with node3");
        assertSame();
        place("node1", "node2", "node3");
        add("without node0");
        assertSame();
    }

    /** Keeps a list of the entries by what it is told, as a copy by RFC 4533 is kept: it begins anew from where it was when it is told that it is over. */
    private static final class Copy implements CommitFollower {
        private final Store store;
        private final BlockingQueue<Commit> told = new LinkedBlockingQueue<>();
        private final AtomicBoolean isOver = new AtomicBoolean();
        private volatile Csn state;
        private Set<Long> entries;
        private int begun;

        Copy(Store store) {
            this.store = store;
            try (Snapshot snapshot = store.snapshot()) {
                takeAll(snapshot);
            }
        }

        @Override
        public void committed(Commit commit) {
            told.add(commit);
        }

        @Override
        public void missed() {
            isOver.set(true);
        }

        @Override
        public void ended() {
            isOver.set(true);
        }

        private void takeAll(Snapshot snapshot) {
            entries = new TreeSet<>();
            try (Snapshot.EntryCursor cursor = snapshot.entries(0)) {
                while (cursor.next()) {
                    entries.add(cursor.id());
                }
            }
            state = snapshot.csn();
        }

        void keep(AtomicBoolean ends) throws InterruptedException {
            while (!ends.get()) {
                isOver.set(false);
                try (CommitFeed.Following following = store.feed().follow(this); Snapshot snapshot = store.snapshot()) {
                    catchUp(snapshot);
                    begun++;
                    follow(ends);
                } catch (StoreException e) {
                    assertEquals(e.toString(), StoreException.Kind.CLOSED, e.kind());
                } finally {
                    told.forEach(Commit::close);
                    told.clear();
                }
            }
        }

        private void catchUp(Snapshot snapshot) {
            ChangeHistory history = store.feed().changes(state, snapshot);
            if (history.answer() == ChangeHistory.Answer.FORGOTTEN) {
                takeAll(snapshot);
                return;
            }
            assertEquals("behind " + state + ", of " + snapshot.csn(), ChangeHistory.Answer.KNOWN, history.answer());
            for (IdSet.IdIterator ids = history.changed().iterator(); ids.hasNext();) {
                entries.add(ids.next());
            }
            state = snapshot.csn();
        }

        private void follow(AtomicBoolean ends) throws InterruptedException {
            while (!ends.get() && !isOver.get()) {
                Commit commit = told.poll(10, TimeUnit.MILLISECONDS);
                try (commit) {
                    if (commit != null && commit.sequence() > state.sequence()) {
                        commit.changes().forEach(change -> entries.add(change.id()));
                        state = commit.after().csn();
                    }
                }
            }
        }
    }

    /** Who holds it wanders once round while somebody writes: nothing is lost, reads go on, and copies that are kept by what is told are whole. */
    @Test
    public void whatIsWrittenMeanwhileIsThereAndReadersGoOn() throws Exception {
        StoreTests.add(leader().store, 0, "top", "white");
        AtomicBoolean isOver = new AtomicBoolean();
        List<Long> added = new ArrayList<>();
        Thread writer = new Thread(() -> {
            try {
                for (int i = 0; !isOver.get(); i++) {
                    added.add(add("entry " + i));
                }
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        Throwable[] failure = new Throwable[1];
        writer.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
        writer.start();
        Thread reader = new Thread(() -> {
            long[] shown = new long[MEMBERS];
            while (!isOver.get()) {
                for (Member each : members) {
                    try (Snapshot snapshot = each.store.snapshot()) {
                        assertTrue("node" + each.number + " has shown " + shown[each.number] + ", and now " + snapshot.sequence(), snapshot.sequence() >= shown[each.number]);
                        shown[each.number] = snapshot.sequence();
                    }
                }
            }
        });
        reader.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
        reader.start();
        Copy copy = new Copy(members.get(0).store);
        AtomicBoolean isWritten = new AtomicBoolean();
        Thread copying = new Thread(() -> {
            try {
                copy.keep(isWritten);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        copying.setUncaughtExceptionHandler((thread, e) -> failure[0] = e);
        copying.start();
        try {
            for (int i = 0; i < MEMBERS; i++) {
                String[] next = {"node" + i, "node" + (i + 1) % MEMBERS, "node" + (i + 2) % MEMBERS};
                service.place(file(0), PARTITION, List.of("node0", "node1", "node2", "node3"));
                Await.until("that all hold it", () -> holders().size() == MEMBERS);
                place(next);
            }
        } finally {
            isOver.set(true);
            writer.join(Await.MILLIS);
            reader.join(Await.MILLIS);
        }
        try {
            assertSame();
            Await.until("that the copy has all", () -> failure[0] != null || copy.state.sequence() >= members.get(0).store.sequence());
        } finally {
            isWritten.set(true);
            copying.join(Await.MILLIS);
        }
        assertEquals(null, failure[0]);
        assertFalse(added.isEmpty());
        assertTrue("it began anew where its member came to hold it, and left it", copy.begun > 1);
        assertTrue(copy.entries.containsAll(added));
        try (Snapshot snapshot = members.get(2).store.snapshot()) {
            assertTrue(added.stream().allMatch(id -> snapshot.entry(id) != null));
        }
    }

    /** A member that was away when it was decided deletes what it has when it is back. One that does not answer is replaced by another one. */
    private BackupPoint backUp(int member) throws IOException {
        try (ClusterContents contents = new ClusterReader().open(file(member)); BackupWriter writer = BackupWriter.open(path("backups"))) {
            assertTrue(contents.has(PARTITION));
            assertFalse(contents.has("another"));
            return writer.save(List.of(new BackupWriter.Source(PARTITION, null, contents)), Map::of, (phase, done, total) -> { });
        }
    }

    /** Where the machine is busy a holder may be away for a moment. */
    private void backUpFromSomebody(int member) throws Exception {
        Await.until("a backup", () -> {
            try {
                return backUp(member).stores().size() == 1;
            } catch (StoreException e) {
                assertTrue(e.getMessage(), e.getMessage().contains("no other one gives a copy of it now"));
                return false;
            }
        });
    }

    private int segments() throws IOException {
        try (Stream<Path> all = Files.list(path("backups/segments"))) {
            return (int) all.count();
        }
    }

    private void assertRestored(Store expected) throws IOException {
        Path alone = path("alone-" + expected.sequence());
        assertEquals(List.of(), BackupChecker.check(BackupFolder.open(path("backups")), BackupFolder.open(path("backups")).pointNames(), (phase, done, total) -> { }));
        Restore.run(BackupFolder.open(path("backups")), new RestoreGoal.Point(null), alone, (phase, done, total) -> { });
        try (Store store = JdbmStore.open(alone.resolve("partitions").resolve(PARTITION), StoreSettings.defaults(), INDEXER); Snapshot restored = store.snapshot();
                Snapshot there = expected.snapshot()) {
            assertEquals(expected.sequence(), store.sequence());
            assertEquals(StoreTests.digest(there, INDEXER), StoreTests.digest(restored, INDEXER));
        }
    }

    @Test
    public void whatAMemberDoesNotHoldIsBackedUpFromThoseWhoDo() throws Exception {
        StoreTests.add(leader().store, 0, "top", "white");
        for (int i = 0; i < 20; i++) {
            add("entry" + i);
        }
        place("node0", "node1");
        long last = leader().store.sequence();
        for (Member each : members.subList(0, 2)) {
            assertTrue(Await.result("what the leader has", each.store.awaitSequence(last, Await.MILLIS)));
            each.store.maintenance().flush();
        }
        backUpFromSomebody(3);
        assertRestored(leader().store);
        int first = segments();
        assertTrue(first + " segments", first > 0);
        add("in the log alone");
        backUpFromSomebody(3);
        assertRestored(leader().store);
        assertEquals("from the same one, whose segments are there", first, segments());
        members.get(members.indexOf(leader()) == 0 ? 0 : 1).close();
        add("by the other one");
        backUpFromSomebody(3);
        assertRestored(leader().store);
        members.get(0).close();
        members.get(1).close();
        StoreException nobody = assertThrows(StoreException.class, () -> backUp(3));
        assertTrue(nobody.getMessage(), nobody.getMessage().contains("this member does not hold first, and no other one gives a copy of it now"));
        assertEquals("the points that are there stay", 3, BackupFolder.open(path("backups")).pointNames().size());
    }

    @Test
    public void whoWasAwayLeavesItWhenItIsBackAndReadersGoToAnotherHolder() throws Exception {
        StoreTests.add(leader().store, 0, "top", "white");
        add("first");
        members.get(3).close();
        service.moveLeader(file(0), PARTITION, "node1");
        Await.until("that node1 leads", () -> members.get(1).role() == Replica.Role.LEADER);
        service.place(file(0), PARTITION, List.of("node0", "node1"));
        Await.until("that node2 has left", () -> members.get(2).role() == Replica.Role.ELSEWHERE);
        members.get(3).open();
        Await.until("that its folder is gone", () -> !Files.exists(members.get(3).store()));
        assertSame();
        members.get(0).close();
        Await.until("that the other one is asked", () -> {
            try (Snapshot snapshot = members.get(2).store.snapshot()) {
                return snapshot.entry(1) != null;
            } catch (StoreException e) {
                return false;
            }
        });
        members.get(0).open();
        assertSame();
    }
}
