package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import jdbm.btree.BTree;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockBuilder;
import org.alder.partition.jdbm.block.BlockCompressor;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.testing.Seed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Damaged files: found by the checksums always, and read either right or not at all. */
public class TableCorruptionTest {

    private static final int FLIPS = 600;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Random random = Seed.random(TableCorruptionTest.class);
    private Path file;
    private TreeMap<byte[], byte[]> pairs;
    private TreeMap<Long, byte[]> nestedBlocks;
    private TableSummary summary;
    private byte[] sound;

    @Before
    public void writeTable() throws IOException {
        file = folder.getRoot().toPath().resolve("table.db");
        pairs = TestTables.randomPairs(random, 400, 12, 100);
        nestedBlocks = new TreeMap<>();
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file, TableSettings.index().withBlockBytes(256), 4)) {
            NestedTreeWriter nested = writer.newNestedTree();
            for (long block = 0; block < 100; block++) {
                nestedBlocks.put(block * 3, TestTables.text(random, 60));
                nested.append(block * 3, nestedBlocks.get(block * 3));
            }
            pairs.put(new byte[] {0}, BigEndian.ofLong(nested.finish()));
            summary = TestTables.append(writer, pairs);
        }
        sound = Files.readAllBytes(file);
    }

    @Test
    public void whatCannotBeOpenedIsNotLeftOpen() throws IOException {
        Path descriptors = Path.of("/proc/self/fd");
        assumeTrue(Files.isDirectory(descriptors));
        Path missing = file.resolveSibling("table.keys");
        assertThrows(NoSuchFileException.class, () -> Table.open(file, TableOptions.defaults(), missing));
        try (Stream<Path> open = Files.list(descriptors)) {
            assertEquals(0, open.filter(this::isOfTheTable).count());
        }
    }

    private boolean isOfTheTable(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) {
            return false;
        }
    }

    @Test
    public void aFlippedBitIsAlwaysFoundAndNeverRead() throws IOException {
        int refused = 0;
        for (int i = 0; i < FLIPS; i++) {
            byte[] damaged = sound.clone();
            int position = random.nextInt(damaged.length);
            damaged[position] ^= (byte) (1 << random.nextInt(8));
            refused += checkDamaged(damaged, "bit at " + position) ? 1 : 0;
        }
        assertTrue("flips that reading noticed: " + refused, refused > FLIPS / 10);
    }

    @Test
    public void aFlippedBitInTheStructuresIsFoundByReading() throws IOException {
        for (int position = 0; position < 2; position++) {
            byte[] damaged = sound.clone();
            damaged[position] ^= 0x10;
            assertTrue(checkDamaged(damaged, "file magic byte " + position));
        }
        for (int position = 90; position < 98; position++) {
            byte[] damaged = sound.clone();
            damaged[position] ^= 0x10;
            assertTrue(checkDamaged(damaged, "root slot byte " + position));
        }
    }

    @Test
    public void aRandomPageIsAlwaysFoundAndNeverRead() throws IOException {
        for (int page = 0; page < sound.length / 4096; page++) {
            for (int source = 0; source < 3; source++) {
                byte[] damaged = sound.clone();
                byte[] other = source == 0 ? new byte[4096] : source == 1 ? TestTables.randomBytes(random, 4096)
                    : Arrays.copyOfRange(sound, 4096 * (sound.length / 4096 - 1 - page), 4096 * (sound.length / 4096 - page));
                System.arraycopy(other, 0, damaged, page * 4096, 4096);
                if (!Arrays.equals(damaged, sound)) {
                    checkDamaged(damaged, "page " + page);
                }
            }
        }
    }

    @Test
    public void aTruncatedFileIsRefusedOnOpen() throws IOException {
        for (int i = 0; i < 100; i++) {
            int length = i < 20 ? i * 4096 % sound.length : random.nextInt(sound.length);
            Files.write(file, Arrays.copyOf(sound, length));
            TableCorruptException e = assertThrows(TableCorruptException.class, () -> Table.open(file));
            assertEquals(file, e.file());
            assertThrows(TableCorruptException.class, () -> TableVerifier.verifyChecksums(file, summary));
        }
    }

    @Test
    public void anUnfinishedFileIsNoTable() throws IOException {
        Path unfinished = folder.getRoot().toPath().resolve("unfinished.db");
        BuildRecordManager records = new BuildRecordManager(unfinished.toString().replace(".db", ""), () -> { });
        records.insertRecord(new byte[100]);
        records.flush();
        records.close();
        TableCorruptException e = assertThrows(TableCorruptException.class, () -> Table.open(unfinished));
        assertTrue(e.getMessage(), e.getMessage().contains("not a finished table"));
    }

    @Test
    public void wrongSummariesAreFound() {
        TableSummary fewer = new TableSummary(summary.pairCount() - 1, summary.blockCount(), summary.fileBytes(),
            summary.regionBytes(), summary.regionCrc32c());
        assertThrows(TableCorruptException.class,
            () -> TableVerifier.verify(file, fewer, TableVerifier.NestedTreeFinder.NONE));
        TableSummary longer = new TableSummary(summary.pairCount(), summary.blockCount(), summary.fileBytes() + 1,
            summary.regionBytes(), summary.regionCrc32c());
        assertThrows(TableCorruptException.class, () -> TableVerifier.verifyChecksums(file, longer));
    }

    @Test
    public void keysOutOfOrderUnderSoundChecksAreFound() throws IOException {
        Path crafted = folder.getRoot().toPath().resolve("crafted.db");
        BlockBuilder unordered = new BlockBuilder();
        unordered.add(new byte[] {2}, new byte[1]);
        unordered.add(new byte[] {1}, new byte[1]);
        unordered.add(new byte[] {3}, new byte[1]);
        craft(crafted, new byte[][] {{3}}, unordered);
        try (Table table = Table.open(crafted)) {
            TableCorruptException e = assertThrows(TableCorruptException.class, table::scan);
            assertTrue(e.getMessage(), e.getMessage().contains("not in ascending order"));
        }
        BlockBuilder overlapping = new BlockBuilder();
        overlapping.add(new byte[] {3}, new byte[1]);
        BlockBuilder second = new BlockBuilder();
        second.add(new byte[] {2}, new byte[1]);
        second.add(new byte[] {5}, new byte[1]);
        Path other = folder.getRoot().toPath().resolve("overlapping.db");
        craft(other, new byte[][] {{3}, {5}}, overlapping, second);
        try (Table table = Table.open(other)) {
            TableCursor cursor = table.scan();
            assertTrue(cursor.next());
            TableCorruptException e = assertThrows(TableCorruptException.class, cursor::next);
            assertTrue(e.getMessage(), e.getMessage().contains("not above the last key of the block before"));
        }
    }

    @Test
    public void aTreeThatLeadsToTheWrongBlockIsFound() throws IOException {
        Path crafted = folder.getRoot().toPath().resolve("crafted.db");
        BlockBuilder block = new BlockBuilder();
        block.add(new byte[] {3}, new byte[1]);
        craft(crafted, new byte[][] {{4}}, block);
        try (Table table = Table.open(crafted)) {
            TableCorruptException e = assertThrows(TableCorruptException.class, () -> table.get(new byte[] {3}));
            assertTrue(e.getMessage(), e.getMessage().contains("last key"));
        }
    }

    /** Writes a table whose checks all hold, with these keys in the tree for these blocks. */
    private static void craft(Path path, byte[][] treeKeys, BlockBuilder... blocks) throws IOException {
        BuildRecordManager records = new BuildRecordManager(path.toString().replace(".db", ""), () -> { });
        BTree<byte[], byte[]> tree = new BTree<>(records, ByteKeyComparator.INSTANCE, ByteKeySerializer.INSTANCE,
            ByteKeySerializer.INSTANCE, 16);
        try (BlockCompressor compressor = new BlockCompressor(TableSettings.index(), new byte[0])) {
            for (int i = 0; i < blocks.length; i++) {
                long recordId = records.insertRecord(compressor.toRecord(blocks[i].build()));
                tree.insert(treeKeys[i], BigEndian.ofLong(recordId), false);
            }
        }
        TableHeader header = new TableHeader(tree.getRecordId(), 0, blocks.length, blocks.length);
        records.setRoot(TableHeader.ROOT_SLOT, records.insertRecord(header.toRecord()));
        records.flush();
        records.close();
    }

    /** Returns whether reading noticed; what it did read must be right. */
    private boolean checkDamaged(byte[] damaged, String what) throws IOException {
        Files.write(file, damaged);
        assertThrows(what, TableCorruptException.class, () -> TableVerifier.verifyChecksums(file, summary));
        try (Table table = Table.open(file)) {
            return readAll(table);
        } catch (TableCorruptException e) {
            assertEquals(file, e.file());
            return true;
        } catch (RuntimeException | Error e) {
            throw new AssertionError(what, e);
        }
    }

    private boolean readAll(Table table) {
        boolean refused = false;
        for (Map.Entry<byte[], byte[]> pair : pairs.entrySet()) {
            byte[] absent = Arrays.copyOf(pair.getKey(), pair.getKey().length + 3);
            refused |= refuses(() -> assertArrayEquals(pair.getValue(), table.get(pair.getKey())));
            refused |= refuses(() -> assertArrayEquals(pairs.get(absent), table.get(absent)));
        }
        refused |= refuses(() -> scan(table));
        refused |= refuses(() -> scanNested(table));
        return refused;
    }

    private static boolean refuses(Runnable reading) {
        try {
            reading.run();
            return false;
        } catch (TableCorruptException e) {
            return true;
        }
    }

    private void scan(Table table) {
        TableCursor cursor = table.scan();
        for (Map.Entry<byte[], byte[]> pair : pairs.entrySet()) {
            assertTrue(cursor.next());
            assertArrayEquals(pair.getKey(), cursor.key());
            assertArrayEquals(pair.getValue(), cursor.value());
        }
        if (cursor.next()) {
            fail("a pair after the last");
        }
    }

    private void scanNested(Table table) {
        NestedTree tree = table.nestedTree(BigEndian.getLong(pairs.get(new byte[] {0}), 0));
        NestedTreeCursor cursor = tree.cursor(0);
        for (Map.Entry<Long, byte[]> block : nestedBlocks.entrySet()) {
            assertTrue(cursor.next());
            assertEquals(block.getKey().longValue(), cursor.blockNumber());
            assertArrayEquals(block.getValue(), cursor.value());
        }
        if (cursor.next()) {
            fail("a block after the last");
        }
    }
}
