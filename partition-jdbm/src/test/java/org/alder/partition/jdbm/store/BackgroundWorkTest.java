package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.background.Tiers;
import org.alder.partition.jdbm.background.WorkPace;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.FaultyDisk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.testing.Await;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Flushes, merges and what ends them, as the store's figures show it. */
public class BackgroundWorkTest {
    private static final int COLOR = 1;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false);
    private Path folder;

    @Before
    public void makeFolder() throws IOException {
        folder = temporary.newFolder().toPath().resolve("store");
    }

    private JdbmStore open(StoreSettings with) {
        return JdbmStore.open(folder, with, new TestIndexer("color"));
    }

    private static void addAndFlush(JdbmStore store, String name) {
        StoreTests.add(store, 0, name, "red");
        store.flush();
    }

    private long segmentFolders() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith("segment-")).count();
        }
    }

    @Test
    public void aMergeThatWaitsEndsWhenTheStoreIsClosed() throws Exception {
        JdbmStore store = open(settings.withMerging(1, true));
        addAndFlush(store, "a");
        addAndFlush(store, "b");
        CompletableFuture<Void> merge = CompletableFuture.runAsync(store::compact, Await.THREADS);
        Await.until("the merge to have done some of its work", () -> store.status().background().mergedBytes() > 0);
        assertTrue("a byte a second takes hours", store.status().background().mergeRunning());
        store.close();
        CompletionException ended = assertThrows(CompletionException.class, merge::join);
        assertEquals(StoreException.Kind.CLOSED, StoreTests.kindOf(ended));
        assertEquals("nothing of the merge is left", 2, segmentFolders());
        try (JdbmStore again = open(settings)) {
            assertEquals(2, StoreTests.ids(again, COLOR, "red").cardinality());
        }
        StoreTests.assertFilesSound(folder);
    }

    @Test
    public void theFiguresSayWhatWasDone() {
        try (JdbmStore store = open(settings.withMerging(WorkPace.UNLIMITED, true))) {
            assertEquals(BackgroundStatus.NONE, store.status().background());
            for (int i = 0; i < 8; i++) {
                addAndFlush(store, "n" + i);
            }
            BackgroundStatus before = store.status().background();
            assertEquals(8, before.flushes());
            assertEquals(0, before.waitingFlushes());
            assertEquals(8 - Tiers.MAX_SEGMENTS, before.surplusParts());
            assertEquals(0, before.merges());
            store.compact();
            BackgroundStatus after = store.status().background();
            assertEquals(1, after.merges());
            assertEquals(0, after.surplusParts());
            assertFalse(after.mergeRunning());
            assertEquals("never waited", 0, after.mergePauseNanos());
            long diskBytes = store.status().diskBytes() - store.status().journalBytes();
            assertTrue("read and written: " + after, after.mergedBytes() >= 2 * diskBytes);
        }
    }

    /** A sync that failed is not tried again: it would succeed without the pages that could not be written. */
    @Test
    public void afterAFailedSyncOnlyARestartTakesUpdatesAgain() throws IOException {
        // The first change of an update is the write to the log, the second its sync.
        FaultyDisk disk = new FaultyDisk(changesToOpen() + 2, FaultyDisk.Fault.ONCE);
        try (JdbmStore store = JdbmStore.open(folder, settings, new TestIndexer("color"), disk)) {
            for (int i = 0; i < 2; i++) {
                CompletionException refused = assertThrows(CompletionException.class, () -> StoreTests.add(store, 0, "a", "red"));
                assertEquals(StoreException.Kind.READ_ONLY, StoreTests.kindOf(refused));
                String message = refused.getCause().getMessage();
                assertTrue(message, message.contains("until the server is restarted")
                        && message.contains("injected fault: sync"));
            }
            assertTrue(store.status().readOnlyReason().contains("could not be written"));
            assertEquals("reading goes on", 0, StoreTests.ids(store, COLOR, "red").cardinality());
        }
        try (JdbmStore store = open(settings)) {
            StoreTests.add(store, 0, "b", "green");
            assertEquals(1, StoreTests.ids(store, COLOR, "green").cardinality());
        }
    }

    private long changesToOpen() throws IOException {
        FaultyDisk sound = FaultyDisk.sound();
        try (JdbmStore store = JdbmStore.open(temporary.newFolder().toPath().resolve("store"), settings, new TestIndexer("color"),
                sound)) {
            assertEquals(0, store.status().entries());
            return sound.changes();
        }
    }

    /** A disk whose files cannot be made while that is so, for a reason that nobody expects. */
    private static Disk failing(AtomicBoolean fails) {
        Class<?>[] seam = {Disk.class};
        return (Disk) Proxy.newProxyInstance(Disk.class.getClassLoader(), seam, (proxy, method, arguments) -> {
            if (fails.get() && method.getName().equals("create")) {
                throw new IllegalStateException("of a test");
            }
            try {
                return method.invoke(SystemDisk.INSTANCE, arguments);
            } catch (InvocationTargetException e) {
                throw e.getCause();
            }
        });
    }

    @Test
    public void aFlushForWhichTheWriterFailsDoesNotWaitForEver() {
        AtomicBoolean fails = new AtomicBoolean();
        try (JdbmStore store = JdbmStore.open(folder, settings, new TestIndexer("color"), failing(fails))) {
            StoreTests.add(store, 0, "a", "red");
            fails.set(true);
            assertEquals(StoreException.Kind.READ_ONLY, StoreTests.kindOf(assertThrows(StoreException.class, store::flush)));
        }
        try (JdbmStore store = open(settings)) {
            assertEquals(1, StoreTests.ids(store, COLOR, "red").cardinality());
        }
    }
}
