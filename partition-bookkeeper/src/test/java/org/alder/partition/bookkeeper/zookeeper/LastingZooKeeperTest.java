package org.alder.partition.bookkeeper.zookeeper;

import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNotSame;

import java.util.List;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.server.ServerMetrics;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What becomes of a ZooKeeper that could not write. */
public final class LastingZooKeeperTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void itIsStartedAgainFromItsFiles() throws Exception {
        int[] port = new int[1];
        try (LastingZooKeeper lasting = TestCluster.onFreePort(found -> {
            port[0] = found;
            return LastingZooKeeper.start(folder.getRoot().toPath().resolve("" + found), 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, found, 0, 0)), 500, true);
        })) {
            try (ZooKeeperSession session = new ZooKeeperSession(TestCluster.HOST + ":" + port[0], 10_000)) {
                session.call(Deadline.in(30_000), client -> client.create("/kept", new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            }
            EmbeddedZooKeeper first = lasting.server();
            // As its thread that writes does before it ends.
            ServerMetrics.getMetrics().UNRECOVERABLE_ERROR_COUNT.add(1);
            assertNotSame("held until it is being ended", first, lasting.server());
            Await.until("another server", () -> lasting.server() != null && lasting.server() != first);
            try (ZooKeeperSession session = new ZooKeeperSession(TestCluster.HOST + ":" + port[0], 10_000)) {
                assertNotNull(session.call(Deadline.in(30_000), client -> client.exists("/kept", false)));
            }
        }
    }
}
