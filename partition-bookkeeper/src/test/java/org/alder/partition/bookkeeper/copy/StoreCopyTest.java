package org.alder.partition.bookkeeper.copy;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.StoreCopy;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.log.MemorySharedLog;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreTests;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Copies of a replica's store over a socket: while it is written, after they broke, with damage on the way, and from peers that lie. */
public class StoreCopyTest {
    private static final String HOST = "127.0.0.1";
    private static final String LOG = "/alder/logs/test";
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int SEGMENTS = 4;
    private static final int LONG_NAME = 4_000;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final MemorySharedLog log = new MemorySharedLog();
    private final List<JdbmStore> open = new ArrayList<>();
    private final List<long[]> told = new ArrayList<>();
    private JdbmStore leader;
    private Path source;
    private Path target;
    private CopyServer server;
    private UUID storeId;
    private long suffix;

    @Before
    public void start() throws Exception {
        source = temporary.newFolder().toPath();
        target = temporary.getRoot().toPath().resolve("main");
        storeId = log.member().storeId();
        leader = open(source);
        Await.result("a promotion", leader.replica().promote(reason -> { }));
        suffix = StoreTests.add(leader, 0, "suffix");
        for (int i = 0; i < SEGMENTS; i++) {
            for (int j = 0; j < 40; j++) {
                StoreTests.add(leader, suffix, "n" + i + "-" + j + "x".repeat(LONG_NAME), "red", "c" + j % 7);
            }
            leader.flush();
        }
        server = CopyServer.start(Sockets.PLAIN, HOST, 0, 1L << 40);
        server.offer(LOG, source);
    }

    @After
    public void close() throws IOException {
        server.close();
        open.forEach(JdbmStore::close);
    }

    private JdbmStore open(Path folder) {
        StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false);
        JdbmStore store = JdbmStore.open(folder, settings, INDEXER, SystemDisk.INSTANCE, Threads.INSTANCE, log.member());
        open.add(store);
        return store;
    }

    private RemoteStore connect() throws IOException {
        return RemoteStore.connect(Sockets.PLAIN, "node2", HOST, server.port(), LOG);
    }

    private StoreCopy copy() throws IOException {
        return StoreCopy.open(SystemDisk.INSTANCE, target, (phase, done, total, fetched) -> told.add(new long[] {done, total, fetched}));
    }

    private long fetch(StoreCopy copy, StoreCopy.Origin origin) throws IOException {
        return copy.fetch(origin, storeId, 1, sequence -> { });
    }

    private long[] lastTold() {
        return told.get(told.size() - 1);
    }

    private void assertOpensAsTheLeader() throws Exception {
        StoreTests.assertFilesSound(target);
        JdbmStore copied = open(target);
        assertTrue(Await.result("the leader's sequence", copied.awaitSequence(leader.sequence(), Await.MILLIS)));
        try (Snapshot left = leader.snapshot(); Snapshot right = copied.snapshot()) {
            assertEquals(left.csn(), right.csn());
            StoreTests.assertSame("copied", 2, left, right);
        }
    }

    /** The origin, with another way to read its files. */
    private static StoreCopy.Origin reading(RemoteStore origin, UnaryOperator<DiskFile> files) {
        return (StoreCopy.Origin) Proxy.newProxyInstance(StoreCopyTest.class.getClassLoader(), new Class<?>[] {StoreCopy.Origin.class},
                (proxy, method, arguments) -> {
                    try {
                        Object found = method.invoke(origin, arguments);
                        return found instanceof DiskFile file ? files.apply(file) : found;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** What is done behind each read. */
    private interface AfterRead {
        void read(ByteBuffer bytes) throws IOException;
    }

    private static DiskFile reading(DiskFile file, AfterRead after) {
        return (DiskFile) Proxy.newProxyInstance(StoreCopyTest.class.getClassLoader(), new Class<?>[] {DiskFile.class},
                (proxy, method, arguments) -> {
                    Object found = method.invoke(file, arguments);
                    if (method.getName().equals("read")) {
                        after.read((ByteBuffer) arguments[0]);
                    }
                    return found;
                });
    }

    @Test
    public void aCopyThatIsTakenWhileTheLeaderWritesFlushesAndMergesHasItAll() throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        Thread writer = new Thread(() -> {
            for (int i = 0; !ends.get(); i++) {
                StoreTests.add(leader, suffix, "meanwhile" + i, "blue");
                if (i % 20 == 0) {
                    leader.flush();
                }
                if (i % 50 == 0) {
                    leader.compact();
                }
            }
        });
        writer.start();
        try (StoreCopy copy = copy(); RemoteStore origin = connect()) {
            long before = leader.sequence();
            Await.until("writes meanwhile", () -> leader.sequence() > before + 60);
            assertTrue(fetch(copy, origin) <= before);
            assertFalse("it was there before it was whole", Files.exists(target));
            copy.putInPlace();
        } finally {
            ends.set(true);
            Await.end(writer);
        }
        assertOpensAsTheLeader();
        assertEquals(lastTold()[1], lastTold()[0]);
        assertEquals(lastTold()[1], lastTold()[2]);
    }

    @Test
    public void aCopyThatBrokeFetchesOnlyWhatIsMissing() throws Exception {
        int[] left = {3};
        try (StoreCopy copy = copy(); RemoteStore origin = connect()) {
            IOException e = assertThrows(IOException.class, () -> fetch(copy, reading(origin, file -> reading(file, bytes -> {
                if (left[0]-- == 0) {
                    throw new IOException("broken");
                }
            }))));
            assertEquals("broken", e.getMessage());
        }
        long fetched = lastTold()[2];
        assertTrue(fetched > 0 && fetched < lastTold()[1]);
        told.clear();
        // As after a crash, also while it was made a store.
        Path unfinished = target.resolveSibling("main~copy");
        try (Stream<Path> parts = Files.list(unfinished)) {
            Path whole = parts.filter(each -> Files.exists(each.resolve("segment.descriptor"))).findFirst().orElse(null);
            if (whole != null) {
                Files.move(whole, unfinished.resolve("segment-000001"));
            }
        }
        Files.createDirectory(unfinished.resolve("segment-000099"));
        try (StoreCopy copy = copy(); RemoteStore origin = connect()) {
            fetch(copy, origin);
            assertEquals(lastTold()[1] - fetched, lastTold()[2]);
            told.clear();
            fetch(copy, origin);
            assertEquals("all was there", 0, lastTold()[2]);
            copy.putInPlace();
        }
        assertOpensAsTheLeader();
    }

    @Test
    public void aFileThatIsDamagedOnTheWayIsRefusedAndTheOldStoreStays() throws Exception {
        Files.createDirectory(target);
        Files.writeString(target.resolve("old"), "old");
        int[] left = {2};
        try (StoreCopy copy = copy(); RemoteStore origin = connect()) {
            StoreException e = assertThrows(StoreException.class, () -> fetch(copy, reading(origin, file -> reading(file, bytes -> {
                if (left[0]-- == 0) {
                    bytes.array()[bytes.position() / 2] ^= 1;
                }
            }))));
            assertEquals(StoreException.Kind.CORRUPT, e.kind());
            assertTrue(e.getMessage(), e.getMessage().contains("node2"));
            assertTrue(Files.exists(target.resolve("old")));
            fetch(copy, origin);
            assertTrue("until it is put in place", Files.exists(target.resolve("old")));
            copy.putInPlace();
        }
        Path outdated = target.resolveSibling("main~outdated");
        assertTrue(Files.exists(outdated.resolve("old")));
        assertOpensAsTheLeader();
        StoreCopy.removeOutdated(SystemDisk.INSTANCE, target);
        assertFalse(Files.exists(outdated));
    }

    /** Damage on this disk, in what an earlier copy has left. */
    @Test
    public void whatWasDamagedHereIsFetchedAgain() throws Exception {
        try (StoreCopy copy = copy(); RemoteStore origin = connect()) {
            fetch(copy, origin);
        }
        Path unfinished = target.resolveSibling("main~copy");
        Path table = unfinished.resolve("segment-000001").resolve("master.table");
        if (!Files.exists(table)) {
            try (Stream<Path> files = Files.walk(unfinished)) {
                table = files.filter(each -> each.getFileName().toString().startsWith("master")).findFirst().orElseThrow();
            }
        }
        byte[] bytes = Files.readAllBytes(table);
        bytes[bytes.length / 2] ^= 1;
        Files.write(table, bytes);
        try (StoreCopy copy = copy(); RemoteStore origin = connect()) {
            fetch(copy, origin);
            assertTrue(lastTold()[2] > 0 && lastTold()[2] < lastTold()[1]);
            copy.putInPlace();
        }
        assertOpensAsTheLeader();
    }

    @Test
    public void whatIsNoStoreOfThisLogOrNamesWhatNoStoreHasIsRefused() throws Exception {
        try (StoreCopy copy = copy(); RemoteStore origin = connect()) {
            assertRefused(() -> copy.fetch(origin, UUID.randomUUID(), 1, sequence -> { }));
            assertRefused(() -> copy.fetch(origin, storeId, 2, sequence -> { }));
            String manifest = new String(origin.manifest(), StandardCharsets.UTF_8);
            assertThrows(StoreException.class, () -> fetch(copy, withManifest(origin, manifest.replace("segment 1 ", "segment ../../etc "))));
            assertThrows(StoreException.class, () -> fetch(copy, withManifest(origin, manifest.replace("segment 1 ", "segment -1 "))));
            assertThrows("the sequence is of no use", IOException.class, () -> copy.fetch(origin, storeId, 1, sequence -> {
                throw new IOException("" + sequence);
            }));
        }
        assertFalse(Files.exists(target));
    }

    private static void assertRefused(org.junit.function.ThrowingRunnable work) {
        assertEquals(StoreException.Kind.REFUSED, assertThrows(StoreException.class, work).kind());
    }

    private static StoreCopy.Origin withManifest(RemoteStore origin, String manifest) {
        String body = manifest.substring(0, manifest.lastIndexOf("crc32c"));
        byte[] bytes = new org.alder.partition.file.CheckedText("crc32c").encode(body);
        return new StoreCopy.Origin() {
            @Override
            public String name() {
                return origin.name();
            }

            @Override
            public byte[] manifest() {
                return bytes;
            }

            @Override
            public byte[] descriptor(long segment, int mostBytes) throws IOException {
                return origin.descriptor(segment, mostBytes);
            }

            @Override
            public DiskFile file(long segment, String fileName, long fileBytes) {
                return origin.file(segment, fileName, fileBytes);
            }
        };
    }

    /** A client that asks for other files, or for too much. */
    @Test
    public void thereIsNoWayOutOfTheStoresFolder() throws Exception {
        byte[] manifest = Files.readAllBytes(source.resolve(ManifestFile.NAME));
        try (RemoteStore origin = connect()) {
            assertArrayEquals(manifest, origin.manifest());
            ByteBuffer bytes = ByteBuffer.allocate(100);
            assertThrows(EOFException.class, () -> origin.file(1, "../MANIFEST", 100).read(bytes, 0));
        }
        for (String name : List.of("/etc/passwd", "", "segment.descriptor", "..")) {
            try (RemoteStore origin = connect()) {
                assertThrows(name, EOFException.class, () -> origin.file(1, name, 100).read(ByteBuffer.allocate(100), 0));
            }
        }
        try (RemoteStore origin = connect()) {
            assertThrows(EOFException.class, () -> origin.descriptor(99, 1000));
        }
        try (RemoteStore origin = connect()) {
            assertThrows(EOFException.class, () -> origin.file(1, "master.table", 100).read(ByteBuffer.allocate(StoreCopy.MOST_REGION_BYTES + 1), 0));
        }
        assertThrows(IOException.class, () -> RemoteStore.connect(Sockets.PLAIN, "node2", HOST, server.port(), "/alder/logs/other"));
        for (int length : new int[] {-1, 0, CopyMessage.MOST_REQUEST_BYTES + 1, Integer.MAX_VALUE}) {
            try (Socket socket = new Socket(HOST, server.port())) {
                new DataOutputStream(socket.getOutputStream()).writeInt(length);
                assertEquals("the connection is closed", -1, socket.getInputStream().read());
            }
        }
    }

    @Test
    public void noMoreThanFourCopiesAreGivenAtATime() throws Exception {
        List<RemoteStore> connected = new ArrayList<>();
        for (int i = 0; i < CopyServer.MOST_CONNECTIONS; i++) {
            connected.add(connect());
        }
        IOException e = assertThrows(IOException.class, this::connect);
        assertNotEquals(null, e.getMessage());
        connected.remove(0).close();
        Await.until("a free place", () -> {
            try {
                return connected.add(connect());
            } catch (IOException busy) {
                return false;
            }
        });
        for (RemoteStore each : connected) {
            each.close();
        }
    }

    /** A peer that answers with more than was asked for has nothing of it held. */
    @Test
    public void anAnswerThatIsLongerThanExpectedIsRefused() throws Exception {
        try (ServerSocket liar = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            Thread thread = new Thread(() -> {
                try (Socket socket = liar.accept()) {
                    CopyMessage.read(new DataInputStream(socket.getInputStream()), CopyMessage.MOST_REQUEST_BYTES);
                    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                    out.writeInt(Integer.MAX_VALUE);
                    out.writeByte(CopyMessage.DONE);
                    socket.getInputStream().read();
                } catch (IOException e) {
                    throw new IllegalStateException(e);
                }
            });
            thread.start();
            IOException e = assertThrows(IOException.class,
                    () -> RemoteStore.connect(Sockets.PLAIN, "liar", HOST, liar.getLocalPort(), LOG));
            assertTrue(e.getMessage(), e.getMessage().contains("expected 1 to " + (StoreCopy.MOST_MANIFEST_BYTES + 1)));
            Await.end(thread);
        }
    }

    /** All who read together: no assertion on time but that it is no less than it must be. */
    @Test
    public void copiesAreNotFasterThanTheyMayBe() throws Exception {
        Pace pace = new Pace(1 << 20);
        long begin = System.nanoTime();
        Thread other = new Thread(() -> {
            try {
                pace.take(1 << 17);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        other.start();
        pace.take(1 << 17);
        Await.end(other);
        assertTrue(System.nanoTime() - begin >= TimeUnit.MILLISECONDS.toNanos(250));
    }
}
