package org.alder.partition.bookkeeper.election;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.alder.partition.bookkeeper.BookKeeperSharedLog;
import org.alder.partition.bookkeeper.ClusterView;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.level.BuildNodes;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.Lease;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.NotLeaderException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Replica;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.data.Stat;
import org.junit.After;
import org.junit.AfterClass;
import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.ClassRule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Who leads of several stores, when one stops, hands over, or loses its session. */
public class ElectionTest {
    @ClassRule
    public static final TemporaryFolder FOLDER = new TemporaryFolder();
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static TestCluster bookies;
    private static int logs;

    private final List<Node> open = new ArrayList<>();
    private String path;

    /** A store that stands for election. */
    private final class Node {
        private final String name;
        private final String path;
        private final boolean isAlone;
        private final LogCluster cluster;
        private final BookKeeperSharedLog log;
        private final JdbmStore store;
        private final ElectionSessions sessions;
        private final Election election;

        Node(String name) throws IOException {
            this(name, ElectionTest.this.path, new ElectionSessions(bookies.settings(), name), true);
        }

        /** @param isAlone whether nothing else is of its member */
        Node(String name, String path, ElectionSessions sessions, boolean isAlone) throws IOException {
            this.name = name;
            this.path = path;
            this.sessions = sessions;
            this.isAlone = isAlone;
            Path folder = FOLDER.newFolder().toPath();
            ClusterSettings settings = bookies.settings();
            cluster = LogCluster.connect(settings);
            election = new Election(sessions, path, Election.Refusals.REFERRING, () -> null);
            log = BookKeeperSharedLog.open(cluster, path, name, election);
            store = JdbmStore.open(folder, StoreSettings.defaults(), INDEXER, SystemDisk.INSTANCE, Threads.INSTANCE, log);
            election.start(store, "ldap://" + name);
            open.add(this);
        }

        boolean leads() {
            return store.replica().role() == Replica.Role.LEADER;
        }

        void close() throws IOException {
            open.remove(this);
            election.close();
            store.close();
            if (isAlone) {
                sessions.close();
            }
            log.close();
            cluster.close();
        }
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
    public void newLog() {
        path = TestCluster.PATH + "-election-" + logs++;
    }

    @After
    public void closeAll() throws IOException {
        for (Node node : List.copyOf(open)) {
            node.close();
        }
    }

    /** The one that leads, when it takes updates; the others refuse them. */
    private Node leader() throws Exception {
        Node[] found = new Node[1];
        Await.until("a leader", () -> {
            for (Node node : open) {
                found[0] = node.leads() && node.election.leader() != null ? node : found[0];
            }
            return found[0] != null && found[0].leads();
        });
        return found[0];
    }

    private List<Node> others(Node leader) {
        return open.stream().filter(node -> node != leader).toList();
    }

    private ClusterView.Members members() throws IOException {
        try (ClusterView view = new ClusterView(bookies.settings(), path)) {
            return view.members();
        }
    }

    @Test
    public void oneLeadsAndTheOthersKnowWhere() throws Exception {
        new Node("a");
        new Node("b");
        new Node("c");
        Node leader = leader();
        assertTrue(leader.election.lease().isHeld());
        StoreTests.add(leader.store, 0, "suffix", "red");
        for (Node other : others(leader)) {
            assertFalse(other.leads());
            assertTrue(other.election.lease().isLost());
            Election.Leader expected = new Election.Leader(leader.name, "ldap://" + leader.name);
            Await.value("where the leader is", other.election::leader, expected::equals);
            assertReferred(leader, other);
            assertTrue(Await.result("the entry", other.store.awaitSequence(1, Await.MILLIS)));
        }
        ClusterView.Members members = Await.value("what members tell", this::members, found -> found.members().stream()
                .allMatch(each -> each.state() != null && each.state().sequence() == 1));
        assertEquals(leader.name, members.leader());
        assertEquals(List.of("a", "b", "c"), members.members().stream().map(ClusterView.Member::name).toList());
        assertEquals(1, members.members().stream().filter(each -> each.state().role() == Replica.Role.LEADER).count());
        assertEquals(1, members.epoch());
    }

    @Test
    public void eachTellsWhatItKnowsOfTheOthersAndOfTheLog() throws Exception {
        new Node("a");
        new Node("b");
        Node leader = leader();
        Node other = others(leader).get(0);
        StoreTests.add(leader.store, 0, "suffix", "red");
        assertEquals(0, leader.store.replica().behindMillis());
        Await.until("that the replica shows what the leader has told of late", () -> {
            long behind = other.store.replica().behindMillis();
            return other.store.sequence() == 1 && behind >= 0 && behind < 2000;
        });
        for (Node node : open) {
            ClusterService.Status seen = Await.value("what " + node.name + " knows", node.store.replica()::cluster, found -> found != null
                    && leader.name.equals(found.leader()) && found.members().stream().allMatch(each -> each.url() != null && each.sequence() == 1));
            assertEquals(List.of("a", "b"), seen.members().stream().map(ClusterService.Member::name).toList());
            assertEquals(1, seen.epoch());
            assertEquals(1, seen.firstSequence());
            assertEquals(1, seen.logParts());
            assertTrue("" + seen, node == leader ? seen.logBytes() > 0 : seen.logBytes() == 0);
        }
        leader.close();
        Await.value("that one is away, and of the part that it wrote", other.store.replica()::cluster, found -> other.name.equals(found.leader())
                && found.members().stream().anyMatch(each -> each.name().equals(leader.name) && each.url() == null)
                && found.logBytes() > 0);
    }

    private static void assertReferred(Node leader, Node other) {
        CompletionException refused = assertThrows(CompletionException.class, () -> StoreTests.add(other.store, 0, "elsewhere", "red"));
        NotLeaderException told = (NotLeaderException) refused.getCause();
        assertEquals("ldap://" + leader.name, told.referral());
        assertTrue(told.getMessage(), told.getMessage().contains(leader.name + " at ldap://"));
    }

    @Test
    public void anotherOneLeadsWhenTheLeaderStops() throws Exception {
        new Node("a");
        new Node("b");
        Node first = leader();
        StoreTests.add(first.store, 0, "suffix", "red");
        first.close();
        Node second = leader();
        assertTrue(second != first);
        assertEquals(1, second.store.sequence());
        StoreTests.add(second.store, 1, "child", "red");
        Node third = new Node("c");
        assertTrue(Await.result("both entries", third.store.awaitSequence(2, Await.MILLIS)));
        assertFalse(third.leads());
    }

    /** As when its machine hangs for longer than the session: the lock is gone, and it does not know. */
    @Test
    public void whoeverLosesTheLockFollows() throws Exception {
        new Node("a");
        Node first = leader();
        StoreTests.add(first.store, 0, "suffix", "red");
        Lease before = first.election.lease();
        try (ZooKeeperSession session = new ZooKeeperSession(bookies.servers, TestCluster.SESSION_MILLIS)) {
            session.call(Deadline.in(Await.MILLIS), zooKeeper -> {
                zooKeeper.delete(ElectionNodes.leader(path), -1);
                return null;
            });
        }
        Await.until("the end of the lease", before::isLost);
        // Nobody else is there: it is elected again, under another epoch.
        Await.until("that it leads again", () -> first.leads() && first.election.lease().isHeld());
        assertEquals(2, first.store.replica().epoch());
        StoreTests.add(first.store, 1, "child", "red");
    }

    /** The shards that a member holds. */
    @Test
    public void whatOneMemberHoldsIsInOneSession() throws Exception {
        try (ElectionSessions sessions = new ElectionSessions(bookies.settings(), "a")) {
            List<Node> held = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                held.add(new Node("a", path + i, sessions, false));
            }
            Await.until("that it leads all", () -> held.stream().allMatch(Node::leads));
            Lease last = held.get(4).election.lease();
            try (ZooKeeperSession session = new ZooKeeperSession(bookies.servers, TestCluster.SESSION_MILLIS)) {
                assertEquals("in one session", 1, held.stream().map(node -> owner(session, ElectionNodes.leader(node.path))).distinct().count());
                // The session lives on, and another member need not wait for its end.
                held.get(0).close();
                assertEquals(0, owner(session, ElectionNodes.leader(held.get(0).path)));
                assertEquals(0, owner(session, ElectionNodes.members(held.get(0).path) + "/a"));
                assertEquals(0, owner(session, BuildNodes.here(held.get(0).path) + "/a"));
            }
            Node again = new Node("a", held.get(0).path, sessions, false);
            Await.until("that it leads again", again::leads);
            assertTrue("the others go on", last.isHeld());
            assertEquals(1, held.get(4).store.replica().epoch());
            sessions.current().close();
            held.set(0, again);
            Await.until("that it leads all in another session", () -> held.stream().allMatch(node -> node.leads()
                    && node.election.lease().isHeld() && node.store.replica().epoch() == (node == again ? 3 : 2)));
            assertTrue("the lease of the first one is over", last.isLost());
            closeAll();
        }
    }

    /** As where a partition was taken out of the configuration and is there again: the first one leaves first. */
    @Test
    public void nobodyStandsTwiceInOneSession() throws Exception {
        try (ElectionSessions sessions = new ElectionSessions(bookies.settings(), "a")) {
            ElectionSession session = sessions.current();
            MemberState state = new MemberState("ldap://a", Replica.Role.REPLICA, 0, 0, null);
            new Node("a", path, sessions, false).close();
            ElectionNodes first = new ElectionNodes(session, path, "a", bookies.settings().build(), () -> { });
            ElectionNodes second = new ElectionNodes(session, path, "a", bookies.settings().build(), () -> { });
            assertTrue(first.enter(state));
            assertTrue(first.lock());
            assertFalse(second.enter(state));
            second.close();
            assertTrue(first.isLocked());
            first.close();
            assertTrue(second.enter(state));
            assertFalse(second.isLocked());
            second.close();
        }
    }

    /** 0 where it is not there. */
    private static long owner(ZooKeeperSession session, String node) {
        try {
            Stat stat = session.call(Deadline.in(Await.MILLIS), zooKeeper -> zooKeeper.exists(node, false));
            return stat == null ? 0 : stat.getEphemeralOwner();
        } catch (IOException | KeeperException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void anAdministratorMovesTheLead() throws Exception {
        new Node("a");
        new Node("b");
        new Node("c");
        Node first = leader();
        StoreTests.add(first.store, 0, "suffix", "red");
        Node wanted = others(first).get(1);
        try (ClusterView view = new ClusterView(bookies.settings(), path)) {
            view.moveLeader(wanted.name);
            Await.until("that " + wanted.name + " leads", () -> wanted.leads() && wanted.name.equals(view.members().leader()));
            StoreTests.add(wanted.store, 1, "child", "red");
            assertEquals(StoreException.Kind.NOT_LEADER, StoreTests.kindOf(assertThrows(CompletionException.class,
                    () -> StoreTests.add(first.store, 1, "other", "red"))));
            // One that is not there does not take it, and nobody waits for it for ever.
            view.moveLeader("nobody");
            Await.until("that it is forgotten", () -> {
                try (ZooKeeperSession session = new ZooKeeperSession(bookies.servers, TestCluster.SESSION_MILLIS)) {
                    return session.call(Deadline.in(Await.MILLIS), zooKeeper -> zooKeeper.exists(ElectionNodes.move(path), false)) == null;
                }
            });
            assertTrue(wanted.leads());
        }
    }

    @Test
    public void aLeaseEndsByItselfAndNeverComesBack() throws Exception {
        SessionLease lease = new SessionLease(System.nanoTime(), 30);
        Await.until("its end", lease::isLost);
        lease.confirm(System.nanoTime(), 60_000);
        assertFalse(lease.isHeld());
        SessionLease longer = new SessionLease(System.nanoTime(), 600_000);
        assertTrue(longer.isHeld());
        longer.confirm(System.nanoTime() - 500_000_000_000L, 600_000);
        assertFalse("by an answer to what was asked long ago", longer.isHeld());
    }

    @Test
    public void whatIsNoMemberIsRefused() {
        MemberState state = new MemberState("ldap://h:1", Replica.Role.REPLICA, 3, 77, "a\nb");
        assertEquals(state, MemberState.parse(state.bytes(), "/m"));
        assertEquals("a b", state.problem());
        assertEquals("-", new MemberState("x", Replica.Role.LEADER, 0, 0, null).problem());
        String text = new String(state.bytes(), StandardCharsets.UTF_8);
        for (String bad : List.of("", text.substring(1), text + "x\n", text.replace("REPLICA", "KING"), text.replace("77", "-1"))) {
            assertNotNull(assertThrows(bad, StoreException.class, () -> MemberState.parse(bad.getBytes(StandardCharsets.UTF_8), "/m")).getMessage());
        }
    }

    /** It is told so when it is to lead, and would be elected again at once. */
    @Test
    public void aMemberThatWasShortOfDiskLeavesTheLockToOthersForLonger() {
        StoreException full = new StoreException(StoreException.Kind.DISK_FULL, "no room");
        assertEquals(Election.FULL_DISK_PAUSE_MILLIS, Election.pauseMillis(full));
        assertEquals(Election.FULL_DISK_PAUSE_MILLIS, Election.pauseMillis(new CompletionException(full)));
        assertTrue(Election.pauseMillis(null) <= Election.MOST_PAUSE_MILLIS);
        assertTrue(Election.pauseMillis(new StoreException(StoreException.Kind.FENCED, "another one was faster")) <= Election.MOST_PAUSE_MILLIS);
    }
}
