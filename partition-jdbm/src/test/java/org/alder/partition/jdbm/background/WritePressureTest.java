package org.alder.partition.jdbm.background;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.memory.KeyChange;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.store.TestIndexer;
import org.junit.Test;

public class WritePressureTest {
    private static final long MOST_NANOS = 20_000_000;

    @Test
    public void noDelayWhileThereIsRoom() {
        for (double fill = 0; fill <= 0.4; fill += 0.01) {
            assertEquals(0, WritePressure.delayNanos(fill, 12));
        }
    }

    @Test
    public void theDelayGrowsWithoutSteps() {
        long before = 0;
        for (double fill = 0.4; fill <= 1; fill += 0.001) {
            long delay = WritePressure.delayNanos(fill, 0);
            assertTrue("at " + fill, delay >= before && delay - before < MOST_NANOS / 200);
            before = delay;
        }
        assertEquals(MOST_NANOS, WritePressure.delayNanos(1, 0));
    }

    @Test
    public void itGrowsWithTheSegmentsToo() {
        for (int segments = 12; segments < 36; segments++) {
            assertTrue(WritePressure.delayNanos(0, segments) < WritePressure.delayNanos(0, segments + 1));
        }
    }

    @Test
    public void itIsBounded() {
        assertEquals(MOST_NANOS, WritePressure.delayNanos(50, 1));
        assertEquals(MOST_NANOS, WritePressure.delayNanos(0, 10_000));
        assertEquals("the worse of the two counts", MOST_NANOS, WritePressure.delayNanos(0.5, 36));
    }

    @Test
    public void workIsUrgentBeforeWritersAreDelayed() {
        assertTrue(WritePressure.flushHurry(0.39) < 1);
        assertEquals(1, WritePressure.flushHurry(0.4), 1e-9);
        assertEquals(0, WritePressure.mergeHurry(Tiers.MAX_SEGMENTS), 0);
        assertEquals(1, WritePressure.mergeHurry(12), 1e-9);
        assertEquals(0, WritePressure.delayNanos(0.4, 12));
    }

    /** Layers of as many keys of 1024 bytes, which take about 1200 each, the last of them the active one. */
    private static LayerSet layers(int... keys) {
        List<MemoryLayer> memory = new ArrayList<>();
        for (int layer = 0; layer < keys.length; layer++) {
            List<KeyChange> changes = new ArrayList<>();
            for (int i = 0; i < keys[layer]; i++) {
                byte[] key = new byte[1024];
                key[0] = (byte) i;
                changes.add(new KeyChange(0, key, 1, true));
            }
            MemoryLayer filled = new MemoryLayer(1, layer);
            filled.apply(layer + 1, new ChangeSet(List.of(), List.of(), changes, false));
            memory.add(filled);
        }
        return new LayerSet(List.of(), memory, IndexTables.of(new TestIndexer()));
    }

    @Test
    public void aWriterWaitsBehindTooManyFrozenLayers() {
        assertEquals(0, WritePressure.mostFrozen(layers(1), 2000, 1_000_000));
        assertEquals(5, WritePressure.mostFrozen(layers(1, 1, 1, 1, 1, 1), 2000, 1_000_000));
        assertEquals("six are too many", 5, WritePressure.mostFrozen(layers(1, 1, 1, 1, 1, 1, 1), 2000, 1_000_000));
    }

    /** A large transaction is in a layer that is larger than others ever get: the heap has no room for several. */
    @Test
    public void aWriterWaitsBehindLayersThatAreTooLarge() {
        assertEquals("the active one does not count", 1, WritePressure.mostFrozen(layers(9, 100), 2000, 1_000_000));
        assertEquals(0, WritePressure.mostFrozen(layers(11, 1), 2000, 1_000_000));
        assertEquals("the newest stay", 2, WritePressure.mostFrozen(layers(100, 1, 1, 1), 2000, 1_000_000));
        assertEquals(0, WritePressure.mostFrozen(layers(1, 1, 100, 1), 2000, 1_000_000));
    }

    /** Changes that searches hold in memory are bounded together with those that wait for the disk. */
    @Test
    public void whatIsHeldLeavesLessForLayersThatWait() {
        assertEquals(4, WritePressure.mostFrozen(layers(1, 1, 1, 1, 1, 1), 2000, 1999));
        assertEquals(3, WritePressure.mostFrozen(layers(1, 1, 1, 1, 1, 1), 2000, 0));
        assertEquals("a search that is about to be ended holds too much", 0, WritePressure.mostFrozen(layers(1, 1, 1), 2000, -9000));
        assertEquals(3_000, WritePressure.transactionBytes(layers(1), 7_000 - layers(1).active().sizeBytes(), 2_000, 8_000));
        assertEquals(2_000, WritePressure.transactionBytes(layers(1), 1_000_000, 2_000, 8_000));
    }

    /** Seven full layers and a transaction of its own share beside them were more than the heap has. */
    @Test
    public void aTransactionAndTheChangesInMemoryAreBoundedTogether() {
        long layer = 2_000;
        long most = 8_000;
        assertEquals("an active layer that is not full", most, WritePressure.transactionBytes(layers(1), 0, layer, most));
        for (int frozen = 0; frozen <= 6; frozen++) {
            int[] keys = new int[frozen + 1];
            Arrays.fill(keys, 2);
            LayerSet layers = layers(keys);
            long held = layers.memory().stream().mapToLong(MemoryLayer::sizeBytes).sum();
            long allowed = WritePressure.transactionBytes(layers, 0, layer, most);
            assertTrue(frozen + " frozen layers: " + allowed, allowed >= most / 4 && allowed <= most);
            assertTrue(frozen + " frozen layers: " + (held + allowed), held + allowed <= Math.max(most + layer, held + most / 4));
        }
        assertEquals(most / 4, WritePressure.transactionBytes(layers(100, 100), 0, layer, most));
        assertEquals("no limit stays none", Long.MAX_VALUE, WritePressure.transactionBytes(layers(1), 0, layer, Long.MAX_VALUE));
    }
}
