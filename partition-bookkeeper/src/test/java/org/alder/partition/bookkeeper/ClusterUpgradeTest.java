package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.level.BuildNodes;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmEngine;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.ClusterService.Build;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Members that are restarted with another build, one after the other, while the others take updates. */
public class ClusterUpgradeTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int MEMBERS = 3;
    private static final Build OLD = new Build("the old one", FeatureLevel.FIRST, FeatureLevel.FIRST);
    private static final Build NEW = new Build("the new one", FeatureLevel.FIRST, FeatureLevel.CODED_ENTRIES);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Member[] members = new Member[MEMBERS];
    private EmbeddedZooKeeper zooKeeper;
    private String servers;
    private long added;

    /** One of them, with its partition. */
    private final class Member implements AutoCloseable {
        private final ClusterService.Cluster cluster;
        private final Store store;

        Member(int number, Build build) throws IOException {
            cluster = new BookKeeperCluster(build).join(file(number), path("node" + number).resolve("cluster"));
            store = cluster.sharing("first", "o=test", new JdbmEngine(StoreSettings.defaults().withBackgroundCompaction(false))).open(partition(number), INDEXER);
        }

        @Override
        public void close() {
            store.close();
            cluster.close();
        }
    }

    @Before
    public void start() throws Exception {
        int[] port = new int[1];
        zooKeeper = TestCluster.onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(path("zookeeper-" + found), 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        });
        servers = TestCluster.HOST + ":" + port[0];
        int[] bookies = TestCluster.freePorts(MEMBERS);
        StringBuilder lines = new StringBuilder("zookeeper: " + servers + "\n");
        for (int i = 0; i < MEMBERS; i++) {
            lines.append("member: node").append(i).append(" url=ldap://node").append(i).append(" host=").append(TestCluster.HOST).append(" bookie=").append(bookies[i]).append('\n');
        }
        for (int i = 0; i < MEMBERS; i++) {
            Files.writeString(file(i), "name: node" + i + "\n" + lines);
        }
    }

    @After
    public void close() {
        for (int i = 0; i < MEMBERS; i++) {
            stop(i);
        }
        zooKeeper.close();
    }

    private Path path(String name) {
        return folder.getRoot().toPath().resolve(name);
    }

    private Path file(int member) {
        return path("node" + member + ".conf");
    }

    private Path partition(int member) {
        return path("node" + member).resolve("first");
    }

    private void start(int member, Build build) throws IOException {
        members[member] = new Member(member, build);
    }

    private void stop(int member) {
        if (members[member] != null) {
            members[member].close();
            members[member] = null;
        }
    }

    private void startAll(Build build) throws IOException {
        for (int i = 0; i < MEMBERS; i++) {
            start(i, build);
        }
    }

    private List<Store> stores() {
        return Arrays.stream(members).filter(member -> member != null).map(member -> member.store).toList();
    }

    private int leader() throws Exception {
        return Await.value("a leader", () -> {
            for (int i = 0; i < MEMBERS; i++) {
                if (members[i] != null && members[i].store.replica().role() == Replica.Role.LEADER) {
                    return i;
                }
            }
            return -1;
        }, found -> found >= 0);
    }

    private void addEverywhere() throws Exception {
        Store leader = members[leader()].store;
        StoreTests.add(leader, 0, "entry " + ++added, "red");
        for (Store store : stores()) {
            assertTrue(Await.result("the leader's sequence", store.awaitSequence(leader.sequence(), Await.MILLIS)));
        }
    }

    private void assertSame() {
        for (Store store : stores()) {
            try (Snapshot one = stores().get(0).snapshot(); Snapshot other = store.snapshot()) {
                assertEquals(StoreTests.digest(one, INDEXER), StoreTests.digest(other, INDEXER));
            }
        }
    }

    private ClusterService.Status status(ClusterService service, int here) throws Exception {
        return Await.value("members that are here", () -> service.status(file(0), "first"),
                found -> found.leader() != null && found.members().stream().filter(each -> each.url() != null).count() == here);
    }

    /** The first lines of the descriptors of all segments that a member has. */
    private Set<String> segments(int member) throws IOException {
        Set<String> versions = new TreeSet<>();
        try (Stream<Path> all = Files.list(partition(member))) {
            for (Path each : (Iterable<Path>) all.filter(path -> path.getFileName().toString().startsWith("segment-"))::iterator) {
                versions.add(Files.readAllLines(each.resolve("segment.descriptor")).get(0));
            }
        }
        return versions;
    }

    private void flushAll() {
        stores().forEach(store -> store.maintenance().flush());
    }

    private static void assertRefused(String part, ThrowingCall call) {
        StoreException e = assertThrows(StoreException.class, call::run);
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(part));
    }

    private interface ThrowingCall {
        void run() throws Exception;
    }

    @Test
    public void membersGoOverOneAfterTheOtherAndWriteAsTheNewBuildWhenTheLevelIsRaised() throws Exception {
        ClusterService service = new BookKeeperCluster(NEW);
        startAll(OLD);
        addEverywhere();
        assertEquals(1, status(service, MEMBERS).level());
        for (int i = 0; i < MEMBERS; i++) {
            if (leader() == i) {
                int next = (i + 1) % MEMBERS;
                service.moveLeader(file(0), "first", "node" + next);
                Await.until("the next leader", () -> leader() == next);
            }
            stop(i);
            addEverywhere();
            start(i, NEW);
            addEverywhere();
            // Whoever leads, and whatever the others run: all of them can copy what is on the disk of any.
            flushAll();
            assertEquals(Set.of("alder-segment 3"), segments(i));
            int there = i;
            if (i < MEMBERS - 1) {
                assertRefused("node" + (i + 1) + " runs the build the old one, which knows level 1 at most", () -> service.raiseLevel(file(there)));
            }
        }
        ClusterService.Status before = status(service, MEMBERS);
        assertEquals(1, before.level());
        assertEquals(2, before.knownLevel());
        assertTrue(before.members().stream().allMatch(each -> each.build().equals(NEW)));
        assertEquals(2, service.raiseLevel(file(0)));
        assertEquals("again nothing happens", 2, service.raiseLevel(file(1)));
        Await.until("that the log has the level, and each member knows it", () -> znode("/alder/logs/first").startsWith("alder-log 3\n") && znode("/alder/logs/first").contains("\nlevel 2\n")
                && Arrays.stream(members).allMatch(each -> each.cluster.level() == 2));
        Await.until("segments as the new build writes them", () -> {
            addEverywhere();
            flushAll();
            return segments(0).contains("alder-segment 4") && segments(1).contains("alder-segment 4") && segments(2).contains("alder-segment 4");
        });
        stores().get(0).maintenance().compact();
        assertEquals("merged into one", Set.of("alder-segment 4"), segments(0));
        assertSame();
        stop(2);
        assertRefused("the cluster has feature level 2, of the build the new one, and this is the build the old one, which goes with level 1: start this member with a newer build",
                () -> start(2, OLD));
        assertFalse("it was refused before it took part in anything", znode("/alder/builds/node2").contains("the old one"));
        assertRefused("this is the build the old one", () -> new BookKeeperCluster(OLD).remove(file(0), "node2"));
        start(2, NEW);
        addEverywhere();
        assertSame();
    }

    private String znode(String path) throws IOException {
        try (ZooKeeperSession session = new ZooKeeperSession(servers, TestCluster.SESSION_MILLIS)) {
            byte[] content = session.content(path, Deadline.in(Await.MILLIS));
            return content == null ? "" : new String(content, StandardCharsets.UTF_8);
        }
    }

    @Test
    public void aMemberThatIsExpectedBackWithAnOlderBuildHoldsTheLevelUntilItIsRemoved() throws Exception {
        ClusterService service = new BookKeeperCluster(NEW);
        startAll(OLD);
        addEverywhere();
        stop(0);
        start(0, NEW);
        stop(1);
        start(1, NEW);
        stop(2);
        addEverywhere();
        ClusterService.Status status = status(service, 2);
        assertEquals(List.of(NEW, NEW, OLD), status.members().stream().map(ClusterService.Member::build).toList());
        assertEquals(1, status.knownLevel());
        assertRefused("node2 is away, and has run the build the old one, which knows level 1 at most", () -> service.raiseLevel(file(0)));
        service.remove(file(0), "node2");
        assertEquals(2, service.raiseLevel(file(0)));
        assertRefused("start this member with a newer build", () -> start(2, OLD));
    }

    /** As those before the levels; and one that was put back to such a build after it had a newer one. */
    @Test
    public void aBuildThatTellsNoLevelHoldsIt() throws Exception {
        ClusterService service = new BookKeeperCluster(NEW);
        startAll(OLD);
        addEverywhere();
        for (int i = 0; i < MEMBERS; i++) {
            stop(i);
            start(i, NEW);
        }
        addEverywhere();
        status(service, MEMBERS);
        try (ZooKeeperSession session = new ZooKeeperSession(servers, TestCluster.SESSION_MILLIS)) {
            session.remove(BuildNodes.here("/alder/logs/first") + "/node1", Deadline.in(Await.MILLIS));
        }
        assertEquals(1, status(service, MEMBERS).knownLevel());
        assertRefused("node1 runs a build that tells no level", () -> service.raiseLevel(file(0)));
        stop(1);
        start(1, NEW);
        Await.until("the other session", () -> service.status(file(0), "first").knownLevel() == 2);
        assertEquals(2, service.raiseLevel(file(0)));
    }

    @Test
    public void aNewClusterWritesAsItsBuildDoesFromTheBeginning() throws Exception {
        startAll(NEW);
        addEverywhere();
        flushAll();
        assertEquals(Set.of("alder-segment 4"), segments(leader()));
        assertTrue(znode("/alder/logs/first").startsWith("alder-log 3\n"));
        stop(0);
        assertRefused("start this member with a newer build", () -> start(0, OLD));
    }
}
