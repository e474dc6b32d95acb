package org.alder.partition.bookkeeper.zookeeper;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.TestCluster;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.testing.Await;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.server.Request;
import org.apache.zookeeper.server.persistence.FileTxnLog;
import org.apache.zookeeper.server.persistence.TxnLog;
import org.apache.zookeeper.txn.CreateTxn;
import org.junit.After;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Servers of ZooKeeper that have nothing: of a new ensemble, or as they have lost it. */
public class ZooKeeperFoundingTest {
    private static final int SERVERS = 3;
    private static final int TICK_MILLIS = 500;
    private static final int SESSION_MILLIS = 5_000;
    /** So long is waited for what must not happen; an election of those that are here takes less than a second. */
    private static final int NEVER_MILLIS = 6_000;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final EmbeddedZooKeeper[] running = new EmbeddedZooKeeper[SERVERS];
    private final List<EmbeddedZooKeeper.Server> servers = new ArrayList<>();

    @After
    public void close() {
        for (int i = 0; i < SERVERS; i++) {
            stop(i);
        }
    }

    private Path path(int number) {
        return folder.getRoot().toPath().resolve("zookeeper-" + number);
    }

    private void start(int number, boolean founds) throws IOException {
        running[number] = EmbeddedZooKeeper.start(path(number), number + 1, servers, TICK_MILLIS, founds);
    }

    private void stop(int number) {
        if (running[number] != null) {
            running[number].close();
            running[number] = null;
        }
    }

    private void wipe(int number) throws IOException {
        stop(number);
        Files.move(path(number), path(number).resolveSibling("lost-" + number));
        assertFalse(ZooKeeperFiles.hasData(path(number)));
    }

    private String addresses() {
        return String.join(",", servers.stream().map(each -> each.host() + ":" + each.clientPort()).toList());
    }

    private void create(String node) throws Exception {
        try (ZooKeeperSession session = new ZooKeeperSession(addresses(), SESSION_MILLIS)) {
            session.call(Deadline.in(Await.MILLIS), client -> client.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        }
    }

    private boolean isThere(String node, long limitMillis) throws Exception {
        try (ZooKeeperSession session = new ZooKeeperSession(addresses(), SESSION_MILLIS)) {
            return session.call(Deadline.in(limitMillis), client -> client.exists(node, false)) != null;
        }
    }

    /** What two of three have stored is there as long as one of these two has a disk: the one that lost it does not vote with the third. */
    @Test
    public void aServerThatHasLostItsDiskElectsNobodyWhoLacksWhatWasAcknowledged() throws Exception {
        int[] ports = TestCluster.freePorts(3 * SERVERS);
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new EmbeddedZooKeeper.Server(TestCluster.HOST, ports[3 * i], ports[3 * i + 1], ports[3 * i + 2]));
        }
        for (int i = 0; i < SERVERS; i++) {
            start(i, true);
        }
        create("/before");
        Await.until("that all have something", () -> ZooKeeperFiles.hasData(path(0)) && ZooKeeperFiles.hasData(path(1))
                && ZooKeeperFiles.hasData(path(2)));
        stop(2);
        create("/acknowledged");
        wipe(1);
        stop(0);
        start(2, false);
        start(1, false);
        assertThrows(IOException.class, () -> isThere("/before", NEVER_MILLIS));
        start(0, false);
        assertTrue(isThere("/acknowledged", Await.MILLIS));
        Await.until("that it has what the others have", () -> ZooKeeperFiles.hasData(path(1)));
        stop(0);
        assertTrue("it votes when it has that", isThere("/acknowledged", Await.MILLIS));
    }

    /** As after a disk that was full: a piece of a record, and others behind it. */
    private static void damage(Path log) throws IOException {
        byte[] bytes = Files.readAllBytes(log);
        int end = bytes.length;
        while (end > 0 && bytes[end - 1] == 0) {
            end--;
        }
        byte[] damaged = Arrays.copyOf(bytes, end + 64);
        Arrays.fill(damaged, end, damaged.length, (byte) 'e');
        Files.write(log, damaged);
    }

    @Test
    public void whatCannotBeReadIsTakenFromTheOthers() throws Exception {
        int[] ports = TestCluster.freePorts(3 * SERVERS);
        for (int i = 0; i < SERVERS; i++) {
            servers.add(new EmbeddedZooKeeper.Server(TestCluster.HOST, ports[3 * i], ports[3 * i + 1], ports[3 * i + 2]));
        }
        for (int i = 0; i < SERVERS; i++) {
            start(i, true);
        }
        create("/before");
        Path files = path(1).resolve("data/version-2");
        Await.until("that it has something", () -> ZooKeeperFiles.hasData(path(1)));
        stop(1);
        create("/acknowledged");
        ZooKeeperFiles.setAsideUnreadable(path(1));
        assertTrue("what can be read stays", Files.isDirectory(files));
        try (Stream<Path> all = Files.list(files)) {
            damage(all.filter(each -> each.getFileName().toString().startsWith("log.")).max(Comparator.naturalOrder()).orElseThrow());
        }
        ZooKeeperFiles.setAsideUnreadable(path(1));
        assertFalse(Files.exists(files));
        assertTrue("it had something: it begins no new ensemble", ZooKeeperFiles.hasData(path(1)));
        start(1, false);
        Await.until("that it has what the others have", () -> ZooKeeperFiles.hasReadable(path(1)));
        stop(0);
        assertTrue("it votes when it has that", isThere("/acknowledged", Await.MILLIS));
    }

    private void oneAlone() throws Exception {
        servers.add(new EmbeddedZooKeeper.Server(TestCluster.HOST, TestCluster.freePort(), 0, 0));
        start(0, true);
        for (int i = 0; i < 5; i++) {
            create("/node" + i);
        }
        stop(0);
    }

    /** As where a disk failed for a moment, and ZooKeeper went on: one transaction is not there, and all others are well. */
    private static void leaveOut(Path files, String node) throws IOException {
        Path lacking = files.resolveSibling("lacking");
        FileTxnLog from = new FileTxnLog(files.toFile());
        FileTxnLog to = new FileTxnLog(Files.createDirectory(lacking).toFile());
        int left = 0;
        try (TxnLog.TxnIterator each = from.read(0)) {
            do {
                if (each.getTxn() instanceof CreateTxn create && create.getPath().equals(node)) {
                    left++;
                } else {
                    Request request = new Request(each.getHeader().getClientId(), each.getHeader().getCxid(), each.getHeader().getType(), each.getHeader(),
                            each.getTxn(), each.getHeader().getZxid());
                    request.setTxnDigest(each.getDigest());
                    to.append(request);
                }
            } while (each.next());
        }
        to.commit();
        to.close();
        from.close();
        assertEquals(1, left);
        try (Stream<Path> all = Files.list(files)) {
            for (Path each : (Iterable<Path>) all.filter(file -> file.getFileName().toString().startsWith("log."))::iterator) {
                Files.delete(each);
            }
        }
        try (Stream<Path> all = Files.list(lacking)) {
            for (Path each : (Iterable<Path>) all::iterator) {
                Files.move(each, files.resolve(each.getFileName()));
            }
        }
    }

    /** It was acknowledged, and the server would be elected as one that has it. */
    @Test
    public void aLogThatLacksATransactionIsPutAside() throws Exception {
        oneAlone();
        Path files = path(0).resolve("data/version-2");
        ZooKeeperFiles.setAsideUnreadable(path(0));
        assertTrue("it lacks nothing", Files.isDirectory(files));
        leaveOut(files, "/node2");
        ZooKeeperFiles.setAsideUnreadable(path(0));
        assertFalse(Files.exists(files));
        assertTrue(ZooKeeperFiles.hasData(path(0)));
    }

    @Test
    public void epochsThatZooKeeperDoesNotStartWithArePutAside() throws Exception {
        oneAlone();
        Path files = path(0).resolve("data/version-2");
        Files.writeString(files.resolve("currentEpoch"), "6");
        Files.writeString(files.resolve("acceptedEpoch"), "6");
        ZooKeeperFiles.setAsideUnreadable(path(0));
        assertTrue("they are well", Files.isDirectory(files));
        Files.writeString(files.resolve("acceptedEpoch"), "5");
        ZooKeeperFiles.setAsideUnreadable(path(0));
        assertFalse(Files.exists(files));
    }

    private Node member(int number) throws IOException {
        return new Node("node" + number, "ldap://node" + number, TestCluster.HOST, List.of(1, 2, 3), TestCluster.freePort(), 0, 0);
    }

    private ZooKeeperFounding founding(Node own, int number) throws IOException {
        return ZooKeeperFounding.start(Sockets.PLAIN, own, path(number));
    }

    @Test
    public void aClusterIsNewWhereAllHaveNothingAndNotWhereOneHasSomethingOrDoesNotSay() throws Exception {
        List<Node> members = List.of(member(0), member(1), member(2));
        ExecutorService threads = Executors.newFixedThreadPool(SERVERS);
        try (ZooKeeperFounding first = founding(members.get(0), 0); ZooKeeperFounding second = founding(members.get(1), 1)) {
            Future<Boolean> waiting = threads.submit(() -> first.isNew(members.subList(1, 3), Deadline.in(Await.MILLIS)));
            IOException e = assertThrows(IOException.class, () -> second.isNew(List.of(members.get(2)), Deadline.in(1)));
            assertTrue(e.getMessage(), e.getMessage().contains("node2 did not answer"));
            assertFalse(waiting.isDone());
            try (ZooKeeperFounding third = founding(members.get(2), 2)) {
                assertTrue(third.isNew(members.subList(0, 2), Deadline.in(Await.MILLIS)));
                assertTrue(waiting.get());
                Path files = Files.createDirectories(path(0).resolve("data/version-2"));
                Files.writeString(files.resolve("snapshot.0"), "");
                assertTrue("nobody has stored anything yet", third.isNew(members.subList(0, 2), Deadline.in(Await.MILLIS)));
                Files.writeString(files.resolve("log.100000001"), "");
                assertFalse(third.isNew(members.subList(0, 2), Deadline.in(Await.MILLIS)));
            }
            try (ServerSocket bookie = new ServerSocket(members.get(2).bookiePort(), 1, null)) {
                Future<Boolean> asked = threads.submit(() -> second.isNew(List.of(members.get(2)), Deadline.in(Await.MILLIS)));
                try (Socket socket = bookie.accept()) {
                    assertEquals("alder-zookeeper 1\n", new String(socket.getInputStream().readNBytes(18), StandardCharsets.US_ASCII));
                }
                assertFalse("where a bookie runs there is a ZooKeeper", asked.get());
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
