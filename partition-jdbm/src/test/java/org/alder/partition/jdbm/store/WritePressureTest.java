package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

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
}
