package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.BlockCodec;
import org.alder.partition.jdbm.block.TableCorruptException;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class ReadAheadTest {
    private static final long SLOW = 1_000_000;
    private static final long QUICK = 1_000;
    private static final int KEYS = 5_000;
    private static final int BATCH = ReadAhead.BATCH_KEYS;
    private static final int WINDOW = ReadAhead.MAX_BATCHES * BATCH;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final List<Runnable> batches = new ArrayList<>();
    private Path file;

    /** The even numbers to twice {@link #KEYS}. */
    private static final class EvenNumbers implements ComingKeys {
        private long next = 2;

        @Override
        public void skipTo(byte[] key) {
            next = Math.max(next, BigEndian.getLong(key, 0) + 1 & ~1L);
        }

        @Override
        public byte[] next() {
            next += 2;
            return next > 2 * KEYS + 2 ? null : BigEndian.ofLong(next - 2);
        }
    }

    @Before
    public void writeTable() throws IOException {
        file = folder.getRoot().toPath().resolve("t.db");
        TableSettings settings = TableSettings.master().withBlockBytes(1 << 10).withCodec(BlockCodec.NONE);
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file, settings)) {
            for (long key = 1; key <= 2 * KEYS; key++) {
                writer.append(BigEndian.ofLong(key), new byte[key % 100 == 0 ? 9_000 : 40]);
            }
            writer.finish();
        }
    }

    private ReadAhead readAhead(Table table, ComingKeys coming) {
        return new ReadAhead(table, coming, batches::add);
    }

    @Test
    public void quickReadsAndOneSlowOneStartNothing() throws IOException {
        try (Table table = Table.open(file)) {
            ReadAhead ahead = readAhead(table, new EvenNumbers());
            for (long key = 2; key < 1_000; key += 2) {
                ahead.blockRead(BigEndian.ofLong(key), key == 500 ? SLOW : QUICK);
            }
            assertEquals(0, batches.size());
        }
    }

    @Test
    public void afterTwoSlowReadsAWindowIsKeptAheadOfTheCursorUpToTheEnd() throws IOException {
        try (Table table = Table.open(file)) {
            EvenNumbers coming = new EvenNumbers();
            ReadAhead ahead = readAhead(table, coming);
            ahead.blockRead(BigEndian.ofLong(2), SLOW);
            ahead.blockRead(BigEndian.ofLong(100), SLOW);
            assertTrue("the first batches are ahead of key 100, found " + coming.next, coming.next > 100);
            for (long key = 102; key <= 2 * KEYS; key += 2) {
                ahead.blockRead(BigEndian.ofLong(key), QUICK);
                long keysAhead = (coming.next - key) / 2;
                assertTrue(keysAhead + " keys ahead of " + key, keysAhead <= WINDOW + BATCH);
                assertTrue("nothing ahead of " + key, keysAhead > 0);
            }
            int keysFetched = KEYS - 100 / 2 + 1;
            assertEquals((keysFetched + BATCH - 1) / BATCH, batches.size());
            batches.forEach(Runnable::run);
        }
    }

    @Test
    public void ofABatchOfLargeBlocksOnlySomeAreFetched() throws IOException {
        Path large = folder.getRoot().toPath().resolve("large.db");
        byte[] value = new byte[ReadAhead.BATCH_BYTES / 4];
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, large, TableSettings.master().withCodec(BlockCodec.NONE))) {
            for (long key = 1; key <= 4 * BATCH; key++) {
                writer.append(BigEndian.ofLong(key), value);
            }
            writer.finish();
        }
        try (Table table = Table.open(large)) {
            List<byte[]> keys = LongStream.rangeClosed(1, BATCH).mapToObj(BigEndian::ofLong).toList();
            assertEquals("each has its pages and the one of its slot", 4, readAhead(table, new EvenNumbers()).fetchBlocks(keys));
        }
    }

    @Test
    public void fetchingFromAClosedTableHarmsNobody() throws IOException {
        try (Table table = Table.open(file)) {
            ReadAhead ahead = readAhead(table, new EvenNumbers());
            ahead.blockRead(BigEndian.ofLong(2), SLOW);
            ahead.blockRead(BigEndian.ofLong(4), SLOW);
        }
        assertTrue(batches.size() > 1);
        batches.forEach(Runnable::run);
    }

    @Test
    public void aCursorWithComingKeysFindsWhatOneWithoutFinds() throws IOException {
        try (Table table = Table.open(file)) {
            TableCursor plain = table.finder();
            TableCursor ahead = table.finder(new EvenNumbers());
            for (long key = 0; key <= 2 * KEYS + 2; key += 3) {
                assertArrayEquals("key " + key, TestTables.find(plain, BigEndian.ofLong(key)),
                        TestTables.find(ahead, BigEndian.ofLong(key)));
            }
        }
    }

    @Test
    public void allPagesOfARecordAreFetchedAndADamagedSlotIsNotFollowed() throws IOException {
        long recordId;
        try (Table table = Table.open(file)) {
            TreeCursor tree = new TreeCursor(table.fetchingTree());
            assertTrue(tree.seek(BigEndian.ofLong(100)));
            recordId = BigEndian.getLong(tree.value(), 0);
            table.records().fetchPages(recordId, 1);
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(BigEndian.ofLong(1L << 40)), MappedRecordManager.offsetOf(recordId));
        }
        MappedRecordManager records = MappedRecordManager.open(file, MappedRecordManager.MAPPING_BYTES);
        try {
            TableCorruptException e = assertThrows(TableCorruptException.class, () -> records.fetchPages(recordId, 1));
            assertTrue(e.getMessage(), e.getMessage().contains("page " + (1L << 40)));
        } finally {
            records.close();
        }
    }
}
