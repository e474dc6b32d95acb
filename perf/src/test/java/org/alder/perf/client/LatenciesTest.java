package org.alder.perf.client;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.alder.partition.testing.Seed;
import org.junit.Test;

public class LatenciesTest {
    @Test
    public void percentilesAreThoseOfTheSortedTimes() {
        long seed = Seed.of(LatenciesTest.class);
        Random random = new Random(seed);
        long[] times = new long[10_000];
        Latencies first = new Latencies();
        Latencies second = new Latencies();
        for (int i = 0; i < times.length; i++) {
            times[i] = random.nextLong() >>> 1 + random.nextInt(62);
            (i % 3 == 0 ? first : second).add(times[i]);
        }
        first.add(second);
        Arrays.sort(times);
        assertEquals(times.length, first.count());
        for (double share : new double[] {0.0001, 0.1, 0.5, 0.9, 0.99, 0.999, 1}) {
            double exact = times[(int) Math.ceil(share * times.length) - 1] / 1e6;
            assertEquals("seed " + seed + ", share " + share, exact, first.percentileMillis(share), exact * 0.001);
        }
    }

    @Test
    public void timesMayBeOfAnySizeAndNoTimesHaveNoPercentile() {
        Latencies times = new Latencies();
        assertTrue(Double.isNaN(times.percentileMillis(0.5)));
        times.add(-5);
        times.add(Long.MAX_VALUE);
        times.add(123_456_789);
        assertEquals(0, times.percentileMillis(0.3), 0);
        assertEquals(Long.MAX_VALUE / 1e6, times.percentileMillis(1), Long.MAX_VALUE / 1e9);
    }
}
