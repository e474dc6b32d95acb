package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.junit.Rule;
import org.junit.Test;

/** Damaged files. Failing writes are in {@link FaultScriptTest}. */
public class JdbmStoreDamageTest {
    private static final TestIndexer INDEXER = new TestIndexer("color").withValueTable(3);

    @Rule
    public final FaultFolder temporary = new FaultFolder();

    private final StoreSettings settings = StoreSettings.defaults().withBackgroundCompaction(false);

    /** Two entries in one transaction: entries 2i-1 and 2i. */
    private static void addPair(JdbmStore store, int i) {
        store.submit(context -> {
            context.add(context.allocateId(), StoreTests.entry(0, "a" + i, "red"));
            context.add(context.allocateId(), StoreTests.entry(0, "b" + i, "red", "Green", "Blue", "White"));
            return null;
        }).join();
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
        assertEquals("manifest, log, descriptor, values; master with names and two indexes with key tables: " + files, 10, files.size());
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
        for (String name : List.of("MANIFEST", "log-", "segment.descriptor", "master.entries", "index-values.db", "index-color.db",
                "index-color.keys")) {
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
