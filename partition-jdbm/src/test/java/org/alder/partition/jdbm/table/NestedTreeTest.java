package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableLimits;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.block.TableSummary;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Nested trees of many sizes, mixed into the main tree. */
public class NestedTreeTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Random random = Seed.random(NestedTreeTest.class);

    private Path file() {
        return folder.getRoot().toPath().resolve("nested.db");
    }

    @Test
    public void treesOfManySizesBesideTheMainTree() throws IOException {
        int[] sizes = {0, 1, 2, 16, 31, 32, 33, 64, 500, 5000};
        List<TreeMap<Long, byte[]>> models = new ArrayList<>();
        TableSummary summary;
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            for (int i = 0; i < sizes.length; i++) {
                TreeMap<Long, byte[]> model = randomBlocks(sizes[i]);
                models.add(model);
                writer.append(new byte[] {(byte) i, 0}, TestTables.text(random, 3000));
                writer.append(new byte[] {(byte) i, 1}, BigEndian.ofLong(write(writer, model)));
            }
            summary = writer.finish();
        }
        TableVerifier.verify(file(), summary, NestedTreeTest::findNested);
        try (Table table = Table.open(file(), TableOptions.defaults(), 1 << 14)) {
            for (int i = 0; i < sizes.length; i++) {
                long recordId = BigEndian.getLong(table.get(new byte[] {(byte) i, 1}), 0);
                check(models.get(i), table.nestedTree(recordId));
            }
        }
    }

    @Test
    public void treesWrittenAtTheSameTime() throws IOException {
        TreeMap<Long, byte[]> even = new TreeMap<>();
        TreeMap<Long, byte[]> odd = new TreeMap<>();
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            NestedTreeWriter first = writer.newNestedTree();
            NestedTreeWriter second = writer.newNestedTree();
            for (long block = 0; block < 3000; block += 2) {
                even.put(block, TestTables.text(random, 100));
                odd.put(block + 1, TestTables.text(random, 100));
                first.append(block, even.get(block));
                second.append(block + 1, odd.get(block + 1));
            }
            assertThrows(IllegalStateException.class, writer::finish);
            writer.append(new byte[] {1}, BigEndian.ofLong(first.finish()));
            writer.append(new byte[] {1, 1}, BigEndian.ofLong(second.finish()));
            TableVerifier.verify(file(), writer.finish(), NestedTreeTest::findNested);
        }
        try (Table table = Table.open(file())) {
            check(even, table.nestedTree(BigEndian.getLong(table.get(new byte[] {1}), 0)));
            check(odd, table.nestedTree(BigEndian.getLong(table.get(new byte[] {1, 1}), 0)));
        }
    }

    @Test
    public void refusesWrongOrderAndTooLongValues() throws IOException {
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            NestedTreeWriter tree = writer.newNestedTree();
            assertThrows(IllegalArgumentException.class, () -> tree.append(-1, new byte[1]));
            tree.append(7, new byte[1]);
            IllegalArgumentException order = assertThrows(IllegalArgumentException.class, () -> tree.append(7, new byte[1]));
            assertEquals("block number 7 is not above 7", order.getMessage());
            byte[] tooLong = new byte[TableLimits.MAX_NESTED_VALUE_BYTES + 1];
            assertThrows(IllegalArgumentException.class, () -> tree.append(8, tooLong));
            tree.finish();
            assertThrows(IllegalStateException.class, tree::finish);
            assertThrows(IllegalStateException.class, () -> tree.append(9, new byte[1]));
        }
    }

    @Test
    public void aRecordIdThatIsNoTreeIsCorruption() throws IOException {
        TreeMap<byte[], byte[]> pairs = TestTables.randomPairs(random, 100, 10, 100);
        TestTables.write(file(), TableSettings.index(), pairs);
        try (Table table = Table.open(file())) {
            long blockId = BigEndian.getLong(table.mainTree().leafFor(new byte[0]).value(0), 0);
            for (long recordId : new long[] {0, -1, 1, 1 << 16, Long.MAX_VALUE, blockId}) {
                assertThrows(TableCorruptException.class, () -> table.nestedTree(recordId));
            }
        }
    }

    private static void findNested(byte[] key, byte[] value, LongConsumer recordIds) {
        if (value.length == Long.BYTES) {
            recordIds.accept(BigEndian.getLong(value, 0));
        }
    }

    private TreeMap<Long, byte[]> randomBlocks(int count) {
        TreeMap<Long, byte[]> blocks = new TreeMap<>();
        while (blocks.size() < count) {
            int length = random.nextInt(10) == 0 ? 8192 + 16 : random.nextInt(200);
            blocks.put(random.nextLong() & Long.MAX_VALUE >>> random.nextInt(50), TestTables.randomBytes(random, length));
        }
        return blocks;
    }

    private static long write(TableWriter writer, TreeMap<Long, byte[]> blocks) throws IOException {
        NestedTreeWriter tree = writer.newNestedTree();
        for (Map.Entry<Long, byte[]> block : blocks.entrySet()) {
            tree.append(block.getKey(), block.getValue());
        }
        return tree.finish();
    }

    private void check(TreeMap<Long, byte[]> model, NestedTree tree) {
        assertEquals(model.size(), tree.blockCount());
        checkFrom(model, tree, 0);
        for (long block : model.keySet()) {
            assertArrayEquals(model.get(block), find(tree, block));
        }
        for (int i = 0; i < 50; i++) {
            long block = random.nextLong() & Long.MAX_VALUE >>> random.nextInt(50);
            assertArrayEquals(model.get(block), find(tree, block));
            checkFrom(model, tree, block);
        }
        assertNull(find(tree, Long.MAX_VALUE));
    }

    private static byte[] find(NestedTree tree, long block) {
        NestedTreeCursor cursor = tree.cursor(block);
        return cursor.next() && cursor.blockNumber() == block ? cursor.value() : null;
    }

    private static void checkFrom(TreeMap<Long, byte[]> model, NestedTree tree, long from) {
        NestedTreeCursor cursor = tree.cursor(from);
        for (Map.Entry<Long, byte[]> block : model.tailMap(from, true).entrySet()) {
            assertTrue(cursor.next());
            assertEquals(block.getKey().longValue(), cursor.blockNumber());
            assertArrayEquals(block.getValue(), cursor.value());
        }
        assertFalse(cursor.next());
        assertFalse(cursor.next());
    }
}
