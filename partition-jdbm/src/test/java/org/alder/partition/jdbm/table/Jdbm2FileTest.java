package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectOutputStream;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import jdbm.RecordManager;
import jdbm.btree.BTree;
import jdbm.helper.Tuple;
import jdbm.helper.TupleBrowser;
import jdbm.recman.BaseRecordManager;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.RecordCheck;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.testing.Seed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** A table's file is a JDBM2 file: JDBM2's own B+Tree reads from it what this package reads. */
public class Jdbm2FileTest {

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Random random = Seed.random(Jdbm2FileTest.class);
    private Path file;
    private TreeMap<byte[], byte[]> pairs;

    @Before
    public void writeTable() throws IOException {
        file = folder.getRoot().toPath().resolve("table.db");
        pairs = TestTables.randomPairs(random, 5000, 30, 500);
        TestTables.write(file, TableSettings.index(), pairs);
    }

    @Test
    public void jdbm2ReadsItWithItsOwnRecordManager() throws IOException {
        String path = file.toString();
        BaseRecordManager records = new BaseRecordManager(path.substring(0, path.length() - 3));
        records.disableTransactions();
        try {
            checkAgainstJdbm2(records);
        } finally {
            records.close();
        }
    }

    @Test
    public void jdbm2ReadsItThroughTheMappedRecordManager() throws IOException {
        MappedRecordManager records = MappedRecordManager.open(file, 1 << 13);
        assertTrue(records.getRootCount() > TableHeader.ROOT_SLOT);
        checkAgainstJdbm2(records);
    }

    private void checkAgainstJdbm2(RecordManager records) throws IOException {
        byte[] header = (byte[]) records.fetch(records.getRoot(TableHeader.ROOT_SLOT), ByteKeySerializer.INSTANCE);
        long mainTreeId = BigEndian.getLong(header, 10);
        BTree<byte[], byte[]> theirs = new BTree<byte[], byte[]>().load(records, mainTreeId);
        try (Table table = Table.open(file)) {
            assertEquals(table.blockCount(), theirs.size());
            TreeCursor ours = new TreeCursor(table.mainTree());
            assertTrue(ours.seek(new byte[0]));
            TupleBrowser<byte[], byte[]> browser = theirs.browse();
            Tuple<byte[], byte[]> tuple = new Tuple<>();
            for (int i = 0; i < table.blockCount(); i++) {
                assertTrue(browser.getNext(tuple));
                assertArrayEquals(tuple.getKey(), ours.key());
                assertArrayEquals(tuple.getValue(), ours.value());
                assertArrayEquals(tuple.getValue(), theirs.find(tuple.getKey()));
                assertEquals(i + 1 < table.blockCount(), ours.next());
            }
            assertFalse(browser.getNext(tuple));
            checkLookups(theirs, table);
        }
    }

    private void checkLookups(BTree<byte[], byte[]> theirs, Table table) throws IOException {
        for (int i = 0; i < 2000; i++) {
            byte[] key = TestTables.randomBytes(random, 1 + random.nextInt(4));
            TreeCursor ours = new TreeCursor(table.mainTree());
            Tuple<byte[], byte[]> expected = theirs.findGreaterOrEqual(key);
            if (expected == null || expected.getKey() == null) {
                assertFalse(ours.seek(key));
            } else {
                assertTrue(ours.seek(key));
                assertArrayEquals(expected.getKey(), ours.key());
                assertArrayEquals(expected.getValue(), ours.value());
            }
        }
        assertNull(theirs.find(new byte[0]));
    }

    @Test
    public void nothingIsWrittenThroughTheMappedRecordManager() throws IOException {
        MappedRecordManager records = MappedRecordManager.open(file, MappedRecordManager.MAPPING_BYTES);
        List<org.junit.function.ThrowingRunnable> writes = List.of(
            () -> records.insert("x"), () -> records.insert("x", ByteKeySerializer.INSTANCE), () -> records.delete(1),
            () -> records.update(1, "x"), () -> records.update(1, "x", ByteKeySerializer.INSTANCE),
            () -> records.setRoot(1, 1), records::commit, records::rollback, () -> records.getNamedObject("x"),
            () -> records.setNamedObject("x", 1));
        for (org.junit.function.ThrowingRunnable write : writes) {
            assertThrows(UnsupportedOperationException.class, write);
        }
    }

    @Test
    public void aTreeHeaderOfOtherClassesIsRefused() throws IOException {
        for (Object stranger : List.of(new Date(), new int[3], "text", new ByteKeyComparator())) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(stranger);
            }
            Path strange = folder.newFolder().toPath().resolve("strange.db");
            BuildRecordManager records = new BuildRecordManager(strange.toString().replace(".db", ""), () -> { });
            long recordId = records.insertRecord(Arrays.copyOf(bytes.toByteArray(), bytes.size() + RecordCheck.BYTES));
            records.flush();
            records.close();
            MappedRecordManager mapped = MappedRecordManager.open(strange, MappedRecordManager.MAPPING_BYTES);
            TableCorruptException e = assertThrows(TableCorruptException.class, () -> mapped.fetch(recordId));
            assertNotNull(e.getCause());
            assertTrue(e.getMessage(), e.getMessage().contains("expected the header of a B+Tree"));
        }
    }

    @Test
    public void aTreeWithAnotherComparatorIsRefused() throws IOException {
        Path strange = folder.newFolder().toPath().resolve("strange.db");
        BuildRecordManager records = new BuildRecordManager(strange.toString().replace(".db", ""), () -> { });
        long recordId = new BTree<byte[], byte[]>(records, ByteKeyComparator.INSTANCE, null, null, 16).getRecordId();
        records.flush();
        records.close();
        MappedRecordManager mapped = MappedRecordManager.open(strange, MappedRecordManager.MAPPING_BYTES);
        assertThrows(TableCorruptException.class, () -> TreeHeader.read(mapped, recordId));
    }
}
