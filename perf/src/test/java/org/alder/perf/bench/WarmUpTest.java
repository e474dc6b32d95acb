package org.alder.perf.bench;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.junit.Test;

public class WarmUpTest {
    private static WarmUp of(double mostSeconds, Double... rates) throws IOException, InterruptedException {
        Iterator<Double> next = List.of(rates).iterator();
        return WarmUp.of(2, mostSeconds, seconds -> {
            assertEquals(2, seconds, 0);
            return next.next();
        });
    }

    @Test
    public void endsWhenTheRateRisesNoMore() throws Exception {
        assertEquals(new WarmUp(14, 100, 401, false), of(1000, 100.0, 250.0, 240.0, 400.0, 390.0, 410.0, 401.0));
        assertEquals("from the start on", new WarmUp(8, 100, 70, false), of(1000, 100.0, 90.0, 80.0, 70.0));
    }

    @Test
    public void isBounded() throws Exception {
        assertEquals(new WarmUp(8, 100, 800, true), of(9, 100.0, 200.0, 400.0, 800.0));
        assertEquals("one window in any case", new WarmUp(2, 100, 100, true), of(1, 100.0));
    }

    @Test
    public void turnsAlternateAndTellMedianAndSpread() throws Exception {
        List<String> called = new ArrayList<>();
        List<List<Double>> turns = Turns.of(List.of("a", "b"), 10, 7, 40, (subject, warmUp, seconds, seed) -> {
            called.add(subject + " " + warmUp + " " + seconds + " " + seed);
            return subject.equals("a") ? (double) seed : 2.0 * seed;
        });
        assertEquals(List.of("a 7.0 2.0 40", "b 7.0 2.0 40", "a 0.5 2.0 41", "b 0.5 2.0 41"), called.subList(0, 4));
        assertEquals(List.of(40.0, 41.0, 42.0, 43.0, 44.0), turns.get(0));
        assertEquals(84, Turns.median(turns.get(1), each -> each), 0);
        assertEquals(Double.NaN, Turns.median(List.<Double>of(), each -> each), 0);
        Pair spread = Pair.spread(new double[] {50, 40, 60, 45, 70});
        assertEquals(new Pair(50, 50, 0.8, 1.4), spread);
    }
}
