package org.alder.partition.jdbm.memory;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.IdSetDelta;
import org.alder.partition.jdbm.layer.KeyDeltaCursor;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.store.TestIndexer;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.KeyRange;
import org.alder.partition.testing.Await;
import org.junit.Test;

public class MemoryLayerTest {
    private static final TestIndexer INDEXER = new TestIndexer("color");
    private static final byte[] RED = utf8("red");
    private static final int COLOR = 1;

    private final MemoryLayer layer = new MemoryLayer(2, 10);
    private long sequence = 10;

    private static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static EntryRecord entry(long parent, String name, String color) {
        return EntryRecord.of(parent, utf8("cn=" + name), List.of(new Attribute("color", List.of(utf8(color)))), List.of());
    }

    private static Operation modify(long id, String from, String to) {
        return new Operation.Modify(id, List.of(new AttributeDelta("color", false, List.of(utf8(from)), List.of(utf8(to)))));
    }

    private LayerStack state() {
        return LayerStack.whole(List.of(layer), Long.MAX_VALUE);
    }

    private void commit(Operation... operations) {
        layer.apply(++sequence, ChangeBuilder.build(List.of(operations), state(), INDEXER));
    }

    @Test
    public void eachSequenceSeesItsOwnVersion() {
        commit(new Operation.Add(1, entry(0, "a", "red")));
        commit(modify(1, "red", "blue"));
        commit(new Operation.Delete(1));
        assertNull(layer.entry(1, 10));
        assertEquals(entry(0, "a", "red"), layer.entry(1, 11).record());
        assertEquals(entry(0, "a", "blue"), layer.entry(1, 12).record());
        assertTrue(layer.entry(1, 13).isDeleted());
        assertEquals(IdSetDelta.EMPTY, layer.ids(COLOR, RED, 10));
        assertEquals(IdSetDelta.adding(IdSet.of(1)), layer.ids(COLOR, RED, 11));
        assertEquals(IdSetDelta.EMPTY, layer.ids(COLOR, RED, 12));
        assertEquals(1, layer.netCardinality(COLOR, RED, 11));
        assertEquals(0, layer.netCardinality(COLOR, RED, 13));
        assertEquals(0, layer.netEntries());
    }

    @Test
    public void aHotKeyFoldsRightAtEverySequence() {
        commit(new Operation.Add(1, entry(0, "top", "blue")));
        for (int i = 2; i <= 200; i++) {
            commit(new Operation.Add(i, entry(1, "n" + i, "red")));
            assertEquals(i - 1, layer.ids(COLOR, RED, sequence).added().cardinality());
        }
        for (long at = 11; at <= sequence; at++) {
            assertEquals(at - 11, layer.ids(COLOR, RED, at).added().cardinality());
            assertEquals(at - 11, layer.netCardinality(COLOR, RED, at));
        }
    }

    @Test
    public void nonLeafFollowsTheFirstAndTheLastChild() {
        commit(new Operation.Add(1, entry(0, "top", "red")));
        assertEquals(IdSet.EMPTY, nonLeaf());
        commit(new Operation.Add(2, entry(1, "a", "red")), new Operation.Add(3, entry(2, "b", "red")));
        assertEquals(IdSet.of(1, 2), nonLeaf());
        commit(new Operation.Rename(3, 1, utf8("cn=c"), List.of()));
        assertEquals(IdSet.of(1), nonLeaf());
        commit(new Operation.Delete(2));
        assertEquals(IdSet.of(1), nonLeaf());
        commit(new Operation.Delete(1), new Operation.Delete(3));
        assertEquals(IdSet.EMPTY, nonLeaf());
        assertEquals(0, layer.netEntries());
    }

    private IdSet nonLeaf() {
        return state().ids(HierarchyKeys.INDEX, HierarchyKeys.nonLeaf()).added();
    }

    @Test
    public void whatDoesNotFitTheStateIsRefusedWhole() {
        commit(new Operation.Add(1, entry(0, "top", "red")), new Operation.Add(2, entry(1, "a", "red")));
        long bytes = layer.sizeBytes();
        assertThrows(IllegalStateException.class, () -> commit(new Operation.Add(3, entry(1, "b", "red")),
                new Operation.Delete(1)));
        assertThrows(IllegalStateException.class, () -> commit(new Operation.Add(2, entry(1, "b", "red"))));
        assertThrows(IllegalStateException.class, () -> commit(modify(7, "red", "blue")));
        assertThrows(org.alder.partition.error.StoreException.class, () -> commit(modify(2, "green", "blue")));
        assertEquals(bytes, layer.sizeBytes());
        assertNull(layer.entry(3, Long.MAX_VALUE));
    }

    @Test
    public void severalOperationsOnOneEntryAreOneVersion() {
        commit(new Operation.Add(1, entry(0, "top", "red")), modify(1, "red", "green"), modify(1, "green", "blue"));
        assertEquals(entry(0, "top", "blue"), layer.entry(1, sequence).record());
        assertFalse(layer.keys(COLOR, KeyRange.from(utf8("green")), sequence).next());
        commit(new Operation.Add(2, entry(1, "a", "red")), new Operation.Delete(2));
        assertEquals(0, layer.netCardinality(COLOR, RED, sequence));
        assertEquals(IdSet.EMPTY, nonLeaf());
    }

    @Test
    public void cursorsSkipWhatIsNewerThanTheirSequence() {
        commit(new Operation.Add(5, entry(0, "a", "blue")));
        commit(new Operation.Add(3, entry(5, "b", "red")));
        KeyDeltaCursor keys = layer.keys(COLOR, KeyRange.ALL, 11);
        assertTrue(keys.next());
        assertArrayEquals(utf8("blue"), keys.key());
        assertEquals(1, keys.netCardinality());
        assertFalse(keys.next());
        assertFalse(layer.keys(COLOR, KeyRange.ofPrefix(utf8("c")), 12).next());
        assertTrue(layer.keys(COLOR, new KeyRange(utf8("c"), utf8("s")), 12).next());
        assertFalse("a range that ends before it begins", layer.keys(COLOR, new KeyRange(utf8("s"), utf8("c")), 12).next());
        EntryVersionCursor entries = layer.entries(0, 11);
        assertTrue(entries.next());
        assertEquals(5, entries.id());
        assertFalse(entries.next());
        EntryVersionCursor newer = layer.entries(0, 12);
        assertTrue(newer.next());
        assertEquals(3, newer.id());
        assertFalse(layer.entries(6, 12).next());
    }

    /** Readers see, at a published sequence, exactly that many IDs while the writer goes on. */
    @Test
    public void readersDoNotSeeTheWriterAtWork() throws InterruptedException {
        commit(new Operation.Add(1, entry(0, "top", "blue")));
        AtomicLong published = new AtomicLong(sequence);
        AtomicLong wrong = new AtomicLong();
        AtomicLong reads = new AtomicLong();
        Thread[] readers = new Thread[3];
        for (int i = 0; i < readers.length; i++) {
            readers[i] = new Thread(() -> {
                long at;
                do {
                    at = published.get();
                    long found = layer.ids(COLOR, RED, at).added().cardinality();
                    if (found != at - 11 || layer.netCardinality(COLOR, RED, at) != found) {
                        wrong.incrementAndGet();
                    }
                    reads.incrementAndGet();
                } while (at < 5011);
            });
            readers[i].start();
        }
        for (int i = 2; i <= 5001; i++) {
            commit(new Operation.Add(i, entry(1, "n" + i, "red")));
            published.set(sequence);
        }
        Await.end(readers);
        assertEquals(0, wrong.get());
        assertTrue(reads.get() >= readers.length);
    }
}
