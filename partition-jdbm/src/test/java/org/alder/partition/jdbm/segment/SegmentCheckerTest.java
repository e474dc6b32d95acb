package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.zip.CRC32C;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.MapLayer;
import org.alder.partition.jdbm.segment.SegmentChecker.Problem;
import org.alder.partition.jdbm.segment.SegmentDescriptor.IndexTable;
import org.alder.partition.jdbm.table.TableWriter;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class SegmentCheckerTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path folder() {
        return temporary.getRoot().toPath().resolve("segment");
    }

    private Path file(String name) {
        return folder().resolve(name);
    }

    private Problem onlyProblem() {
        List<Problem> problems = SegmentChecker.check(folder());
        assertEquals(problems.toString(), 1, problems.size());
        return problems.get(0);
    }

    private void assertOnlyProblem(String file, String part) {
        Problem problem = onlyProblem();
        assertEquals(file(file), problem.file());
        assertTrue(problem.toString(), problem.message().contains(part));
    }

    @Test
    public void aFlippedByteInEachFileIsNamed() throws IOException {
        Random random = Seed.random(SegmentCheckerTest.class);
        Segments.write(folder(), Segments.sample(), 5);
        for (String name : new String[] {"master.entries", "master.names", "index-hierarchy.db", "index-hierarchy.keys", "index-cn.db",
            SegmentDescriptor.FILE_NAME}) {
            byte[] good = Files.readAllBytes(file(name));
            for (int i = 0; i < 20; i++) {
                byte[] flipped = good.clone();
                flipped[random.nextInt(good.length)] ^= (byte) (1 + random.nextInt(255));
                Files.write(file(name), flipped);
                assertEquals(file(name), onlyProblem().file());
            }
            Files.write(file(name), good);
        }
        assertEquals(List.of(), SegmentChecker.check(folder()));
    }

    @Test
    public void theRegionOfAFlippedByteIsNamed() throws IOException {
        MapLayer layer = new MapLayer();
        Random random = new Random(1);
        byte[] noise = new byte[3000];
        for (long id = 1; id <= 1000; id++) {
            random.nextBytes(noise);
            layer.entries.put(id, new EntryVersion(EntryRecord.of(1, noise.clone(), List.of(), List.of())));
        }
        SegmentDescriptor descriptor = Segments.write(folder(), layer, 5);
        int region = descriptor.master().regionBytes();
        assertTrue("the file has two regions to damage", descriptor.master().fileBytes() > 2L * region);
        byte[] bytes = Files.readAllBytes(file("master.entries"));
        bytes[region + 12345] ^= 4;
        bytes[17] ^= 4;
        Files.write(file("master.entries"), bytes);
        List<Problem> problems = SegmentChecker.check(folder());
        assertEquals(List.of(0L, (long) region), problems.stream().map(Problem::offset).toList());
    }

    @Test
    public void missingTruncatedAndForeignFilesAreNamed() throws IOException {
        Segments.write(folder(), Segments.sample(), 5);
        Files.createFile(file("notes.txt"));
        assertOnlyProblem("notes.txt", "does not name this file");
        Files.delete(file("notes.txt"));
        byte[] bytes = Files.readAllBytes(file("index-cn.db"));
        Files.write(file("index-cn.db"), Arrays.copyOf(bytes, bytes.length / 2));
        assertOnlyProblem("index-cn.db", "bytes");
        Files.delete(file("index-cn.db"));
        assertOnlyProblem("index-cn.db", "missing");
        Files.delete(file(SegmentDescriptor.FILE_NAME));
        assertOnlyProblem(SegmentDescriptor.FILE_NAME, "missing");
    }

    private void describe(SegmentDescriptor descriptor) throws IOException {
        Files.deleteIfExists(file(SegmentDescriptor.FILE_NAME));
        DescriptorFile.write(SystemDisk.INSTANCE, folder(), descriptor);
    }

    private static SegmentDescriptor withCn(SegmentDescriptor good, IndexTable cn) {
        return new SegmentDescriptor(good.version(), good.sequences(), good.entries(), good.tombstones(), good.minId(), good.maxId(),
                good.master(), good.masterKeys(), good.names(), List.of(good.indexes().get(0), cn));
    }

    @Test
    public void countsThatDoNotAgreeAreNamed() throws IOException {
        SegmentDescriptor good = Segments.write(folder(), Segments.sample(), 5);
        describe(new SegmentDescriptor(good.version(), good.sequences(), 200, 0, 1, 200, good.master(), good.masterKeys(), good.names(), good.indexes()));
        assertOnlyProblem("master.entries", "found 199 entries, 1 tombstones");
        TableSummary wrong = new TableSummary(201, good.master().blockCount(), good.master().fileBytes(),
                good.master().regionBytes(), good.master().regionCrc32c());
        describe(new SegmentDescriptor(good.version(), good.sequences(), 199, 1, 1, 200, wrong, good.masterKeys(), good.names(), good.indexes()));
        assertOnlyProblem("master.entries", "found 200 entries, expected 201");
    }

    @Test
    public void setsStoredTheWrongWayForTheThresholdAreNamed() throws IOException {
        SegmentDescriptor good = Segments.write(folder(), Segments.sample(), 5);
        for (int threshold : new int[] {0, 400}) {
            IndexTable other = new IndexTable(new IndexSpec("cn", threshold), good.indexes().get(1).table(), null);
            describe(withCn(good, other));
            List<Problem> problems = SegmentChecker.check(folder());
            assertEquals(threshold == 0 ? 2 : 1, problems.size());
            assertTrue(problems.get(0).message(), problems.get(0).message().contains("threshold " + threshold));
            assertEquals(file("index-cn.db"), problems.get(0).file());
        }
    }

    /** Writes a segment whose cn index has these values under the keys k0, k1, ... */
    private void writeIndex(byte[]... values) throws IOException {
        SegmentDescriptor good = Segments.write(folder(), Segments.sample(), 5);
        Files.delete(file("index-cn.db"));
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file("index-cn.db"), TableSettings.index())) {
            for (int i = 0; i < values.length; i++) {
                writer.append(Segments.bytes("k" + i), values[i]);
            }
            IndexTable table = new IndexTable(new IndexSpec("cn", 5), writer.finish(), null);
            describe(withCn(good, table));
        }
    }

    @Test
    public void aSetBothAddedAndRemovedIsNamedWithItsKey() throws IOException {
        byte[] good;
        byte[] overlapping;
        try (TableWriter unused = TableWriter.create(SystemDisk.INSTANCE, temporary.getRoot().toPath().resolve("x.db"),
                TableSettings.index())) {
            good = IdSetCodec.encode(IdSetDelta.adding(IdSet.of(4)), 5, unused);
            overlapping = IdSetCodec.encode(new IdSetDelta(IdSet.of(4, 5), IdSet.of(5, 6)), 5, unused);
        }
        writeIndex(good, overlapping, good);
        Problem problem = onlyProblem();
        assertEquals("6b31", problem.key());
        assertTrue(problem.toString(), problem.message().contains("both added and removed"));
    }

    @Test
    public void aKeyTableOfAnotherIndexIsNamed() throws IOException {
        SegmentDescriptor good = Segments.write(folder(), Segments.sample(), 5);
        Path other = temporary.getRoot().toPath().resolve("other");
        MapLayer layer = new MapLayer();
        layer.index(0).put(Segments.bytes("d"), IdSetDelta.adding(IdSet.of(4)));
        layer.index(0).put(Segments.bytes("n"), IdSetDelta.adding(IdSet.of(4)));
        TableSummary keys = Segments.write(other, layer, 5).indexes().get(0).keys();
        String name = good.indexes().get(0).keyTableName();
        Files.copy(other.resolve(name), file(name), StandardCopyOption.REPLACE_EXISTING);
        IndexTable hierarchy = new IndexTable(good.indexes().get(0).spec(), good.indexes().get(0).table(), keys);
        describe(new SegmentDescriptor(good.version(), good.sequences(), good.entries(), good.tombstones(), good.minId(), good.maxId(),
                good.master(), good.masterKeys(), good.names(), List.of(hierarchy, good.indexes().get(1))));
        assertOnlyProblem(name, "the key of pair 0 of block 0 is not found");
        assertTrue("it can be built anew", onlyProblem().isOfIndex());
    }

    @Test
    public void aKeyTableOfEntriesThatLeadsElsewhereIsNamed() throws IOException {
        SegmentDescriptor good = Segments.writeVersion3(folder(), Segments.sample(), 5, BlockCodec.LZ4);
        Path keys = file(SegmentDescriptor.MASTER_KEYS_FILE);
        byte[] bytes = Files.readAllBytes(keys);
        bytes[bytes.length - 9] ^= 1;
        Files.write(keys, bytes);
        assertOnlyProblem(SegmentDescriptor.MASTER_KEYS_FILE, "CRC32C");
        assertTrue("it can be built anew", onlyProblem().isOfIndex());
        TableSummary summary = good.masterKeys();
        describe(new SegmentDescriptor(good.version(), good.sequences(), good.entries(), good.tombstones(), good.minId(), good.maxId(),
                good.master(), new TableSummary(summary.pairCount(), summary.blockCount(), bytes.length, bytes.length,
                new int[] {crc32c(bytes)}), good.names(), good.indexes()));
        assertOnlyProblem(SegmentDescriptor.MASTER_KEYS_FILE, "is not found through it");
    }

    @Test
    public void namesThatAreNotThoseOfTheEntriesAreNamed() throws IOException {
        SegmentDescriptor good = Segments.write(folder(), Segments.sample(), 5);
        Path other = temporary.getRoot().toPath().resolve("other");
        MapLayer layer = Segments.sample();
        layer.entries.put(77L, Segments.version(1, "cn=another", 77));
        TableSummary names = Segments.write(other, layer, 5).names();
        Files.copy(other.resolve(SegmentDescriptor.NAMES_FILE), file(SegmentDescriptor.NAMES_FILE), StandardCopyOption.REPLACE_EXISTING);
        describe(new SegmentDescriptor(good.version(), good.sequences(), good.entries(), good.tombstones(), good.minId(), good.maxId(),
                good.master(), good.masterKeys(), names, good.indexes()));
        assertOnlyProblem(SegmentDescriptor.NAMES_FILE, "entry 77 has another name there than in its record");
        assertTrue("it can be built anew", onlyProblem().isOfIndex());
    }

    private static int crc32c(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    @Test
    public void aSetThatChangesNothingIsNamed() throws IOException {
        writeIndex(new byte[] {0x10});
        assertEquals("6b30", onlyProblem().key());
    }

    @Test
    public void aValueThatIsNoSetIsNamedWithItsFile() throws IOException {
        writeIndex(new byte[] {0x55, 1, 2});
        assertOnlyProblem("index-cn.db", "version 5");
        assertEquals("6b30", onlyProblem().key());
    }

    @Test
    public void aSetWhoseNestedTreeIsMissingIsNamed() throws IOException {
        writeIndex(new byte[] {0x12, 6, 0x29});
        assertEquals(file("index-cn.db"), onlyProblem().file());
    }

    @Test
    public void recordsAndIdsInATableThatDoNotDecodeAreNamed() throws IOException {
        SegmentDescriptor good = Segments.writeVersion3(folder(), Segments.sample(), 5, BlockCodec.LZ4);
        Files.delete(file("master.db"));
        byte[] damaged = Segments.record(1, "cn=x", 10).bytes();
        damaged[damaged.length - 12] ^= 0x40;
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file("master.db"), TableSettings.index())) {
            writer.append(MasterKeys.key(0), new byte[0]);
            writer.append(MasterKeys.key(1), damaged);
            writer.append(MasterKeys.key(2), new byte[] {9, 9, 9, 9});
            writer.append(new byte[] {1}, new byte[0]);
            describe(new SegmentDescriptor(good.version(), good.sequences(), 2, 0, 1, 2, writer.finish(), null, null, good.indexes()));
        }
        List<String> keys = new ArrayList<>();
        SegmentChecker.check(folder()).forEach(problem -> keys.add(problem.key()));
        assertTrue(keys.toString(), keys.containsAll(List.of("0000000000000000", "0000000000000001", "0000000000000002", "01")));
    }

    @Test
    public void aFileFullOfProblemsIsNotListedWhole() throws IOException {
        MapLayer many = new MapLayer();
        for (int i = 0; i < 90; i++) {
            many.index(1).put(Segments.bytes("k" + i), IdSetDelta.adding(IdSet.of(1, 2)));
        }
        SegmentDescriptor good = Segments.write(folder(), many, 5);
        IndexTable other = new IndexTable(new IndexSpec("cn", 1), good.indexes().get(1).table(), null);
        describe(withCn(good, other));
        assertEquals(20, SegmentChecker.check(folder()).size());
    }
}
