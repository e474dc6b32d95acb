package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.block.TableLimits;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Tables of many shapes against a TreeMap. */
public class TableModelTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Random random = Seed.random(TableModelTest.class);
    private int files;

    private Path newFile() {
        return folder.getRoot().toPath().resolve("t" + files++ + TableWriter.FILE_SUFFIX);
    }

    @Test
    public void manyShapesAnswerLikeATreeMap() throws IOException {
        int[] pageSizes = {4, 8, 16, 64, 256};
        for (int round = 0; round < 60; round++) {
            BlockCodec codec = BlockCodec.values()[round % 3];
            int maximumValue = new int[] {0, 10, 300, 5000}[random.nextInt(4)];
            int count = 1 + random.nextInt(maximumValue > 1000 ? 300 : 3000);
            TreeMap<byte[], byte[]> pairs = TestTables.randomPairs(random, count, 1 + random.nextInt(40), maximumValue);
            TableSettings settings = TableSettings.index().withBlockBytes(256 << random.nextInt(7)).withCodec(codec);
            Path file = newFile();
            TableSummary summary;
            try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file, settings,
                    pageSizes[random.nextInt(pageSizes.length)])) {
                summary = TestTables.append(writer, pairs);
            }
            assertEquals(pairs.size(), summary.pairCount());
            int mappingBytes = MappedRecordManager.PAGE_BYTES << random.nextInt(8);
            BlockCache<TableBlock> cache = new BlockCache<>(random.nextBoolean() ? 1 << 20 : 0);
            try (Table table = Table.open(file, new TableOptions(cache, new BlockCache<>(100_000)), mappingBytes)) {
                checkAgainst(pairs, table);
            }
            TableVerifier.verify(file, summary, TableVerifier.NestedTreeFinder.NONE);
        }
    }

    @Test
    public void hugeValuesCrossPagesAndMappings() throws IOException {
        TreeMap<byte[], byte[]> pairs = TestTables.sortedMap();
        int[] lengths = {0, 1, 4075, 4076, 4077, 16 * 1024, 20_000, 100_000, 1 << 20, TableLimits.MAX_VALUE_BYTES};
        for (int i = 0; i < lengths.length; i++) {
            pairs.put(new byte[] {(byte) (i * 20)}, TestTables.randomBytes(random, lengths[i]));
            pairs.put(new byte[] {(byte) (i * 20), 0}, TestTables.text(random, lengths[lengths.length - 1 - i]));
        }
        for (BlockCodec codec : BlockCodec.values()) {
            Path file = newFile();
            TableSummary summary = TestTables.write(file, TableSettings.index().withCodec(codec), pairs);
            try (Table table = Table.open(file, TableOptions.defaults(), 2 * MappedRecordManager.PAGE_BYTES)) {
                checkAgainst(pairs, table);
            }
            TableVerifier.verify(file, summary, TableVerifier.NestedTreeFinder.NONE);
        }
    }

    @Test
    public void twoHundredThousandPairs() throws IOException {
        TreeMap<byte[], byte[]> pairs = TestTables.sortedMap();
        for (int i = 0; i < 200_000; i++) {
            pairs.put(("user." + i).getBytes(StandardCharsets.UTF_8), BigEndian.ofLong(i));
        }
        Path file = newFile();
        TableSummary summary = TestTables.write(file, TableSettings.index(), pairs);
        TableVerifier.verify(file, summary, TableVerifier.NestedTreeFinder.NONE);
        try (Table table = Table.open(file)) {
            assertEquals(200_000, table.pairCount());
            assertTrue("packed, not doubled: " + summary.fileBytes(), summary.fileBytes() < 3_000_000);
            for (int i = 0; i < 20_000; i++) {
                int number = random.nextInt(200_000);
                assertArrayEquals(BigEndian.ofLong(number), table.get(("user." + number).getBytes(StandardCharsets.UTF_8)));
                assertNull(table.get(("user." + number + "x").getBytes(StandardCharsets.UTF_8)));
            }
        }
    }

    @Test
    public void emptyTable() throws IOException {
        Path file = newFile();
        TableSummary summary = TestTables.write(file, TableSettings.index(), TestTables.sortedMap());
        TableVerifier.verify(file, summary, TableVerifier.NestedTreeFinder.NONE);
        try (Table table = Table.open(file)) {
            checkAgainst(TestTables.sortedMap(), table);
        }
    }

    @Test
    public void dictionaryIsStoredAndUsed() throws IOException {
        TreeMap<byte[], byte[]> pairs = TestTables.randomPairs(random, 500, 20, 400);
        byte[] dictionary = TestTables.text(random, 10_000);
        pairs.put(new byte[] {1}, Arrays.copyOfRange(dictionary, 3000, 9000));
        Path with = newFile();
        TestTables.write(with, TableSettings.index().withZstd(3, dictionary), pairs);
        Path without = newFile();
        TestTables.write(without, TableSettings.index().withCodec(BlockCodec.ZSTD), pairs);
        try (Table first = Table.open(with); Table second = Table.open(without)) {
            for (int i = 0; i < 3; i++) {
                checkAgainst(pairs, first);
                checkAgainst(pairs, second);
            }
        }
    }

    private void checkAgainst(TreeMap<byte[], byte[]> pairs, Table table) {
        checkScan(pairs, table.scan());
        List<byte[]> probes = probes(pairs);
        for (byte[] probe : probes) {
            assertArrayEquals(pairs.get(probe), table.get(probe));
            checkFrom(pairs, table, probe);
        }
        checkSeeks(pairs, table.scan(), probes);
    }

    private static void checkScan(TreeMap<byte[], byte[]> pairs, TableCursor cursor) {
        for (Map.Entry<byte[], byte[]> pair : pairs.entrySet()) {
            assertTrue(cursor.next());
            assertArrayEquals(pair.getKey(), cursor.key());
            assertArrayEquals(pair.getValue(), cursor.value());
        }
        assertFalse(cursor.next());
        assertFalse(cursor.next());
    }

    private static void checkFrom(TreeMap<byte[], byte[]> pairs, Table table, byte[] from) {
        TableCursor cursor = table.cursor(from);
        int steps = 0;
        for (Map.Entry<byte[], byte[]> pair : pairs.tailMap(from, true).entrySet()) {
            assertTrue(cursor.next());
            assertArrayEquals(pair.getKey(), cursor.key());
            if (++steps == 30) {
                return;
            }
        }
        assertFalse(cursor.next());
    }

    private static void checkSeeks(TreeMap<byte[], byte[]> pairs, TableCursor cursor, List<byte[]> probes) {
        for (byte[] probe : probes) {
            cursor.seek(probe);
            Map.Entry<byte[], byte[]> expected = pairs.ceilingEntry(probe);
            assertEquals(expected != null, cursor.next());
            if (expected != null) {
                assertArrayEquals(expected.getKey(), cursor.key());
                assertArrayEquals(expected.getValue(), cursor.value());
            }
        }
    }

    /** Keys that exist, their neighbours on both sides, the extremes and random ones; partly in order, partly not. */
    private List<byte[]> probes(TreeMap<byte[], byte[]> pairs) {
        TreeMap<byte[], byte[]> probes = TestTables.sortedMap();
        List<byte[]> keys = new ArrayList<>(pairs.keySet());
        for (int i = 0; i < Math.min(60, keys.size()); i++) {
            byte[] key = keys.get(random.nextInt(keys.size()));
            probes.put(key, key);
            probes.put(Arrays.copyOf(key, key.length + 1), key);
            probes.put(Arrays.copyOf(key, key.length - 1), key);
            byte[] above = key.clone();
            above[key.length - 1]++;
            probes.put(above, key);
        }
        probes.put(new byte[0], new byte[0]);
        probes.put(new byte[] {-1, -1, -1, -1, -1, -1}, new byte[0]);
        if (!keys.isEmpty()) {
            probes.put(pairs.firstKey(), new byte[0]);
            probes.put(pairs.lastKey(), new byte[0]);
        }
        List<byte[]> list = new ArrayList<>(probes.keySet());
        for (int i = 0; i < 10; i++) {
            list.add(TestTables.randomBytes(random, random.nextInt(6)));
        }
        return list;
    }
}
