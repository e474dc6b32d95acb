package org.alder.partition.jdbm.segment;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.alder.partition.entry.Varints;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.table.NestedTreeWriter;
import org.alder.partition.jdbm.table.Table;
import org.alder.partition.jdbm.table.TableCursor;
import org.alder.partition.jdbm.table.TableWriter;
import org.alder.partition.testing.Seed;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class IdSetCodecTest {
    private static final int ADDED_INLINE = 0x11;
    private static final int ADDED_NESTED = 0x12;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    /** A delta with the threshold it was stored under and its value in the table. */
    private record Stored(IdSetDelta delta, int threshold, byte[] value) {
    }

    private Path file() {
        return folder.getRoot().toPath().resolve("sets.db");
    }

    private static void store(List<IdSetDelta> deltas, int threshold, List<Stored> stored, TableWriter writer)
            throws IOException {
        for (IdSetDelta delta : deltas) {
            byte[] value = IdSetCodec.encode(delta, threshold, writer);
            writer.append(MasterKeys.key(stored.size() + 1), value);
            stored.add(new Stored(delta, threshold, value));
        }
    }

    private static List<IdSetDelta> around(int threshold) {
        List<IdSetDelta> deltas = new ArrayList<>();
        for (int added = Math.max(0, threshold - 1); added <= threshold + 1; added++) {
            for (int removed : new int[] {0, 1, threshold, threshold + 1}) {
                deltas.add(new IdSetDelta(Segments.ids(1, 70, added), Segments.ids(2, 70, removed)));
            }
        }
        return deltas;
    }

    @Test
    public void setsAroundTheThresholdReadBackAsWritten() throws IOException {
        List<Stored> stored = new ArrayList<>();
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            for (int threshold : new int[] {0, 1, 2, 10, 1000}) {
                store(around(threshold), threshold, stored, writer);
            }
            writer.finish();
        }
        try (Table table = Table.open(file())) {
            for (int i = 0; i < stored.size(); i++) {
                assertReads(stored.get(i), table.get(MasterKeys.key(i + 1)), table);
            }
        }
    }

    private static void assertReads(Stored expected, byte[] value, Table table) {
        String where = "threshold " + expected.threshold + ", " + expected.delta;
        assertArrayEquals(where, expected.value, value);
        assertEquals(where, expected.delta, IdSetCodec.decode(value, table));
        assertEquals(where, expected.delta.netCardinality(), IdSetCodec.head(value).netCardinality());
        assertNull(where, IdSetCodec.head(value).misplaced(expected.threshold));
        List<Long> trees = new ArrayList<>();
        IdSetCodec.findNestedTrees(value, trees::add);
        long nested = List.of(expected.delta.added(), expected.delta.removed()).stream()
                .filter(ids -> ids.cardinality() > expected.threshold).count();
        assertEquals(where, nested, trees.size());
    }

    @Test
    public void aSetBelongsWhereTheThresholdSays() throws IOException {
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            byte[] inline = IdSetCodec.encode(IdSetDelta.adding(Segments.ids(1, 1, 10)), 10, writer);
            assertNull(IdSetCodec.head(inline).misplaced(10));
            assertNotNull("too many for inline", IdSetCodec.head(inline).misplaced(9));
            byte[] nested = IdSetCodec.encode(new IdSetDelta(IdSet.EMPTY, Segments.ids(1, 1, 10)), 9, writer);
            assertNull(IdSetCodec.head(nested).misplaced(9));
            assertNotNull("few enough for inline", IdSetCodec.head(nested).misplaced(10));
        }
    }

    @Test
    public void whatMeansTheSameInEveryTableIsAllInTheValue() throws IOException {
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            byte[] value = IdSetCodec.encode(new IdSetDelta(Segments.ids(1, 1, 10), Segments.ids(20, 1, 3)), 10, writer);
            assertTrue(IdSetCodec.head(value).isInline(10));
            assertFalse("it is to be nested", IdSetCodec.head(value).isInline(9));
            byte[] half = IdSetCodec.encode(new IdSetDelta(Segments.ids(1, 1, 3), Segments.ids(20, 1, 10)), 9, writer);
            assertFalse("one of them is in a tree of this table", IdSetCodec.head(half).isInline(9));
            assertFalse(IdSetCodec.head(half).isInline(10));
            assertFalse("nothing", IdSetCodec.head(IdSetCodec.encode(IdSetDelta.EMPTY, 10, writer)).isInline(10));
        }
    }

    @Test
    public void sparseAndDenseSetsOverTheWholeRange() throws IOException {
        Random random = Seed.random(IdSetCodecTest.class);
        List<Stored> stored = new ArrayList<>();
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            List<IdSetDelta> deltas = new ArrayList<>();
            deltas.add(IdSetDelta.adding(Segments.ids(1, 1, 300_000)));
            deltas.add(IdSetDelta.adding(Segments.ids(1, 3, 300_000)));
            deltas.add(IdSetDelta.adding(Segments.ids(65_535, 1, 2)));
            deltas.add(IdSetDelta.adding(Segments.ids(IdSet.MAX_ID - 2000, 1, 2001)));
            for (int i = 0; i < 20; i++) {
                int step = 1 + random.nextInt(400_000);
                deltas.add(IdSetDelta.adding(Segments.ids(1 + random.nextInt(1000), step, random.nextInt(5000))));
            }
            store(deltas, 100, stored, writer);
            writer.finish();
        }
        try (Table table = Table.open(file())) {
            for (int i = 0; i < stored.size(); i++) {
                assertReads(stored.get(i), table.get(MasterKeys.key(i + 1)), table);
            }
        }
    }

    @Test
    public void anInlineSetAtTheGreatestThresholdFitsATable() throws IOException {
        IdSetDelta delta = new IdSetDelta(Segments.ids(1, 8000, IdSetCodec.MAX_INLINE_IDS),
                Segments.ids(2, 8000, IdSetCodec.MAX_INLINE_IDS + 1));
        List<Stored> stored = new ArrayList<>();
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            store(List.of(delta), Integer.MAX_VALUE, stored, writer);
            writer.finish();
        }
        try (Table table = Table.open(file())) {
            byte[] value = table.get(MasterKeys.key(1));
            assertEquals(delta, IdSetCodec.decode(value, table));
            assertNull(IdSetCodec.head(value).misplaced(Integer.MAX_VALUE));
        }
    }

    @Test
    public void everyTruncatedInlineValueIsRefused() throws IOException {
        byte[] value;
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            value = IdSetCodec.encode(new IdSetDelta(Segments.ids(1, 300, 20), Segments.ids(7, 5000, 3)), 1000, writer);
        }
        for (int length = 0; length < value.length; length++) {
            byte[] cut = Arrays.copyOf(value, length);
            assertThrows("cut to " + length, StoreException.class, () -> IdSetCodec.decode(cut, null));
        }
        byte[] longer = Arrays.copyOf(value, value.length + 1);
        assertRefused("followed by 1 more", longer);
    }

    private static void assertRefused(String part, byte[] value) {
        StoreException refused = assertThrows(StoreException.class, () -> IdSetCodec.decode(value, null));
        assertEquals(StoreException.Kind.CORRUPT, refused.kind());
        assertEquals(refused.getMessage(), true, refused.getMessage().contains(part));
    }

    @Test
    public void theDocumentedExampleHolds() throws IOException {
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            byte[] value = IdSetCodec.encode(IdSetDelta.adding(IdSet.of(5, 300, 301)), 1000, writer);
            assertArrayEquals(value(0x11, 3, 5, 0xA7, 2, 1), value);
        }
    }

    private static byte[] value(int... bytes) {
        byte[] value = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            value[i] = (byte) bytes[i];
        }
        return value;
    }

    @Test
    public void malformedValuesAreRefused() {
        assertRefused("version 0", value());
        assertRefused("version 2", value(0x21, 1, 1));
        assertRefused("version 15", value(0xF1, 1, 1));
        assertRefused("unknown form 3", value(0x13, 1, 1));
        assertRefused("unknown form 3", value(0x1C, 1, 1));
        assertRefused("0 IDs", value(ADDED_INLINE, 0));
        assertRefused("4294967296 IDs", value(ADDED_INLINE, 0x80, 0x80, 0x80, 0x80, 0x10, 1));
        assertRefused("200 IDs stored in 1 bytes", value(ADDED_INLINE, 0xC8, 1, 1));
        assertRefused("distance 0", value(ADDED_INLINE, 1, 0));
        assertRefused("distance 0", value(ADDED_INLINE, 2, 5, 0));
        assertRefused("ID number 0", value(ADDED_INLINE, 1, 0x80, 0x80, 0x80, 0x80, 0x10));
        assertRefused("ID number 1", value(ADDED_INLINE, 2, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 1));
    }

    @Test
    public void malformedNestedSetsAreRefused() throws IOException {
        byte[] good = {0x3A, 0x30, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 0, 0, 5, 0};
        byte[] otherKey = good.clone();
        otherKey[8] = 1;
        long[] trees;
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            writer.append(new byte[] {1}, new byte[] {1});
            trees = new long[] {tree(writer, 3, good), tree(writer, 1 << 16, good), tree(writer, 3, otherKey),
                tree(writer, 3, new byte[] {1, 2, 3}), tree(writer, 3, Arrays.copyOf(good, 17)), tree(writer, 0, zero(good))};
            writer.finish();
        }
        try (Table table = Table.open(file())) {
            assertEquals(IdSetDelta.adding(IdSet.of(3 * 65536 + 5)), IdSetCodec.decode(nested(1, trees[0]), table));
            assertNestedRefused("1 IDs, 2 are stored", nested(2, trees[0]), table);
            assertNestedRefused("has the block 65536", nested(1, trees[1]), table);
            assertNestedRefused("one container", nested(1, trees[2]), table);
            assertNestedRefused("not a bitmap", nested(1, trees[3]), table);
            assertNestedRefused("not a bitmap", nested(1, trees[4]), table);
            assertNestedRefused("the ID 0", nested(1, trees[5]), table);
            assertThrows(TableCorruptException.class, () -> IdSetCodec.decode(nested(1, 12345), table));
        }
    }

    /** The block with ID 0 in place of 5. */
    private static byte[] zero(byte[] block) {
        byte[] zero = block.clone();
        zero[16] = 0;
        return zero;
    }

    private static long tree(TableWriter writer, long block, byte[] value) throws IOException {
        NestedTreeWriter tree = writer.newNestedTree();
        tree.append(block, value);
        return tree.finish();
    }

    private static byte[] nested(int cardinality, long recordId) {
        byte[] value = new byte[20];
        value[0] = ADDED_NESTED;
        value[1] = (byte) cardinality;
        return Arrays.copyOf(value, Varints.put(value, 2, recordId));
    }

    private static void assertNestedRefused(String part, byte[] value, Table table) {
        StoreException refused = assertThrows(part, StoreException.class, () -> IdSetCodec.decode(value, table));
        assertEquals(refused.getMessage(), true, refused.getMessage().contains(part));
    }

    @Test
    public void aTableOfSetsIsScannedInOrder() throws IOException {
        List<Stored> stored = new ArrayList<>();
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file(), TableSettings.index())) {
            store(around(10), 10, stored, writer);
            writer.finish();
        }
        try (Table table = Table.open(file())) {
            TableCursor pairs = table.scan();
            for (Stored expected : stored) {
                assertEquals(true, pairs.next());
                assertReads(expected, pairs.value(), table);
            }
        }
    }
}
