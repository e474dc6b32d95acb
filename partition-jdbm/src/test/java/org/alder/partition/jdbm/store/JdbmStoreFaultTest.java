package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.FaultyDisk;
import org.alder.partition.store.Snapshot;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;
import org.slf4j.LoggerFactory;

/** Failing writes and damaged files. */
public class JdbmStoreFaultTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final int STEPS = 8;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final Logger logger = (Logger) LoggerFactory.getLogger("org.alder.partition.jdbm");
    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false);

    /** The faults are made on purpose, hundreds of them; their stack traces would hide all else. */
    @Before
    public void hush() {
        logger.setLevel(Level.OFF);
    }

    @After
    public void speak() {
        logger.setLevel(null);
    }

    /**
     * Fails each change of a scripted run in turn: what was acknowledged is there afterwards, what was not is there whole or
     * not at all.
     */
    @Test
    public void everyChangeFailsInTurn() throws IOException {
        boolean undisturbed = false;
        for (long n = 1; !undisturbed; n++) {
            for (boolean forEver : new boolean[] {false, true}) {
                Path folder = temporary.newFolder().toPath();
                FaultyDisk disk = new FaultyDisk(n, forEver);
                int acknowledged = run(folder, disk);
                undisturbed = disk.changes() < n;
                verify("fault at " + n + (forEver ? " and after" : ""), folder, acknowledged);
            }
            assertTrue("the run does not end", n < 300);
        }
    }

    private int run(Path folder, FaultyDisk disk) {
        int acknowledged = 0;
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER, disk)) {
            for (int i = 1; i <= STEPS; i++) {
                try {
                    addPair(store, i);
                    acknowledged = i;
                    if (i % 4 == 0) {
                        store.flush();
                    }
                } catch (CompletionException | StoreException e) {
                    assertReadOnly(store, e);
                    break;
                }
            }
        } catch (StoreException e) {
            assertEquals(StoreException.Kind.IO, e.kind());
        }
        return acknowledged;
    }

    /** Two entries in one transaction: entries 2i-1 and 2i. */
    private static void addPair(JdbmStore store, int i) {
        store.submit(context -> {
            context.add(context.allocateId(), StoreTests.entry(0, "a" + i, "red"));
            context.add(context.allocateId(), StoreTests.entry(0, "b" + i, "red"));
            return null;
        }).join();
    }

    private static void assertReadOnly(JdbmStore store, RuntimeException failure) {
        StoreException.Kind kind = StoreTests.kindOf(failure);
        assertTrue(kind.toString(), kind == StoreException.Kind.READ_ONLY || kind == StoreException.Kind.IO);
        assertTrue(String.valueOf(store.status().readOnlyReason()), store.status().readOnlyReason().contains("injected fault"));
        CompletionException refused = assertThrows(CompletionException.class, () -> addPair(store, 99));
        assertEquals(StoreException.Kind.READ_ONLY, StoreTests.kindOf(refused));
        try (Snapshot snapshot = store.snapshot()) {
            assertEquals("readers go on, and do not see what was refused", store.status().entries(),
                    snapshot.cardinality(1, StoreTests.utf8("red")));
        }
    }

    private void verify(String when, Path folder, int acknowledged) throws IOException {
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER); Snapshot snapshot = store.snapshot()) {
            long found = store.status().entries();
            assertTrue(when + ": acknowledged " + acknowledged + " pairs, found " + found + " entries",
                    found == 2L * acknowledged || found == 2L * acknowledged + 2);
            StoreTests.assertIndexed(snapshot, INDEXER);
            addPair(store, 100);
        }
        StoreTests.assertFilesSound(folder);
    }

    /** A folder with a manifest, a segment with all its files, and a log with several records. */
    private Path sampleFolder() throws IOException {
        Path folder = temporary.newFolder().toPath();
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER)) {
            for (int i = 1; i <= 20; i++) {
                addPair(store, i);
                if (i == 10) {
                    store.flush();
                }
            }
        }
        return folder;
    }

    @Test
    public void aFlippedByteInAnyFileIsFoundAndNamed() throws IOException {
        Path folder = sampleFolder();
        List<Path> files = new ArrayList<>();
        try (Stream<Path> all = Files.walk(folder)) {
            all.filter(Files::isRegularFile).filter(file -> !file.endsWith("LOCK")).forEach(files::add);
        }
        assertEquals("manifest, log, descriptor, master, two indexes: " + files, 6, files.size());
        for (Path file : files) {
            byte[] whole = Files.readAllBytes(file);
            for (int at : new int[] {0, whole.length / 3, whole.length / 2}) {
                byte[] damaged = whole.clone();
                damaged[at] ^= 0x10;
                Files.write(file, damaged);
                assertNamed(folder, file, "byte " + at + " of " + file);
            }
            Files.write(file, whole);
        }
        JdbmStore.open(folder, settings, INDEXER).close();
    }

    private void assertNamed(Path folder, Path file, String what) {
        String message;
        try (JdbmStore store = JdbmStore.open(folder, settings, INDEXER)) {
            assertEquals(what + " was not found", 40, store.status().entries());
            message = FolderChecker.check(folder).toString();
        } catch (StoreException e) {
            assertEquals(what + ": " + e.getMessage(), StoreException.Kind.CORRUPT, e.kind());
            message = e.getMessage();
        }
        assertTrue(what + ": " + message, message.contains(file.toString()));
        String checked = FolderChecker.check(folder).toString();
        assertTrue(what + ": " + checked, checked.contains(file.toString()));
    }

    @Test
    public void aMissingFileIsFoundAndNamed() throws IOException {
        for (String name : List.of("MANIFEST", "log-", "segment.descriptor", "master.db", "index-color.db")) {
            Path folder = sampleFolder();
            Path file;
            try (Stream<Path> all = Files.walk(folder)) {
                file = all.filter(path -> path.getFileName().toString().startsWith(name)).findFirst().orElseThrow();
            }
            Files.delete(file);
            StoreException e = assertThrows(name, StoreException.class, () -> JdbmStore.open(folder, settings, INDEXER));
            assertTrue(e.getMessage(), e.getMessage().contains(file.getFileName().toString()));
        }
    }
}
