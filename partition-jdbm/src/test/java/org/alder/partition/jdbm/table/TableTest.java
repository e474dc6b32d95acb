package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.alder.partition.jdbm.block.BlockCache;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.Seed;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** One open table: shared by threads, cached, closed. */
public class TableTest {

    private static final int THREADS = 8;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final Random random = Seed.random(TableTest.class);
    private Path file;
    private TreeMap<byte[], byte[]> pairs;

    @Before
    public void writeTable() throws IOException {
        file = folder.getRoot().toPath().resolve("table.db");
        pairs = TestTables.randomPairs(random, 20_000, 16, 60);
        TestTables.write(file, TableSettings.index().withZstd(1, TestTables.text(random, 2000)), pairs);
    }

    @Test
    public void eightThreadsReadOneTable() throws Exception {
        for (int cacheBytes : List.of(0, 50_000, 1 << 24)) {
            try (Table table = Table.open(file, new TableOptions(new BlockCache<>(cacheBytes), new BlockCache<>(20_000)))) {
                runInThreads(table);
            }
        }
    }

    private void runInThreads(Table table) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        CyclicBarrier start = new CyclicBarrier(THREADS);
        List<byte[]> keys = new ArrayList<>(pairs.keySet());
        List<Future<Integer>> results = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            results.add(threads.submit(reader(table, keys, start, random.nextLong())));
        }
        threads.shutdown();
        for (Future<Integer> result : results) {
            assertEquals(pairs.size(), Await.result("a reader", result).intValue());
        }
    }

    private Callable<Integer> reader(Table table, List<byte[]> keys, CyclicBarrier start, long seed) {
        return () -> {
            Random choice = new Random(seed);
            start.await(Await.SECONDS, TimeUnit.SECONDS);
            for (int i = 0; i < 10_000; i++) {
                byte[] key = keys.get(choice.nextInt(keys.size()));
                assertArrayEquals(pairs.get(key), table.get(key));
            }
            int scanned = 0;
            TableCursor cursor = table.scan();
            while (cursor.next()) {
                scanned++;
            }
            return scanned;
        };
    }

    @Test
    public void blocksComeFromTheCacheAndScansDoNotFillIt() throws IOException {
        BlockCache<TableBlock> cache = new BlockCache<>(1 << 24);
        try (Table table = Table.open(file, new TableOptions(cache, new BlockCache<>(1 << 20)))) {
            TableCursor scan = table.scan();
            assertTrue(scan.next());
            assertEquals(0, cache.count());
            table.get(pairs.firstKey());
            assertEquals(1, cache.count());
            assertEquals(0, cache.hits());
            assertArrayEquals(pairs.firstEntry().getValue(), table.get(pairs.firstKey()));
            assertEquals(1, cache.hits());
            cache.forEach((tableId, block) -> assertEquals(table.id(), tableId));
            assertTrue(cache.sizeBytes() > 3000);
        }
        try (Table first = Table.open(file); Table second = Table.open(file)) {
            assertNotEquals(first.id(), second.id());
        }
    }

    @Test
    public void theValueIsTheCallersOwn() throws IOException {
        BlockCache<TableBlock> cache = new BlockCache<>(1 << 24);
        try (Table table = Table.open(file, new TableOptions(cache, new BlockCache<>(1 << 20)))) {
            byte[] key = pairs.entrySet().stream().filter(pair -> pair.getValue().length > 0).findFirst().get().getKey();
            table.get(key)[0] ^= 1;
            assertArrayEquals(pairs.get(key), table.get(key));
        }
    }

    @Test
    public void afterCloseEveryUseSaysSo() throws IOException {
        Table table = Table.open(file);
        byte[] key = pairs.firstKey();
        TableCursor cursor = table.cursor(key);
        assertTrue(cursor.next());
        table.close();
        table.close();
        IllegalStateException e = assertThrows(IllegalStateException.class, () -> table.get(key));
        assertEquals("table " + file + " is closed", e.getMessage());
        assertThrows(IllegalStateException.class, cursor::next);
        assertThrows(IllegalStateException.class, () -> cursor.seek(key));
        assertThrows(IllegalStateException.class, table::scan);
        assertThrows(IllegalStateException.class, () -> table.nestedTree(1));
    }

    @Test
    public void aCursorThatStandsNowhereHasNoPair() throws IOException {
        try (Table table = Table.open(file)) {
            TableCursor cursor = table.scan();
            assertThrows(IllegalStateException.class, cursor::key);
            cursor.seek(pairs.lastKey());
            assertTrue(cursor.next());
            assertArrayEquals(pairs.lastKey(), cursor.key());
            cursor.seek(pairs.lastKey());
            assertThrows(IllegalStateException.class, cursor::value);
            assertTrue(cursor.next());
            assertEquals(false, cursor.next());
            assertThrows(IllegalStateException.class, cursor::key);
        }
        assertThrows(NoSuchFileException.class, () -> Table.open(Path.of("no/such/table.db")));
    }
}
