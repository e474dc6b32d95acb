package org.alder.partition.bookkeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Bookies that cannot start as they are asked to. */
public class EmbeddedBookieTest {
    private static final String ANOTHER_LOOPBACK = "127.0.0.2";

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    @Test
    public void aBookieWhosePortIsTakenOrWhoseFolderIsEmptiedIsRefusedAndLeavesTheProcessAlone() throws Exception {
        try (TestCluster bookies = new TestCluster(folder.getRoot().toPath()); LogCluster cluster = LogCluster.connect(bookies.settings())) {
            cluster.createLog(TestCluster.PATH, TestCluster.STORE);
            BookKeeperLog log = BookKeeperLog.open(cluster, TestCluster.PATH, TestCluster.STORE, "test", new Leases());
            assertEquals(null, log.begin(1, 0));
            bookies.stop(0);
            try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName(TestCluster.HOST))) {
                IOException e = assertThrows(IOException.class, () -> bookies.start(0, taken.getLocalPort()));
                assertTrue(e.getMessage(), e.getMessage().contains("bookie-0"));
            }
            bookies.start(0);
            bookies.stop(1);
            Path lost = folder.getRoot().toPath().resolve("bookie-1");
            Files.move(lost, lost.resolveSibling("lost"));
            IOException e = assertThrows(IOException.class, () -> bookies.start(1, TestCluster.freePort()));
            assertTrue(e.getMessage(), e.getMessage().contains("bookie-1"));
            assertEquals(Outcome.DONE, log.append(Groups.of(1, 1, 1), true).outcome());
        }
    }

    /** As where its disk was full: the log is not left with a bookie less until somebody restarts the process. */
    @Test
    public void aBookieThatHasEndedItselfIsStartedAgain() throws Exception {
        try (TestCluster bookies = new TestCluster(folder.getRoot().toPath()); LogCluster cluster = LogCluster.connect(bookies.settings())) {
            cluster.createLog(TestCluster.PATH, TestCluster.STORE);
            bookies.stop(2);
            Path place = folder.getRoot().toPath().resolve("bookie-2");
            try (LastingBookie lasting = TestCluster.onFreePort(port -> LastingBookie.start(
                    new EmbeddedBookie.Place(place, "bookie-2", TestCluster.HOST, port, 0.99, false), bookies.servers, TestCluster.SESSION_MILLIS, null))) {
                EmbeddedBookie first = lasting.bookie();
                first.end();
                assertFalse(first.isRunning());
                Await.until("another bookie", () -> lasting.bookie() != null && lasting.bookie() != first && lasting.bookie().isRunning());
                BookKeeperLog log = BookKeeperLog.open(cluster, TestCluster.PATH, TestCluster.STORE, "test", new Leases());
                assertEquals(null, log.begin(1, 0));
                bookies.stop(1);
                assertEquals(Outcome.DONE, log.append(Groups.of(1, 1, 1), true).outcome());
            }
        }
    }

    /** Whoever reaches them can do everything. */
    @Test
    public void nothingListensOnOtherAddressesThanTheOneThatWasNamed() throws Exception {
        try (TestCluster bookies = new TestCluster(folder.getRoot().toPath())) {
            int port = TestCluster.onFreePort(free -> {
                bookies.stop(0);
                bookies.start(0, free);
                return free;
            });
            new Socket(TestCluster.HOST, port).close();
            assertThrows(ConnectException.class, () -> new Socket(ANOTHER_LOOPBACK, port).close());
            int zooKeeper = Integer.parseInt(bookies.servers.substring(bookies.servers.indexOf(':') + 1));
            new Socket(TestCluster.HOST, zooKeeper).close();
            assertThrows(ConnectException.class, () -> new Socket(ANOTHER_LOOPBACK, zooKeeper).close());
        }
    }
}
