package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Assume;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;

/** A disk that gets full, and has room again, while the store is open. */
public class DiskFullTest {
    private static final TestIndexer INDEXER = new TestIndexer(3, "color");
    private static final Path MAPPINGS = Path.of("/proc/self/maps");
    private static final int STRIDE = "all".equals(System.getProperty("alder.test.faults")) ? 1 : 5;
    private static final int STEPS = 8;

    @Rule
    public final FaultFolder temporary = new FaultFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false).withDiskLow(1000, 0);
    private Path folder;

    @Before
    public void makeFolder() throws IOException {
        folder = temporary.newFolder().toPath();
    }

    private JdbmStore open(FaultyDisk disk) {
        return JdbmStore.open(folder, settings, INDEXER, disk);
    }

    private static StoreException refused(JdbmStore store) {
        CompletionException refusal = assertThrows(CompletionException.class, () -> StoreTests.add(store, 0, "refused", "red"));
        assertEquals(refusal.toString(), StoreException.Kind.DISK_FULL, StoreTests.kindOf(refusal));
        return (StoreException) refusal.getCause();
    }

    @Test
    public void writesAreRefusedBeforeTheDiskIsFull() {
        FaultyDisk disk = FaultyDisk.sound();
        try (JdbmStore store = open(disk)) {
            StoreTests.add(store, 0, "a", "red");
            disk.setFreeBytes(999);
            String message = refused(store).getMessage();
            assertTrue(message, message.contains(folder.toString()) && message.contains("999") && message.contains("1000"));
            assertEquals(message, store.status().readOnlyReason());
            assertEquals(1, StoreTests.ids(store, 1, "red").cardinality());
            StoreException flush = assertThrows(StoreException.class, store::flush);
            assertEquals(StoreException.Kind.DISK_FULL, flush.kind());
            disk.setFreeBytes(1000);
            StoreTests.add(store, 0, "b", "red");
            assertNull(store.status().readOnlyReason());
            assertEquals(2, StoreTests.ids(store, 1, "red").cardinality());
        }
    }

    @Test
    public void theDiskIsAskedNowAndThenOnly() {
        FaultyDisk disk = FaultyDisk.sound();
        StoreSettings seldom = settings.withDiskLow(40_000, 3_600_000);
        try (JdbmStore store = JdbmStore.open(folder, seldom, INDEXER, disk)) {
            StoreTests.add(store, 0, "a", "red");
            disk.setFreeBytes(0);
            StoreTests.add(store, 0, "b", "red");
            StoreTests.add(store, 0, "c".repeat(12_000), "red");
            refused(store);
        }
    }

    @Test
    public void aMergeLeavesTheReserveAlone() {
        FaultyDisk disk = FaultyDisk.sound();
        try (JdbmStore store = open(disk)) {
            StoreTests.add(store, 0, "a", "red");
            store.flush();
            StoreTests.add(store, 0, "b", "red");
            store.flush();
            disk.setFreeBytes(1500);
            StoreException full = assertThrows(StoreException.class, store::compact);
            assertEquals(full.toString(), StoreException.Kind.DISK_FULL, full.kind());
            disk.setFreeBytes(Long.MAX_VALUE);
            store.compact();
            assertEquals(1, store.status().parts());
        }
    }

    /** They do while they are mapped, and little garbage is made in a server with little to do. */
    @Test
    public void mergedSegmentsDoNotKeepTheirSpaceWhereItIsNeeded() throws Exception {
        Assume.assumeTrue("the operating system tells what is mapped", Files.exists(MAPPINGS));
        FaultyDisk disk = FaultyDisk.sound();
        try (JdbmStore store = open(disk)) {
            for (String name : new String[] {"a", "b"}) {
                StoreTests.add(store, 0, name, "red");
                store.flush();
            }
            // Now the segments are among the old objects, which the collections of garbage that tests make leave alone.
            System.gc();
            store.compact();
            disk.setFreeBytes(999);
            refused(store);
            Await.until("the mappings of deleted files to end", () -> deletedMappings() == 0);
            assertEquals("those of others stay", 2, StoreTests.ids(store, 1, "red").cardinality());
        }
    }

    private long deletedMappings() throws IOException {
        try (Stream<String> lines = Files.lines(MAPPINGS, StandardCharsets.ISO_8859_1)) {
            return lines.filter(line -> line.contains(folder.toString()) && line.endsWith("(deleted)")).count();
        }
    }

    @Test
    public void aStoreOnAFullDiskStartsAndReads() {
        try (JdbmStore store = open(FaultyDisk.sound())) {
            StoreTests.add(store, 0, "a", "red");
        }
        FaultyDisk full = new FaultyDisk(1, FaultyDisk.Fault.NO_SPACE);
        try (JdbmStore store = open(full)) {
            assertNotNull(store.status().readOnlyReason());
            assertEquals(1, StoreTests.ids(store, 1, "red").cardinality());
            refused(store);
            full.makeRoom();
            StoreTests.add(store, 0, "b", "red");
        }
        assertFound("after a start on a full disk", 2);
    }

    /**
     * The disk is full at each place of a run in turn, and has room again when that was noticed: everything that was acknowledged
     * is there, nothing that was refused, and the store goes on without a restart.
     */
    @Test
    public void writingGoesOnWhenThereIsRoomAgain() throws Exception {
        boolean undisturbed = false;
        for (int n = 1 + Seed.random(DiskFullTest.class).nextInt(STRIDE); !undisturbed; n += STRIDE) {
            FaultyDisk disk = new FaultyDisk(n, FaultyDisk.Fault.NO_SPACE);
            String when = "full at " + n;
            run(when, disk);
            undisturbed = disk.changes() < n;
            assertFound(when, STEPS);
            SystemDisk.INSTANCE.deleteTree(folder);
        }
    }

    private void run(String when, FaultyDisk disk) throws Exception {
        try (JdbmStore store = openAtLast(disk)) {
            for (int i = 1; i <= STEPS; i++) {
                int step = i;
                untilDone(disk, () -> StoreTests.add(store, 0, "n" + step, "red"));
                assertEquals(when, i, StoreTests.ids(store, 1, "red").cardinality());
                if (i % 3 == 0) {
                    untilDone(disk, store::flush);
                }
            }
            untilDone(disk, store::compact);
            assertEquals(when, STEPS, store.status().entries());
            try (Snapshot snapshot = store.snapshot()) {
                StoreTests.assertIndexed(snapshot, INDEXER);
            }
        }
    }

    /** A store that is not there yet cannot be made on a full disk. */
    private JdbmStore openAtLast(FaultyDisk disk) {
        try {
            return open(disk);
        } catch (StoreException e) {
            assertEquals(StoreException.Kind.IO, e.kind());
            disk.makeRoom();
            return open(disk);
        }
    }

    private static void untilDone(FaultyDisk disk, Runnable step) throws Exception {
        Await.until("the store to notice that there is room again", () -> isDone(disk, step));
    }

    private static boolean isDone(FaultyDisk disk, Runnable step) {
        try {
            step.run();
            return true;
        } catch (CompletionException | StoreException e) {
            assertEquals(e.toString(), StoreException.Kind.DISK_FULL, StoreTests.kindOf(e));
            disk.makeRoom();
            return false;
        }
    }

    private void assertFound(String when, int entries) {
        try (JdbmStore store = open(FaultyDisk.sound()); Snapshot snapshot = store.snapshot()) {
            assertEquals(when, entries, store.status().entries());
            StoreTests.assertIndexed(snapshot, INDEXER);
        }
        StoreTests.assertFilesSound(folder);
    }
}
