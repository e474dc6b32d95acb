package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Bulk load, rebuilding of indexes, and reading beside a server. */
public class GenerationTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final StoreSettings settings = StoreSettings.defaults();
    private Path folder;

    @Before
    public void name() {
        folder = temporary.getRoot().toPath().resolve("new").resolve("store");
    }

    private void load(int count, boolean publish) {
        try (BulkLoad load = JdbmStore.bulkLoad(folder, settings, INDEXER)) {
            load.add(1, StoreTests.entry(0, "top"));
            for (int i = 2; i <= count; i++) {
                load.add(i, StoreTests.entry(1, "n" + i, i % 2 == 0 ? "red" : "blue"));
            }
            if (publish) {
                load.publish((phase, done, total) -> { });
            }
        }
    }

    private JdbmStore open() {
        return JdbmStore.open(folder, settings, INDEXER);
    }

    @Test
    public void aLoadedStoreServesAndTakesChanges() {
        load(3000, true);
        try (JdbmStore store = open()) {
            assertEquals(3000, store.status().entries());
            assertEquals(1500, StoreTests.ids(store, 1, "red").cardinality());
            assertEquals(3001, StoreTests.add(store, 1, "more", "red"));
            StoreTests.delete(store, 2);
        }
        try (JdbmStore store = open(); Snapshot snapshot = store.snapshot()) {
            assertEquals(3000, store.status().entries());
            assertEquals(1500, snapshot.cardinality(1, StoreTests.utf8("red")));
            StoreTests.assertIndexed(snapshot, INDEXER);
        }
    }

    @Test
    public void aLoadReplacesEverything() throws IOException {
        try (JdbmStore store = open()) {
            StoreTests.add(store, 0, "old", "green");
            store.flush();
            StoreTests.add(store, 1, "older", "green");
        }
        load(10, true);
        try (JdbmStore store = open()) {
            assertEquals(10, store.status().entries());
            assertEquals(IdSet.EMPTY, StoreTests.ids(store, 1, "green"));
            assertEquals(1, store.status().parts());
            assertEquals(11, StoreTests.add(store, 1, "more", "red"));
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(1, files.filter(file -> file.getFileName().toString().startsWith("segment-")).count());
        }
    }

    @Test
    public void anUnpublishedLoadLeavesTheOldGeneration() throws IOException {
        try (JdbmStore store = open()) {
            StoreTests.add(store, 0, "old", "green");
        }
        load(10, false);
        Files.createDirectory(folder.resolve("segment-000009"));
        Files.write(folder.resolve("segment-000009").resolve("master.entries"), new byte[100]);
        Files.write(folder.resolve("MANIFEST.new"), new byte[10]);
        Files.write(folder.resolve("log-00000000000000ff.next"), new byte[10]);
        try (JdbmStore store = open()) {
            assertEquals(1, store.status().entries());
            assertEquals(IdSet.of(1), StoreTests.ids(store, 1, "green"));
        }
        assertFalse(Files.exists(folder.resolve("segment-000009")));
        assertFalse(Files.exists(folder.resolve("MANIFEST.new")));
        assertFalse(Files.exists(folder.resolve("log-00000000000000ff.next")));
    }

    /** A crash after the manifest was replaced and before anything else was done. */
    @Test
    public void aPublishedLoadIsFinishedByTheNextStart() throws IOException {
        load(10, true);
        Manifest manifest = ManifestFile.read(folder);
        Path log = new StoreFolder(SystemDisk.INSTANCE, folder).logs().files().get(0);
        Files.move(log, log.resolveSibling(log.getFileName() + ".next"));
        Files.write(folder.resolve("log-0000000000000001"), new byte[100]);
        try (JdbmStore store = open()) {
            assertEquals(10, store.status().entries());
            assertEquals(manifest.lastFlushed(), store.status().sequence());
        }
        assertFalse(Files.exists(folder.resolve("log-0000000000000001")));
    }

    @Test
    public void anEmptyLoadIsAnEmptyStore() {
        try (BulkLoad load = JdbmStore.bulkLoad(folder, settings, INDEXER)) {
            load.publish((phase, done, total) -> { });
        }
        try (JdbmStore store = open()) {
            assertEquals(0, store.status().entries());
            assertEquals(1, StoreTests.add(store, 0, "top"));
        }
    }

    @Test
    public void otherIndexesAreBuiltBeforeServing() {
        try (JdbmStore store = open()) {
            StoreTests.add(store, 0, "top", "red");
            StoreTests.add(store, 1, "a", "red");
            store.flush();
            StoreTests.add(store, 2, "b", "blue");
            StoreTests.delete(store, StoreTests.add(store, 2, "c", "blue"));
        }
        for (TestIndexer other : List.of(new TestIndexer(), new TestIndexer("shape", "color"),
                new TestIndexer("shape", "color").inCapitals(), new TestIndexer("color"))) {
            try (JdbmStore store = JdbmStore.open(folder, settings, other); Snapshot snapshot = store.snapshot()) {
                assertEquals(3, store.status().entries());
                StoreTests.assertIndexed(snapshot, other);
            }
        }
        try (JdbmStore store = open()) {
            assertEquals(5, StoreTests.add(store, 1, "d", "red"));
            assertEquals(IdSet.of(1, 2, 5), StoreTests.ids(store, 1, "red"));
        }
    }

    @Test
    public void anEmptyStoreTakesOtherIndexes() {
        open().close();
        try (JdbmStore store = JdbmStore.open(folder, settings, new TestIndexer("shape", "color"))) {
            StoreTests.add(store, 0, "top", "red");
            assertEquals(IdSet.of(1), StoreTests.ids(store, 2, "red"));
        }
    }

    @Test
    public void anotherThresholdNeedsNoRebuild() throws IOException {
        load(20, true);
        try (JdbmStore store = JdbmStore.open(folder, settings, new TestIndexer(2, "color"))) {
            StoreTests.add(store, 1, "more", "red");
            store.compact();
            assertEquals(11, StoreTests.ids(store, 1, "red").cardinality());
        }
        assertEquals(1, ManifestFile.read(folder).generation() - 1);
        assertEquals(2, ManifestFile.read(folder).indexes().get(1).duplicateThreshold());
        StoreTests.assertFilesSound(folder);
    }

    @Test
    public void aReaderBesideTheServerSeesOneState() {
        try (JdbmStore store = JdbmStore.open(folder, settings.withMemoryLayerBytes(10_000), INDEXER)) {
            StoreTests.add(store, 0, "top", "red");
            for (int i = 0; i < 40; i++) {
                for (int j = 0; j < 5; j++) {
                    StoreTests.add(store, 1, "n" + i + "-" + j, "red");
                }
                long count = 1 + 5 * (i + 1);
                try (Store reader = JdbmStore.openReadOnly(folder, settings, INDEXER); Snapshot snapshot = reader.snapshot()) {
                    assertEquals(count, snapshot.cardinality(1, StoreTests.utf8("red")));
                    assertEquals(count, reader.maintenance().status().entries());
                    store.compact();
                    StoreTests.assertIndexed(snapshot, INDEXER);
                    assertEquals(StoreException.Kind.READ_ONLY,
                            StoreTests.kindOf(assertThrows(CompletionException.class, () -> StoreTests.add(reader, 1, "x"))));
                }
            }
        }
    }

    @Test
    public void readingWhereThereIsNoSuitableStoreIsRefused() throws IOException {
        StoreException none = assertThrows(StoreException.class, () -> JdbmStore.openReadOnly(folder, settings, INDEXER));
        assertEquals(StoreException.Kind.REFUSED, none.kind());
        assertFalse(Files.exists(folder));
        load(5, true);
        StoreException other = assertThrows(StoreException.class,
                () -> JdbmStore.openReadOnly(folder, settings, new TestIndexer("shape")));
        assertEquals(StoreException.Kind.REFUSED, other.kind());
        assertTrue(other.getMessage(), other.getMessage().contains("that the data lack (shape), and not all that they have (color)"));
    }
}
