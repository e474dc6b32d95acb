package org.alder.partition.bookkeeper.log;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import org.alder.partition.bookkeeper.BookKeeperSharedLog;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedSchema.Held;
import org.alder.partition.store.SharedSchema.Position;
import org.alder.partition.store.SharedSchema.Version;
import org.alder.partition.store.Store;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Versions of the schema between members: who makes them, and that no log runs ahead of them. */
public class SchemaVersionsTest {
    private static final String LOGS = "/alder/logs/";
    private static final String FIRST = "first";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<Member> members = new ArrayList<>();
    private TestCluster bookies;

    private final class Member {
        final LogCluster cluster;
        final SchemaVersions schema;
        final BookKeeperSharedLog log;
        final Store store;

        Member(String name) throws IOException {
            cluster = LogCluster.connect(bookies.settings());
            schema = cluster.schema().of(LOGS, name);
            log = BookKeeperSharedLog.open(cluster, LOGS + FIRST, name, () -> Lease.HELD);
            store = JdbmStore.open(folder.newFolder().toPath(), StoreSettings.defaults(), new TestIndexer("color"), SystemDisk.INSTANCE,
                    Threads.INSTANCE, log);
            members.add(this);
        }

        long promote() throws Exception {
            return Await.result("a promotion", store.replica().promote(reason -> { }));
        }

        /** Behind what it has written. */
        Version version(long number, String definitions) {
            return new Version(number, Map.of(FIRST, new Position(store.replica().epoch(), store.sequence())), bytes(definitions));
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Before
    public void start() throws IOException {
        bookies = new TestCluster(folder.getRoot().toPath());
    }

    @After
    public void stop() throws IOException {
        for (Member member : members) {
            member.store.close();
            member.log.close();
            member.cluster.close();
        }
        bookies.close();
    }

    @Test
    public void whatTheLeaderChecksByAVersionWaitsForItOnReplicasAndSoDoesWhoeverIsToLead() throws Exception {
        Member leader = new Member("a");
        Member replica = new Member("b");
        assertNull(leader.schema.newest());
        long epoch = leader.promote();
        StoreTests.add(leader.store, 0, "before", "red");
        assertFalse("a replica", replica.schema.publish(new Version(1, Map.of(FIRST, new Position(epoch, 1)), bytes("x"))));
        assertFalse("of another epoch", leader.schema.publish(new Version(1, Map.of(FIRST, new Position(epoch - 1, 1)), bytes("x"))));
        Version one = leader.version(1, "one");
        assertTrue(leader.schema.publish(one));
        assertTrue("the answer was lost", leader.schema.publish(one));
        assertFalse("somebody was faster", leader.schema.publish(leader.version(1, "other")));
        leader.schema.adopted(1);
        StoreTests.add(leader.store, 0, "behind", "red");
        assertTrue(Await.result("what was written before", replica.store.awaitSequence(1, Await.MILLIS)));
        StoreException problem = Await.value("a problem", () -> replica.store.replica().problem(), found -> found != null);
        assertEquals("the log cannot be read: java.io.IOException: the log goes on with version 1 of the cluster's schema, and this member has 0",
                problem.getMessage());
        assertEquals(1, replica.store.sequence());
        Version found = replica.schema.next(0);
        assertEquals(1, found.number());
        assertEquals(Map.of(FIRST, new Position(epoch, 1)), found.behind());
        assertArrayEquals(bytes("one"), found.definitions());
        replica.schema.adopted(1);
        assertTrue(Await.result("what was written behind", replica.store.awaitSequence(2, Await.MILLIS)));
        Await.until("no problem", () -> replica.store.replica().problem() == null);
        assertTrue(leader.schema.publish(leader.version(2, "two")));
        assertThrows("it lacks the newest version", ExecutionException.class, () -> replica.store.replica().promote(reason -> { }).get());
        assertEquals(Replica.Role.REPLICA, replica.store.replica().role());
        assertFalse("it leads no more", leader.schema.publish(leader.version(3, "three")));
        replica.schema.adopted(2);
        replica.promote();
        StoreTests.add(replica.store, 0, "led", "red");
        assertEquals(3, replica.store.sequence());
    }

    /** Whoever makes a version need not lead; who leads is asked, and may have gone on. */
    @Test
    public void aVersionBehindWhatOthersLeadIsMadeInItsTurnAlone() throws Exception {
        Member leader = new Member("a");
        Member asking = new Member("b");
        long epoch = leader.promote();
        Map<String, Position> behind = Map.of(FIRST, new Position(epoch, 0));
        long turn = asking.schema.turn();
        assertEquals(turn, leader.schema.turn());
        Version one = new Version(1, behind, bytes("one"));
        assertFalse("another leader", asking.schema.publish(one, new Held(turn, Map.of(FIRST, "c"))));
        assertFalse("another epoch", asking.schema.publish(new Version(1, Map.of(FIRST, new Position(epoch - 1, 0)), bytes("one")), new Held(turn, Map.of(FIRST, "a"))));
        leader.schema.endTurn(turn);
        leader.schema.endTurn(turn);
        assertNull("nothing was made", leader.schema.newest());
        assertFalse("the turn is over", asking.schema.publish(one, new Held(turn, Map.of(FIRST, "a"))));
        assertFalse("one that never was", asking.schema.publish(one, new Held(turn + 7, Map.of(FIRST, "a"))));
        Held next = new Held(asking.schema.turn(), Map.of(FIRST, "a"));
        assertEquals("ended once", turn + 1, next.turn());
        assertTrue(asking.schema.publish(one, next));
        leader.schema.endTurn(next.turn());
        assertEquals("whoever ends the turn sees what was made", 1, leader.schema.newest().number());
        assertTrue("the answer was lost, and the turn has ended since", asking.schema.publish(one, next));
        assertFalse("another one", asking.schema.publish(new Version(1, behind, bytes("two")), next));
        assertEquals("it is in nobody's way", 1, asking.schema.next(0).number());
    }

    /** Who has it lead lets others do so. */
    @Test
    public void whoResignsIsReplaced() throws Exception {
        Member leader = new Member("a");
        List<StoreException> told = new CopyOnWriteArrayList<>();
        Await.result("a promotion", leader.store.replica().promote(told::add));
        StoreException why = new StoreException(StoreException.Kind.REFUSED, "it cannot");
        Await.result("that", leader.store.replica().resign(why));
        assertEquals(List.of(why), told);
        assertEquals(Replica.Role.REPLICA, leader.store.replica().role());
        Await.result("that", leader.store.replica().resign(why));
        assertEquals("once", 1, told.size());
    }

    /** Also before there is anything to apply: whoever looks at it is to see it. */
    @Test
    public void aMemberThatCannotGoByAVersionAppliesNothingAndSaysWhy() throws Exception {
        Member leader = new Member("a");
        Member replica = new Member("b");
        leader.promote();
        replica.schema.hindered("no room");
        StoreException problem = Await.value("a problem", () -> replica.store.replica().problem(), found -> found != null);
        assertTrue(problem.getMessage(), problem.getMessage().contains("no room"));
        StoreTests.add(leader.store, 0, "behind", "red");
        replica.schema.hindered(null);
        assertTrue(Await.result("what was written", replica.store.awaitSequence(1, Await.MILLIS)));
    }

    /** As in an upgrade that began with the wrong member, or was taken back. */
    @Test
    public void whoIsTooOldForWhatANewerBuildWroteRefusesWithBothVersions() throws Exception {
        Member old = new Member("old");
        old.promote();
        StoreTests.add(old.store, 0, "before", "red");
        asNewer("/alder/schema/0000000001", "alder-schema-version 2\n");
        assertNewer("alder-schema-version", 2, 1, () -> old.schema.next(0));
        String list = new String(old.cluster.session().content(LOGS + FIRST, Deadline.in(Await.MILLIS)), StandardCharsets.US_ASCII);
        asNewer(LOGS + FIRST + "/replicas/c", "alder-replica 7\n");
        assertNewer("alder-replica", 7, 1, () -> BookKeeperSharedLog.open(old.cluster, LOGS + FIRST, "c", () -> Lease.HELD));
        asNewer(LOGS + FIRST, list.replace("alder-log 2", "alder-log 4"));
        assertNewer("alder-log", 4, 3, () -> BookKeeperSharedLog.open(old.cluster, LOGS + FIRST, "d", () -> Lease.HELD));
        asNewer(LOGS + FIRST, list.replace("alder-log 2", "alder-log 1"));
        StoreException e = assertThrows(StoreException.class, () -> BookKeeperSharedLog.open(old.cluster, LOGS + FIRST, "d", () -> Lease.HELD));
        assertEquals("older ones were never released", StoreException.Kind.CORRUPT, e.kind());
        asNewer(LOGS + FIRST, list);
    }

    /** What another build would have written. */
    private void asNewer(String node, String text) throws Exception {
        ZooKeeperSession session = members.get(0).cluster.session();
        Deadline deadline = Deadline.in(Await.MILLIS);
        session.createAbove(node, deadline);
        if (session.content(node, deadline) == null) {
            session.call(deadline, zooKeeper -> zooKeeper.create(node, bytes(text), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        } else {
            session.call(deadline, zooKeeper -> zooKeeper.setData(node, bytes(text), -1));
        }
    }

    private static void assertNewer(String what, int found, int own, org.junit.function.ThrowingRunnable work) {
        StoreException e = assertThrows(StoreException.class, work);
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(" has version " + found + " of " + what + ", which a newer build of Alder wrote; this one reads"
                + " up to version " + own + ": start this member with the newer build"));
    }

    @Test
    public void theZnodeIsThatOfThePageAndNothingElseIsTakenForOne() throws Exception {
        Version version = new Version(5, Map.of("people", new Position(3, 4711), "groups", new Position(4, 0)), new byte[] {'x', '\n', (byte) 0xff});
        byte[] content = SchemaVersionText.bytes(version);
        assertEquals("alder-schema-version 1\nnumber 5\nbehind 4 0 groups\nbehind 3 4711 people\ndefinitions\nx\n\u00ff",
                new String(content, StandardCharsets.ISO_8859_1));
        Version again = SchemaVersionText.parse(content, "here");
        assertEquals(version.behind(), again.behind());
        assertArrayEquals(version.definitions(), again.definitions());
        for (String wrong : List.of("", "alder-schema-version 0\nnumber 5\ndefinitions\n", "alder-schema-version 1\nnumber x\ndefinitions\n",
                "alder-schema-version 1\nnumber 5\nbehind 1 people\ndefinitions\n", "alder-schema-version 1\nnumber 5\n")) {
            StoreException e = assertThrows(wrong, StoreException.class, () -> SchemaVersionText.parse(bytes(wrong), "here"));
            assertEquals(StoreException.Kind.CORRUPT, e.kind());
        }
        Member alone = new Member("a");
        StoreException e = assertThrows(StoreException.class, () -> alone.schema.publish(new Version(1, Map.of(), new byte[NumberedNodes.MOST_BYTES])));
        assertEquals(StoreException.Kind.TOO_LARGE, e.kind());
        for (int i = 1; i <= NumberedNodes.MOST_KEPT + 2; i++) {
            assertTrue(alone.schema.publish(new Version(i, Map.of(), bytes("of " + i))));
        }
        assertEquals("old ones are given up", 3, alone.schema.next(0).number());
        assertEquals(NumberedNodes.MOST_KEPT + 2, alone.schema.newest().number());
    }
}
