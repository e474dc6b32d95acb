package org.alder.partition.bookkeeper.bookie;

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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.alder.partition.bookkeeper.Groups;
import org.alder.partition.bookkeeper.Leases;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.log.BookKeeperLog;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.testing.Await;
import org.apache.bookkeeper.client.BKException;
import org.apache.bookkeeper.client.api.ReadHandle;
import org.apache.zookeeper.CreateMode;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Bookies that cannot start as they are asked to. */
public class EmbeddedBookieTest {
    private static final String ANOTHER_LOOPBACK = "127.0.0.2";
    private static final int GROUPS = 5;

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

    /** Its znode may outlast it by more than a session, as where ZooKeeper gets another leader: who has its disk and its port knows better. */
    @Test
    public void aBookieThatWasKilledStartsAgainAtOnce() throws Exception {
        try (TestCluster bookies = new TestCluster(folder.getRoot().toPath());
                ZooKeeperSession session = new ZooKeeperSession(bookies.servers, TestCluster.SESSION_MILLIS)) {
            bookies.stop(0);
            leaveBehind(session, "bookie-0");
            bookies.start(0);
            assertTrue(bookies.bookie(0).isRunning());
        }
    }

    private static void leaveBehind(ZooKeeperSession session, String id) throws IOException {
        session.put(LogCluster.BOOKKEEPER_ROOT + "/available/" + id, new byte[0], CreateMode.PERSISTENT, Deadline.in(Await.MILLIS));
    }

    /** One on an empty disk knows nothing of the one before it, and must not be taken for it. */
    @Test
    public void aBookieOnAnEmptyDiskStartsWhenZooKeeperHasForgottenTheOneBefore() throws Exception {
        int sessionMillis = 2_000;
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (TestCluster bookies = new TestCluster(folder.getRoot().toPath());
                ZooKeeperSession session = new ZooKeeperSession(bookies.servers, TestCluster.SESSION_MILLIS)) {
            bookies.stop(0);
            leaveBehind(session, "bookie-0");
            Path place = folder.getRoot().toPath().resolve("empty");
            Future<EmbeddedBookie> started = threads.submit(() -> TestCluster.onFreePort(port -> EmbeddedBookie.start(
                    new EmbeddedBookie.Place(place, "bookie-0.2", TestCluster.HOST, port, 0.99, false), bookies.servers, sessionMillis, null)));
            assertThrows("it waits", TimeoutException.class, () -> started.get(2 * sessionMillis, TimeUnit.MILLISECONDS));
            session.remove(LogCluster.BOOKKEEPER_ROOT + "/available/bookie-0", Deadline.in(Await.MILLIS));
            try (EmbeddedBookie bookie = started.get(Await.SECONDS, TimeUnit.SECONDS)) {
                assertTrue(bookie.isRunning());
            }
        } finally {
            threads.shutdownNow();
        }
    }

    /**
     * Who does not know yet that a bookie is gone takes the one on an empty disk, which listens on the same port, for that one. If it said that there is nothing, the
     * ledger would be ended without what was acknowledged.
     */
    @Test
    public void aBookieOnAnEmptyDiskDoesNotAnswerForTheOneBeforeIt() throws Exception {
        try (TestCluster bookies = new TestCluster(folder.getRoot().toPath());
                LogCluster writing = LogCluster.connect(bookies.settings());
                ZooKeeperSession session = new ZooKeeperSession(bookies.servers, TestCluster.SESSION_MILLIS)) {
            bookies.stop(2);
            int port = TestCluster.onFreePort(free -> {
                bookies.stop(0);
                bookies.start(0, free);
                return free;
            });
            writing.createLog(TestCluster.PATH, TestCluster.STORE);
            BookKeeperLog log = BookKeeperLog.open(writing, TestCluster.PATH, TestCluster.STORE, "test", new Leases());
            assertEquals(null, log.begin(1, 0));
            for (int i = 1; i <= GROUPS; i++) {
                assertEquals(Outcome.DONE, log.append(Groups.of(i, 1, 1), true).outcome());
            }
            String node = LogCluster.BOOKKEEPER_ROOT + "/available/bookie-0";
            byte[] address = session.content(node, Deadline.in(Await.MILLIS));
            bookies.stop(0);
            Path place = folder.getRoot().toPath().resolve("empty");
            try (EmbeddedBookie next = EmbeddedBookie.start(new EmbeddedBookie.Place(place, "bookie-0.2", TestCluster.HOST, port, 0.99, false), bookies.servers,
                    TestCluster.SESSION_MILLIS, null)) {
                assertTrue(next.isRunning());
                session.put(node, address, CreateMode.PERSISTENT, Deadline.in(Await.MILLIS));
                long ledger = writing.node(TestCluster.PATH).read(Deadline.in(Await.MILLIS)).last().id();
                try (LogCluster recovering = LogCluster.connect(bookies.settings())) {
                    bookies.bookie(1).pause(true);
                    try {
                        assertThrows("nobody knows now", BKException.class, () -> recovering.open(ledger, true, Deadline.in(Await.MILLIS)));
                    } finally {
                        bookies.bookie(1).pause(false);
                    }
                    try (ReadHandle recovered = recovering.open(ledger, true, Deadline.in(Await.MILLIS))) {
                        assertEquals(GROUPS - 1, recovered.getLastAddConfirmed());
                    }
                }
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
