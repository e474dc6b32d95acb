package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.recovery.StoreRepair;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Snapshot;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.function.ThrowingRunnable;
import org.junit.rules.TemporaryFolder;

public class StoreRepairTest {
    private static final TestIndexer INDEXER = new TestIndexer(3, "color").withValueTable(4);
    private static final int COLOR = 2;
    private static final EntryCodec CODEC = EntryCodec.CODED;
    private static final StoreSettings SETTINGS = StoreSettings.defaults().withBackgroundCompaction(false);

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder;

    /**
     * Two segments, the second with deletions and renames of what is in the first, and a log with more of both. All of them have
     * values of a large attribute of entry 3, or remove some.
     */
    @Before
    public void fill() {
        folder = temporary.getRoot().toPath().resolve("store");
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, INDEXER)) {
            StoreTests.add(store, 0, "top");
            for (int i = 2; i <= 21; i++) {
                StoreTests.add(store, 1, "n" + i, i % 2 == 0 ? "red" : "blue");
            }
            long child = StoreTests.add(store, 20, "child", "red");
            StoreTests.recolor(store, 3, List.of(), List.of("Green 1", "Green 2", "Green 3", "Green 4", "Green 5", "Green 6"));
            store.flush();
            StoreTests.delete(store, 5);
            StoreTests.delete(store, child);
            StoreTests.recolor(store, 3, List.of("Green 1"), List.of("Green 7"));
            store.flush();
            StoreTests.recolor(store, 3, List.of("Green 2"), List.of("Green 8"));
            StoreTests.delete(store, 20);
            StoreTests.add(store, 21, "late", "red");
        }
    }

    private Path file(String name) throws IOException {
        return files(name).get(0);
    }

    private List<Path> files(String name) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(file -> file.getFileName().toString().startsWith(name)).sorted().toList();
        }
    }

    private static void flip(Path file, int distance) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 0x40;
        bytes[Math.max(0, bytes.length - distance)] ^= 0x02;
        Files.write(file, bytes);
    }

    private void assertMended(RepairReport report) {
        assertEquals(List.of("hierarchy", "values", "color"), report.indexes());
        assertEquals(20, report.entries());
        StoreTests.assertFilesSound(folder);
        try (JdbmStore store = JdbmStore.open(folder, SETTINGS, INDEXER); Snapshot snapshot = store.snapshot()) {
            assertEquals(20, store.status().entries());
            assertEquals(10, snapshot.cardinality(COLOR, StoreTests.utf8("red")));
            assertEquals(Set.of("blue", "Green 3", "Green 4", "Green 5", "Green 6", "Green 7", "Green 8"),
                    StoreTests.colors(snapshot, 3));
            assertEquals(7, snapshot.entry(3).largeAttribute("color").count());
            assertEquals(IdSet.of(3), snapshot.ids(COLOR, StoreTests.utf8("green 8")));
            assertEquals(IdSet.EMPTY, snapshot.ids(COLOR, StoreTests.utf8("green 2")));
            assertEquals(1, StoreTests.children(snapshot, 21));
            StoreTests.assertIndexed(snapshot, INDEXER);
            assertEquals("no ID is given out twice", 24, StoreTests.add(store, 1, "after", "red"));
        }
    }

    @Test
    public void aDamagedIndexIsNamedAndMended() throws IOException {
        assertNamedAndMended(file("index-color"));
    }

    @Test
    public void aDamagedHierarchyIsNamedAndMended() throws IOException {
        assertNamedAndMended(file("index-hierarchy"));
    }

    /** A key table is a copy of the index beside it. */
    @Test
    public void aDamagedKeyTableIsNamedAndMended() throws IOException {
        assertNamedAndMended(file("index-color.keys"));
    }

    @Test
    public void aMissingKeyTableIsMended() throws IOException {
        Files.delete(file("index-hierarchy.keys"));
        assertMended(StoreRepair.run(folder, CODEC, INDEXER));
    }

    /** The value table is no copy of anything: nobody makes it anew, neither when asked nor for other indexes. */
    @Test
    public void aDamagedOrMissingValueTableIsRefused() throws IOException {
        List<Path> tables = files("index-values.db");
        assertEquals("one in each segment", 2, tables.size());
        for (Path table : tables) {
            byte[] whole = Files.readAllBytes(table);
            flip(table, 60);
            assertRefusedByAll(table);
            Files.delete(table);
            assertRefusedByAll(table);
            Files.write(table, whole);
        }
        assertMended(StoreRepair.run(folder, CODEC, INDEXER));
    }

    private void assertRefusedByAll(Path table) throws IOException {
        byte[] manifest = Files.readAllBytes(file("MANIFEST"));
        List<Path> segments = files("segment-");
        String found = FolderChecker.check(folder).toString();
        assertTrue(found, found.contains(table.toString()));
        assertNamedAsCorrupt(table, () -> JdbmStore.open(folder, SETTINGS, INDEXER));
        assertNamedAsCorrupt(table, () -> JdbmStore.open(folder, SETTINGS, INDEXER.inCapitals()));
        assertNamedAsCorrupt(table, () -> StoreRepair.run(folder, CODEC, INDEXER));
        assertArrayEquals("nothing was changed", manifest, Files.readAllBytes(file("MANIFEST")));
        assertEquals(segments, files("segment-"));
    }

    private static void assertNamedAsCorrupt(Path damaged, ThrowingRunnable attempt) {
        StoreException refused = assertThrows(StoreException.class, attempt);
        assertEquals(refused.toString(), StoreException.Kind.CORRUPT, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(damaged.toString()));
    }

    private void assertNamedAndMended(Path damaged) throws IOException {
        flip(damaged, 100);
        String found = FolderChecker.check(folder).toString();
        assertTrue(found, found.contains(damaged.toString()));
        StoreException refused = assertThrows(StoreException.class, () -> JdbmStore.open(folder, SETTINGS, INDEXER));
        assertEquals(StoreException.Kind.CORRUPT, refused.kind());
        assertTrue(refused.getMessage(), refused.getMessage().contains(damaged.toString()));
        RepairReport report = StoreRepair.run(folder, CODEC, INDEXER);
        assertTrue(report.toString(), report.replaced().toString().contains(damaged.toString()));
        assertMended(report);
    }

    @Test
    public void aMissingIndexIsMended() throws IOException {
        Files.delete(file("index-color.db"));
        assertMended(StoreRepair.run(folder, CODEC, INDEXER));
    }

    @Test
    public void aSoundStoreStaysWhatItIs() {
        RepairReport report = StoreRepair.run(folder, CODEC, INDEXER);
        assertEquals(List.of(), report.replaced());
        assertMended(report);
    }

    @Test
    public void whatTheIndexesAreBuiltFromIsNotMended() throws IOException {
        for (String name : List.of("master.entries", "segment.descriptor", "MANIFEST")) {
            Path damaged = file(name);
            byte[] whole = Files.readAllBytes(damaged);
            Path manifest = file("MANIFEST");
            flip(damaged, 60);
            byte[] before = Files.readAllBytes(manifest);
            StoreException refused = assertThrows(name, StoreException.class, () -> StoreRepair.run(folder, CODEC, INDEXER));
            assertEquals(name, StoreException.Kind.CORRUPT, refused.kind());
            assertTrue(refused.getMessage(), refused.getMessage().contains(damaged.toString()));
            assertArrayEquals("nothing was changed", before, Files.readAllBytes(manifest));
            Files.write(damaged, whole);
        }
    }

    @Test
    public void aFolderInUseOrWithoutStoreIsRefused() {
        JdbmStore store = JdbmStore.open(folder, SETTINGS, INDEXER);
        assertEquals(StoreException.Kind.REFUSED,
                assertThrows(StoreException.class, () -> StoreRepair.run(folder, CODEC, INDEXER)).kind());
        store.close();
        Path none = folder.resolveSibling("none");
        assertEquals(StoreException.Kind.REFUSED,
                assertThrows(StoreException.class, () -> StoreRepair.run(none, CODEC, INDEXER)).kind());
        assertFalse(Files.exists(none));
    }
}
