package org.alder.partition.bookkeeper.level;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Build;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.CreateMode;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Who begins the level of a cluster, who is let in by it, and that neither a start nor a raise misses the other. */
public class LevelNodeTest {
    private static final Build OLD = new Build("0.1 (old)", 1, 1);
    private static final Build BETWEEN = new Build("0.2 (between)", 1, 3);
    private static final Build NEW = new Build("0.3 (new)", 2, 4);

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private EmbeddedZooKeeper zooKeeper;
    private ZooKeeperSession session;
    private LevelNode level;

    @Before
    public void start() throws Exception {
        int[] port = new int[1];
        zooKeeper = TestCluster.onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(folder.getRoot().toPath().resolve("zookeeper-" + found), 1,
                    List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        });
        session = new ZooKeeperSession(TestCluster.HOST + ":" + port[0], TestCluster.SESSION_MILLIS);
        level = new LevelNode(session);
    }

    @After
    public void stop() throws IOException {
        session.close();
        zooKeeper.close();
    }

    private static Deadline limit() {
        return Deadline.in(Await.MILLIS);
    }

    private String text() throws IOException {
        return new String(session.content("/alder/level", limit()), StandardCharsets.UTF_8);
    }

    private static void assertRefused(String expected, ThrowingStart start) {
        StoreException e = assertThrows(StoreException.class, start::run);
        assertEquals(StoreException.Kind.REFUSED, e.kind());
        assertTrue(e.getMessage(), e.getMessage().contains(expected));
    }

    private interface ThrowingStart {
        void run() throws IOException;
    }

    @Test
    public void aNewClusterBeginsWithTheNewestLevelOfWhoeverComesFirst() throws Exception {
        assertNull(level.find(limit()));
        level.enter("node1", BETWEEN, limit());
        assertEquals("alder-level 1\nlevel 3 by 0.2 (between)\n", text());
        assertEquals("alder-build 1\nbuild 0.2 (between)\nlevels 1 to 3\n", new String(session.content("/alder/builds/node1", limit()), StandardCharsets.UTF_8));
        level.enter("node2", NEW, limit());
        assertEquals("that another one knows more changes nothing", "alder-level 1\nlevel 3 by 0.2 (between)\n", text());
        assertEquals(NEW, BuildNodes.last(session, "node2", limit()));
        assertEquals(3, level.known());
    }

    @Test
    public void aClusterOfBuildsThatKnewOfNoLevelsBeginsWithTheFirst() throws Exception {
        session.put("/alder/logs/people", new byte[0], CreateMode.PERSISTENT, limit());
        level.enter("node1", BETWEEN, limit());
        assertEquals(FeatureLevel.FIRST, level.level(limit()));
    }

    @Test
    public void aBuildThatDoesNotGoWithTheLevelIsRefusedAndBothAreNamed() throws Exception {
        level.enter("node1", BETWEEN, limit());
        assertRefused("the cluster has feature level 3, of the build 0.2 (between), and this is the build 0.1 (old), which goes with level 1: start this member with a newer build",
                () -> level.enter("node2", OLD, limit()));
        assertNull("nothing was told of it", session.content("/alder/builds/node2", limit()));
        assertRefused("this is the build 0.1 (old)", () -> level.require(OLD, limit()));
    }

    @Test
    public void aBuildThatDoesNotWriteSoOldALevelAnyMoreIsRefused() throws Exception {
        level.enter("node1", OLD, limit());
        assertRefused("the cluster has feature level 1, of the build 0.1 (old), and this is the build 0.3 (new), which goes with levels 2 to 4: start all members with a build that goes with both",
                () -> level.enter("node1", NEW, limit()));
        assertEquals("it is as before", OLD, BuildNodes.last(session, "node1", limit()));
    }

    @Test
    public void aRaiseMissesNoStartAndAStartNoRaise() throws Exception {
        level.enter("node1", OLD, limit());
        LevelNode.Found found = level.find(limit());
        level.enter("node2", OLD, limit());
        assertFalse("somebody was started since", level.raise(found, BETWEEN, limit()));
        assertEquals(1, level.level(limit()));
        assertTrue(level.raise(level.find(limit()), BETWEEN, limit()));
        assertEquals("alder-level 1\nlevel 3 by 0.2 (between)\n", text());
        assertRefused("level 3", () -> level.enter("node3", OLD, limit()));
    }

    @Test
    public void whoLooksSeesItGrowAndNothingElse() throws Exception {
        LevelNode other = new LevelNode(session);
        assertEquals("nobody has looked", FeatureLevel.FIRST, other.known());
        level.enter("node1", OLD, limit());
        other.look(limit());
        level.raise(level.find(limit()), BETWEEN, limit());
        Await.until("the other level", () -> {
            other.look(limit());
            return other.known() == 3;
        });
    }

    @Test
    public void whatALaterBuildHasWrittenOfItselfIsNotKnownAndTheLevelItselfIsRefused() throws Exception {
        session.put("/alder/builds/node1", "alder-build 2\nmore\n".getBytes(StandardCharsets.US_ASCII), CreateMode.PERSISTENT, limit());
        assertNull(BuildNodes.last(session, "node1", limit()));
        session.put("/alder/level", "alder-level 2\nlevel 9\n".getBytes(StandardCharsets.US_ASCII), CreateMode.PERSISTENT, limit());
        assertRefused("has version 2 of alder-level, which a newer build of Alder wrote; this one reads up to version 1", () -> level.find(limit()));
        session.put("/alder/level", "alder-level 1\nlevel 9\n".getBytes(StandardCharsets.US_ASCII), CreateMode.PERSISTENT, limit());
        assertEquals(StoreException.Kind.CORRUPT, assertThrows(StoreException.class, () -> level.find(limit())).kind());
    }

    @Test
    public void aNameOfABuildIsOneLineThatIsNotLong() {
        assertEquals("alder-build 1\nbuild a?b" + "x".repeat(97) + "\nlevels 1 to 2\n",
                new String(BuildNodes.bytes(new Build("a\nb" + "x".repeat(500), 1, 2)), StandardCharsets.UTF_8));
    }
}
