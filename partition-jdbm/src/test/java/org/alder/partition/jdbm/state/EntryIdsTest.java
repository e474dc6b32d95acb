package org.alder.partition.jdbm.state;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.memory.EntryChange;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.store.TestIndexer;
import org.junit.Test;

/** Which IDs entries get, at the end of all IDs and beyond. */
public class EntryIdsTest {
    private static final long ALL = IdSet.MAX_ID;
    private static final EntryRecord RECORD = EntryRecord.of(0, new byte[] {'c', 'n', '=', 'a'}, List.of(), List.of());

    private final TestIndexer indexer = new TestIndexer("color");
    private final MemoryLayer layer = new MemoryLayer(indexer.indexes().size(), 0);
    private final LayerSet layers = new LayerSet(List.of(), List.of(layer), IndexTables.of(indexer));

    private void put(long from, long to) {
        List<EntryChange> changes = new ArrayList<>();
        for (long id = from; id <= to; id++) {
            changes.add(new EntryChange(id, null, RECORD));
        }
        layer.apply(layer.lastSequence() + 1, new ChangeSet(List.of(), changes, List.of(), false));
    }

    private static List<Operation> add(long id) {
        return List.of(new Operation.Add(id, RECORD));
    }

    @Test
    public void afterTheLastTheFirstBlockComesOfWhichNothingIsKnown() {
        put(1, 1);
        put(200, 200);
        EntryIds ids = new EntryIds(ALL - 1);
        assertEquals(ALL, ids.next(layers));
        assertFalse(ids.givesAgain());
        for (long id = 65; id <= 192; id++) {
            assertEquals(id, ids.next(layers));
        }
        assertTrue(ids.givesAgain());
        assertEquals(257, ids.next(layers));
        assertEquals(ALL + 257, ids.count());
    }

    @Test
    public void deletedEntriesAreKnownUntilTheirLayersForgetThem() {
        layer.apply(1, new ChangeSet(List.of(), List.of(new EntryChange(3, RECORD, null)), List.of(), false));
        assertEquals(65, new EntryIds(ALL).next(layers));
    }

    @Test
    public void manyEntriesThatLieCloseTogetherArePassedOver() {
        put(1, 300_000);
        EntryIds ids = new EntryIds(ALL);
        long first = ids.next(layers);
        assertTrue("behind them: " + first, first > 300_000);
        assertEquals("the first of a block", 1, first % EntryIds.BLOCK);
    }

    @Test
    public void aNewProcessBeginsANewBlock() {
        EntryIds ids = new EntryIds(ALL + 10);
        assertEquals(65, ids.next(layers));
    }

    @Test
    public void theLastBlockIsShorter() {
        EntryIds ids = new EntryIds(2 * ALL - 63);
        assertEquals("IDs are one less than blocks of 64", ALL - 62, ids.next(layers));
        for (long id = ALL - 61; id <= ALL; id++) {
            assertEquals(id, ids.next(layers));
        }
        assertEquals(1, ids.next(layers));
        assertEquals(2 * ALL + 1, ids.count());
    }

    @Test
    public void countsWhatTheLogSays() {
        assertEquals(7, EntryIds.after(5, add(7)));
        assertEquals("one that was kept for later", 9, EntryIds.after(9, add(7)));
        assertEquals("those of other entries say nothing", 9, EntryIds.after(9, List.of(new Operation.Delete(12))));
        assertEquals("what a transaction keeps may speak of it", 12, EntryIds.after(9, List.of(new Operation.Keep(12, "key", null))));
        assertEquals(9, EntryIds.after(9, List.of(new Operation.Keep(0, "key", null))));
        assertEquals("given again", ALL + 70, EntryIds.after(ALL - 3, add(70)));
        assertEquals("given before the end", ALL + 70, EntryIds.after(ALL + 70, add(ALL - 5)));
        assertEquals("a whole load", 4_000_000_000L, EntryIds.after(0, add(4_000_000_000L)));
    }

    @Test
    public void tellsOnceThatABlockBegins() {
        EntryIds ids = new EntryIds(0);
        ids.seen(add(5));
        assertFalse("nothing is given again", ids.beginsBlock(add(5)));
        EntryIds again = new EntryIds(ALL);
        again.seen(add(65));
        assertTrue(again.beginsBlock(add(65)));
        again.seen(add(128));
        assertFalse(again.beginsBlock(add(128)));
        again.seen(add(129));
        assertTrue(again.beginsBlock(add(129)));
        assertFalse(again.beginsBlock(List.of(new Operation.Delete(999))));
    }
}
