package org.alder.partition.bookkeeper.roster;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.ask.AskedMember;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.member.MemberSockets;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.CreateMode;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What members say of themselves goes before what a file says of them. */
public class MemberNodesTest {
    private static final Node ONE = new Node("one", "ldap://one", "127.0.0.1", List.of(1, 2, 3), 4, 5, 6);
    private static final Node TWO = new Node("two", "ldap://two", "127.0.0.2", List.of(), 4, 0, 6);
    private static final Node THREE = new Node("three", "ldap://three", "127.0.0.3", List.of(), 0, 5, 6);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void aLineIsReadAsItWasWritten() {
        for (Node each : List.of(ONE, TWO, THREE)) {
            assertEquals(each, MemberNodes.parse(each.name(), "alder-member-line 1\nmember: " + each.line() + "\n"));
        }
        assertEquals("one url=ldap://one host=127.0.0.1 zookeeper=1,2,3 bookie=4 copy=5 updates=6", ONE.line());
        for (String wrong : new String[] {"", "alder-member-line 1\nmember: two url=ldap://two host=two", "alder-member-line 2\nmember: two url=ldap://two host=two\n",
            "alder-member-line 1\nmember: one url=ldap://two host=two\n", "alder-member-line 1\nmember: two url=ldap://two host=two copy=99999\n",
            "alder-member-line 1\nmember: two url=ldap://two host=two\nmember: two url=ldap://two host=two\n"}) {
            assertNull(wrong, MemberNodes.parse("two", wrong));
        }
    }

    @Test
    public void whoJoinsMovesAndIsRemovedIsKnownToTheOthersSoon() throws Exception {
        int[] port = new int[1];
        try (EmbeddedZooKeeper zooKeeper = TestCluster.onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(folder.getRoot().toPath().resolve("" + found), 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        }); ZooKeeperSession session = new ZooKeeperSession(TestCluster.HOST + ":" + port[0], TestCluster.SESSION_MILLIS)) {
            assertNotNull(zooKeeper);
            Deadline limit = Deadline.in(Await.MILLIS);
            MemberNodes nodes = new MemberNodes(session);
            List<Node> file = List.of(ONE, TWO);
            assertEquals(Map.of("one", ONE, "two", TWO), nodes.all(file, limit));
            try (AskedMembers asked = AskedMembers.start(nodes, file, "one", MemberSockets.of(null))) {
                AskedMember two = asked.of("two");
                assertNotNull("before anything is said", two);
                assertNull("itself", asked.of("one"));
                nodes.put(TWO, limit);
                nodes.put(THREE, limit);
                session.put("/alder/members/four", "alder-member-line 2\n".getBytes(StandardCharsets.US_ASCII), CreateMode.PERSISTENT, limit);
                Await.until("the one that has joined", () -> asked.of("three") != null);
                assertSame("nothing has changed", two, asked.of("two"));
                Node moved = new Node("two", "ldap://two", "127.0.0.9", List.of(), 4, 0, 6);
                nodes.put(moved, limit);
                assertEquals(moved, nodes.all(file, limit).get("two"));
                Await.until("the one that has moved", () -> asked.of("two") != two);
                assertNotSame(two, asked.of("two"));
                nodes.remove("three", limit);
                nodes.put(new Node("two", "ldap://two", "127.0.0.9", List.of(), 4, 5, 0), limit);
                Await.until("that nobody is left", asked::isEmpty);
                nodes.remove("three", limit);
            }
        }
    }
}
