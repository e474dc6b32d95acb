package org.alder.perf.bench;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class PairTest {
    @Test
    public void turnsMakeMediansAndTheRatiosOfSingleTurns() {
        Pair pair = Pair.of(new double[] {10, 30, 20}, new double[] {100, 100, 40});
        assertEquals(20, pair.own(), 0);
        assertEquals(100, pair.peer(), 0);
        assertEquals("of the turns, not of the medians", 0.1, pair.lowest(), 1e-9);
        assertEquals(0.5, pair.highest(), 1e-9);
    }

    @Test
    public void withoutAnotherServerThereIsNoRatio() {
        Pair pair = Pair.of(new double[] {3, 1, 2}, new double[0]);
        assertEquals(2, pair.own(), 0);
        assertEquals(Double.NaN, pair.peer(), 0);
        assertEquals(Double.NaN, pair.lowest(), 0);
        assertEquals(Double.NaN, pair.highest(), 0);
    }
}
