package org.alder.partition.bookkeeper.zookeeper;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertSame;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooKeeper;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** What is kept of znodes is asked for again when it is another one, and not before. */
public final class WatchedNodesTest {
    private static final String NODE = "/alder/watched";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Deadline limit = Deadline.in(Await.MILLIS);
    private Path data;
    private int port;

    private EmbeddedZooKeeper start() throws Exception {
        return TestCluster.onFreePort(found -> {
            port = found;
            data = folder.getRoot().toPath().resolve("" + found);
            return again();
        });
    }

    private EmbeddedZooKeeper again() throws IOException {
        return EmbeddedZooKeeper.start(data, 1, List.of(new EmbeddedZooKeeper.Server(TestCluster.HOST, port, 0, 0)), 500, true);
    }

    private ZooKeeperSession session() {
        return new ZooKeeperSession(TestCluster.HOST + ":" + port, TestCluster.SESSION_MILLIS);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(byte[] content) {
        return content == null ? null : new String(content, StandardCharsets.US_ASCII);
    }

    private void put(ZooKeeperSession session, String node, String content) throws IOException {
        session.put(node, bytes(content), CreateMode.PERSISTENT, limit);
    }

    @Test
    public void whatOthersChangeIsSeenAndNothingIsAskedForTwice() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = start(); ZooKeeperSession own = session(); ZooKeeperSession other = session()) {
            assertNotNull(zooKeeper);
            assertNull("not there yet", own.watched(NODE, limit));
            assertEquals(List.of(), own.watchedChildren(NODE, limit));
            put(other, NODE, "one");
            Await.until("what was made", () -> "one".equals(text(own.watched(NODE, limit))));
            byte[] first = own.watched(NODE, limit);
            assertSame("asked for once", first, own.watched(NODE, limit));
            put(other, NODE + "/below", "");
            Await.until("what was made below it", () -> own.watchedChildren(NODE, limit).equals(List.of("below")));
            assertSame("the znode itself has not changed", first, own.watched(NODE, limit));
            put(other, NODE, "two");
            Await.until("what it was changed to", () -> "two".equals(text(own.watched(NODE, limit))));
            other.remove(NODE + "/below", limit);
            other.remove(NODE, limit);
            Await.until("that it was removed", () -> own.watched(NODE, limit) == null && own.watchedChildren(NODE, limit).isEmpty());
        }
    }

    @Test
    public void whatOneHasChangedItselfIsSeenAtOnce() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = start(); ZooKeeperSession own = session()) {
            assertNotNull(zooKeeper);
            for (int i = 0; i < 200; i++) {
                assertNull(own.watched(NODE, limit));
                put(own, NODE, "made " + i);
                assertArrayEquals(bytes("made " + i), own.watched(NODE, limit));
                assertEquals(List.of("watched"), own.watchedChildren("/alder", limit));
                put(own, NODE, "changed " + i);
                assertArrayEquals(bytes("changed " + i), own.watched(NODE, limit));
                own.remove(NODE, limit);
                assertEquals(List.of(), own.watchedChildren("/alder", limit));
            }
        }
    }

    @Test
    public void whatWasChangedWhileTheConnectionWasLostIsSeen() throws Exception {
        EmbeddedZooKeeper zooKeeper = start();
        try (ZooKeeperSession own = session(); ZooKeeperSession other = session()) {
            put(other, NODE, "before");
            assertEquals("before", text(own.watched(NODE, limit)));
            zooKeeper.close();
            zooKeeper = again();
            put(other, NODE, "behind");
            Await.until("what was changed since", () -> "behind".equals(text(own.watched(NODE, limit))));
        } finally {
            zooKeeper.close();
        }
    }

    @Test
    public void whoeverWaitsIsToldOfChanges() throws Exception {
        try (EmbeddedZooKeeper zooKeeper = start(); ZooKeeperSession other = session()) {
            assertNotNull(zooKeeper);
            AtomicInteger told = new AtomicInteger();
            WatchedNodes nodes = new WatchedNodes(told::incrementAndGet);
            put(other, NODE, "one");
            try (ZooKeeper client = ZooKeeperSession.connect(TestCluster.HOST + ":" + port, TestCluster.SESSION_MILLIS, TestCluster.SESSION_MILLIS)) {
                assertEquals("one", text(nodes.content(client, NODE)));
                put(other, NODE, "two");
                Await.until("somebody told", () -> told.get() == 1);
                assertEquals("two", text(nodes.content(client, NODE)));
            }
            try (ZooKeeper client = ZooKeeperSession.connect(TestCluster.HOST + ":" + port, TestCluster.SESSION_MILLIS, TestCluster.SESSION_MILLIS)) {
                put(other, NODE, "three");
                assertEquals("of another session", "three", text(nodes.content(client, NODE)));
            }
        }
    }
}
