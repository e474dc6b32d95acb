package org.alder.partition.jdbm.table;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import org.alder.partition.jdbm.block.BigEndian;
import org.alder.partition.jdbm.block.TableBlock;
import org.alder.partition.jdbm.block.TableSettings;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.testing.Await;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class BlocksAheadTest {
    private static final int KEYS = 5_000;

    @Rule
    public final TemporaryFolder folder = new TemporaryFolder();

    private final AheadBudget budget = new AheadBudget(1 << 20);
    private Path file;

    @Before
    public void writeTable() throws IOException {
        file = folder.getRoot().toPath().resolve("t.db");
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, file, TableSettings.index().withBlockBytes(512))) {
            for (long key = 1; key <= KEYS; key++) {
                writer.append(BigEndian.ofLong(key), BigEndian.ofLong(key * key));
            }
            writer.finish();
        }
    }

    private BlocksAhead ahead(Table table, Executor helpers) {
        TreeCursor tree = new TreeCursor(table.mainTree());
        assertTrue(tree.seek(BigEndian.ofLong(1)));
        return new BlocksAhead(table, tree, false, helpers, budget);
    }

    private static long blocks(BlocksAhead ahead, Runnable beforeEach) {
        long count = 0;
        byte[] last = {};
        beforeEach.run();
        for (TableBlock block = ahead.next(); block != null; block = ahead.next()) {
            assertTrue(Arrays.compareUnsigned(last, block.key(0)) < 0);
            last = block.lastKey();
            count++;
            beforeEach.run();
        }
        assertArrayEquals(BigEndian.ofLong(KEYS), last);
        return count;
    }

    @Test
    public void allBlocksComeInOrderWhoeverDecodesThem() throws IOException {
        try (Table table = Table.open(file)) {
            long expected = table.blockCount() - 1;
            assertEquals("helpers do nothing", expected, blocks(ahead(table, run -> { }), () -> { }));
            assertEquals("helpers are at once done", expected, blocks(ahead(table, Runnable::run), () -> { }));
            Deque<Runnable> late = new ArrayDeque<>();
            assertEquals("helpers begin with the last", expected, blocks(ahead(table, late::add), () -> {
                if (!late.isEmpty()) {
                    late.pollLast().run();
                }
            }));
            assertEquals("helpers run beside", expected, blocks(new BlocksAhead(table, cursorAtFirst(table), true), () -> { }));
        }
    }

    private static TreeCursor cursorAtFirst(Table table) {
        TreeCursor tree = new TreeCursor(table.mainTree());
        assertTrue(tree.seek(BigEndian.ofLong(1)));
        return tree;
    }

    @Test
    public void noMoreThanAFewRunsAreAhead() throws IOException {
        try (Table table = Table.open(file)) {
            int[] begun = {0};
            BlocksAhead ahead = ahead(table, run -> begun[0]++);
            for (int block = 0; block < 100; block++) {
                ahead.next();
                int runsRead = block / BlocksAhead.RUN_BLOCKS + 1;
                assertEquals("at block " + block, runsRead + BlocksAhead.RUNS_AHEAD, begun[0]);
            }
        }
    }

    @Test
    public void whatAHelperMeetsIsThrownToTheReader() throws IOException {
        Table table = Table.open(file);
        Deque<Runnable> late = new ArrayDeque<>();
        BlocksAhead ahead = ahead(table, late::add);
        ahead.next();
        table.close();
        late.forEach(Runnable::run);
        assertThrows(IllegalStateException.class, ahead::next);
    }

    @Test
    public void aRunOfLargeBlocksIsDecodedAheadOnlyInPart() throws IOException {
        Path large = folder.getRoot().toPath().resolve("large.db");
        int values = 4 * BlocksAhead.RUN_BLOCKS;
        byte[] value = new byte[BlocksAhead.RUN_BYTES / 4 - 1000];
        try (TableWriter writer = TableWriter.create(SystemDisk.INSTANCE, large, TableSettings.index().withBlockBytes(512))) {
            for (long key = 1; key <= values; key++) {
                writer.append(BigEndian.ofLong(key), value);
            }
            writer.finish();
        }
        AheadBudget wide = new AheadBudget(Long.MAX_VALUE);
        try (Table table = Table.open(large)) {
            TreeCursor tree = cursorAtFirst(table);
            BlocksAhead ahead = new BlocksAhead(table, tree, false, Runnable::run, wide);
            for (int i = 1; i < values; i++) {
                assertArrayEquals(BigEndian.ofLong(i + 1), ahead.next().key(0));
                long held = wide.sizeBytes();
                assertTrue("held " + held, held <= (BlocksAhead.RUNS_AHEAD + 1L) * (BlocksAhead.RUN_BYTES + value.length + 1000));
            }
            assertNull(ahead.next());
            assertEquals(0, wide.sizeBytes());
        }
    }

    @Test
    public void cursorsThatStandStillShareOneBudget() throws IOException {
        try (Table table = Table.open(file)) {
            long expected = table.blockCount() - 1;
            List<BlocksAhead> standing = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                BlocksAhead ahead = ahead(table, Runnable::run);
                ahead.next();
                standing.add(ahead);
                assertTrue(budget.sizeBytes() <= 1 << 20);
            }
            assertTrue("it is used", budget.sizeBytes() > 1 << 19);
            for (BlocksAhead ahead : List.of(standing.get(0), standing.get(299))) {
                assertEquals(expected - 1, blocks(ahead, () -> { }));
            }
        }
    }

    @Test
    public void aCursorThatSoughtInTheMiddleOfAWalkGoesOnFromThere() throws IOException {
        try (Table table = Table.open(file)) {
            TableCursor cursor = table.scan();
            for (long from : new long[] {1, 4_000, 2_000, 2_001, KEYS, 10}) {
                cursor.seek(BigEndian.ofLong(from));
                for (long key = from; key <= Math.min(KEYS, from + 1_000); key++) {
                    assertTrue(cursor.next());
                    assertArrayEquals(BigEndian.ofLong(key), cursor.key());
                    assertArrayEquals(BigEndian.ofLong(key * key), cursor.value());
                }
            }
        }
    }

    @Test
    public void theEndIsReachedAndStays() throws IOException {
        try (Table table = Table.open(file)) {
            TableCursor cursor = table.scan();
            for (long key = 1; key <= KEYS; key++) {
                assertTrue(cursor.next());
            }
            assertFalse(cursor.next());
            assertFalse(cursor.next());
        }
    }

    /** The files of merged segments kept their disk space as long as blocks of theirs were held ahead for a search that had ended. */
    @Test
    public void whatIsHeldForACursorThatWasLeftDoesNotKeepItsTable() throws Exception {
        WeakReference<Table> left = new WeakReference<>(leaveACursor());
        assertTrue("blocks are held", budget.sizeBytes() > 0);
        Await.until("the table goes", () -> {
            System.gc();
            return left.get() == null;
        });
        assertTrue("blocks are held", budget.sizeBytes() > 0);
    }

    private Table leaveACursor() throws IOException {
        Table table = Table.open(file);
        assertTrue(ahead(table, Runnable::run).next().count() > 0);
        table.close();
        return table;
    }
}
