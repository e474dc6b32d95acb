package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.key.KeyTable;
import org.alder.partition.jdbm.key.KeyTableFormat;
import org.alder.partition.jdbm.key.KeyTableWriter;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class KeyTableTest {
    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Random random = Seed.random(KeyTableTest.class);
    private int files;
    private TableSummary summary;
    private TableSummary keySummary;
    /** Of the table opened last. */
    private BlockCache<TableBlock> blocks;

    private Path newFile() {
        return folder.getRoot().toPath().resolve("t" + files++ + TableWriter.FILE_SUFFIX);
    }

    private static Path keys(Path file) {
        return file.resolveSibling(file.getFileName() + KeyTableWriter.FILE_SUFFIX);
    }

    /** Writes a table and its key table, of which so many keys are kept in memory. */
    private Path write(TreeMap<byte[], byte[]> pairs, TableSettings settings, int bufferedKeys) throws IOException {
        Path file = newFile();
        try (KeyTableWriter keys = new KeyTableWriter(SystemDisk.INSTANCE, keys(file), bufferedKeys);
                TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file, settings, keys)) {
            summary = TestTables.append(writer, pairs);
            keySummary = keys.finish();
        }
        return file;
    }

    private void verifyKeys(Path file) throws IOException {
        KeyTableCheck check = new KeyTableCheck(keys(file), keySummary);
        assertTrue(TableVerifier.verifyStructure(file, summary, TableVerifier.NestedTreeFinder.NONE, check,
                (key, value, table) -> true));
        if (check.problem() != null) {
            throw check.problem();
        }
    }

    private Table open(Path file, long cacheBytes) throws IOException {
        return Table.open(file, new TableOptions(blocks = new BlockCache<>(cacheBytes), new BlockCache<>(100_000)), keys(file));
    }

    private static TreeMap<byte[], byte[]> numbers(int count) {
        TreeMap<byte[], byte[]> pairs = TestTables.sortedMap();
        for (int i = 0; i < count; i++) {
            pairs.put(("user." + i).getBytes(StandardCharsets.UTF_8), BigEndian.ofLong(i));
        }
        return pairs;
    }

    @Test
    public void allKeysAreFoundAndNoOthers() throws IOException {
        int[] counts = {0, 1, 2, 3, 255, 256, 257, 2000, 5000};
        for (int round = 0; round < 45; round++) {
            TreeMap<byte[], byte[]> pairs = TestTables.randomPairs(random, counts[round % counts.length],
                    2 + random.nextInt(40), 20);
            TableSettings settings = TableSettings.index().withBlockBytes(256 << random.nextInt(7));
            Path file = write(pairs, settings, 1 + random.nextInt(6000));
            assertEquals(pairs.size(), keySummary.pairCount());
            assertEquals(Files.size(keys(file)), keySummary.fileBytes());
            try (Table table = open(file, random.nextBoolean() ? 1 << 24 : 0)) {
                for (Map.Entry<byte[], byte[]> pair : pairs.entrySet()) {
                    assertArrayEquals(pair.getValue(), table.get(pair.getKey()));
                }
                for (int i = 0; i < 500; i++) {
                    byte[] key = TestTables.randomBytes(random, 1 + random.nextInt(4));
                    assertArrayEquals(pairs.get(key), table.get(key));
                }
            }
            verifyKeys(file);
            try (var left = Files.list(folder.getRoot().toPath())) {
                assertFalse("a scratch file is left", left.anyMatch(name -> name.toString().endsWith("scratch")));
            }
        }
    }

    @Test
    public void absentKeysAreToldWithoutReadingBlocks() throws IOException {
        Path file = write(numbers(50_000), TableSettings.index(), KeyTableWriter.BUFFERED_KEYS);
        try (Table table = open(file, 0)) {
            for (int i = 0; i < 20_000; i++) {
                assertNull(table.get(("user." + i + "x").getBytes(StandardCharsets.UTF_8)));
            }
            long absent = blocks.misses();
            assertTrue(absent + " blocks read for 20,000 keys that are not there", absent < 40);
            for (int i = 0; i < 20_000; i++) {
                assertArrayEquals(BigEndian.ofLong(i), table.get(("user." + i).getBytes(StandardCharsets.UTF_8)));
            }
            long present = blocks.misses() - absent;
            assertTrue(present + " blocks read for 20,000 keys that are there", present < 20_040);
        }
    }

    @Test
    public void aKeyTakesSixBytesAtMost() throws IOException {
        write(numbers(200_000), TableSettings.index(), 30_000);
        assertTrue(keySummary.fileBytes() + " bytes for 200,000 keys", keySummary.fileBytes() <= 200_000 * 6);
    }

    /** All keys in one bucket with one fingerprint: every lookup must look at the keys themselves. */
    @Test
    public void keysWhoseHashesCollideAreToldApart() throws IOException {
        TreeMap<byte[], byte[]> pairs = numbers(700);
        for (int bufferedKeys : new int[] {100, 1000}) {
            Path file = newFile();
            Path colliding = keys(file);
            List<byte[]> keys = new ArrayList<>(pairs.keySet());
            long hash = random.nextLong();
            TestTables.write(file, TableSettings.index().withBlockBytes(512), pairs);
            try (Table plain = Table.open(file); KeyTableWriter writer = new KeyTableWriter(SystemDisk.INSTANCE, colliding,
                    bufferedKeys)) {
                addAll(plain, hash, writer);
                writer.finish();
                KeyTable table = KeyTable.open(colliding, plain.pairCount(), plain.blockCount());
                for (byte[] key : keys) {
                    assertArrayEquals(pairs.get(key), table.find(hash, key, plain::blockAt, TableBlock::value));
                }
                assertNull(table.find(hash, "user.x".getBytes(StandardCharsets.UTF_8), plain::blockAt, TableBlock::value));
                assertNull(table.find(hash + 1, keys.get(0), plain::blockAt, TableBlock::value));
            }
        }
    }

    private static void addAll(Table plain, long hash, KeyTableWriter writer) throws IOException {
        TreeCursor blocks = new TreeCursor(plain.mainTree());
        int block = 0;
        for (boolean more = blocks.seek(new byte[0]); more; more = blocks.next()) {
            int count = plain.block(blocks.key(), blocks.value(), false).count();
            for (int pair = 0; pair < count; pair++) {
                writer.add(hash, block, pair);
            }
            writer.addBlock(BigEndian.getLong(blocks.value(), 0));
            block++;
        }
    }

    @Test
    public void aDamagedHeaderAndEveryTruncationIsRefusedWithItsName() throws IOException {
        Path file = write(numbers(300), TableSettings.index().withBlockBytes(256), 1000);
        byte[] good = Files.readAllBytes(keys(file));
        for (int at = 0; at < KeyTableFormat.HEADER_BYTES - Integer.BYTES; at++) {
            byte[] flipped = good.clone();
            flipped[at] ^= (byte) (1 << at % 8);
            assertRefused(file, flipped);
        }
        for (int length = 0; length < good.length; length += 1 + random.nextInt(20)) {
            assertRefused(file, Arrays.copyOf(good, length));
        }
        assertRefused(file, Arrays.copyOf(good, good.length + 1));
    }

    private void assertRefused(Path file, byte[] bytes) throws IOException {
        Files.write(keys(file), bytes);
        TableCorruptException refused = assertThrows(TableCorruptException.class, () -> open(file, 0));
        assertTrue(refused.getMessage(), refused.getMessage().contains(keys(file).toString()));
    }

    @Test
    public void aKeyTableOfAnotherTableIsRefused() throws IOException {
        Path file = write(numbers(300), TableSettings.index(), 1000);
        Path other = write(numbers(301), TableSettings.index(), 1000);
        assertRefused(file, Files.readAllBytes(keys(other)));
    }

    @Test
    public void everyFlippedByteIsFoundByTheVerifier() throws IOException {
        Path file = write(numbers(300), TableSettings.index().withBlockBytes(256), 1000);
        byte[] good = Files.readAllBytes(keys(file));
        for (int round = 0; round < 200; round++) {
            byte[] flipped = good.clone();
            flipped[random.nextInt(good.length)] ^= (byte) (1 + random.nextInt(255));
            Files.write(keys(file), flipped);
            assertThrows(TableCorruptException.class, () -> {
                TableVerifier.verifyChecksums(keys(file), keySummary);
                verifyKeys(file);
            });
        }
    }

    /** A lookup through damage that no checksum told must fail or answer right, never read outside the file. */
    @Test
    public void flippedBytesBehindTheHeaderNeverLeadOutside() throws IOException {
        TreeMap<byte[], byte[]> pairs = numbers(300);
        Path file = write(pairs, TableSettings.index().withBlockBytes(256), 1000);
        byte[] good = Files.readAllBytes(keys(file));
        for (int round = 0; round < 300; round++) {
            byte[] flipped = good.clone();
            int behindHeader = KeyTableFormat.HEADER_BYTES + random.nextInt(good.length - KeyTableFormat.HEADER_BYTES);
            flipped[behindHeader] ^= (byte) (1 + random.nextInt(255));
            Files.write(keys(file), flipped);
            try (Table table = open(file, 0)) {
                for (byte[] key : pairs.keySet()) {
                    lookUp(table, key, pairs.get(key));
                }
            }
        }
    }

    private static void lookUp(Table table, byte[] key, byte[] expected) {
        try {
            byte[] value = table.get(key);
            assertTrue(value == null || Arrays.equals(value, expected));
        } catch (TableCorruptException e) {
            assertTrue(e.getMessage(), e.offset() >= 0);
        }
    }

    @Test
    public void anUnfinishedKeyTableIsRemoved() throws IOException {
        Path file = keys(newFile());
        try (KeyTableWriter writer = new KeyTableWriter(SystemDisk.INSTANCE, file, 10)) {
            for (int i = 0; i < 100; i++) {
                writer.add(BigEndian.ofLong(i), 0, i);
            }
        }
        try (var left = Files.list(folder.getRoot().toPath())) {
            assertEquals(0, left.count());
        }
    }

    @Test
    public void aClosedTableIsNotReadThroughItsKeyTable() throws IOException {
        Table table = open(write(numbers(10), TableSettings.index(), 1000), 0);
        table.close();
        assertThrows(IllegalStateException.class, () -> table.get("absent".getBytes(StandardCharsets.UTF_8)));
    }
}
