package org.alder.perf.client;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * Times in nanoseconds, of which percentiles are told in milliseconds, to three digits (an HdrHistogram, which any number of times leaves small). One
 * thread; {@link #add(Latencies)} brings those of several threads together.
 */
public final class Latencies {
    private static final int DIGITS = 3;
    private static final double NANOS_IN_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    private final Histogram times = new Histogram(DIGITS);

    /** @param nanos one below 0 is 0: clocks of two processors may differ */
    public void add(long nanos) {
        times.recordValue(Math.max(0, nanos));
    }

    public void add(Latencies other) {
        times.add(other.times);
    }

    public long count() {
        return times.getTotalCount();
    }

    /**
     * The time that this share of all times does not exceed, in milliseconds; NaN if there are none.
     *
     * @param share 0.5 for the median, 1 for the longest
     */
    public double percentileMillis(double share) {
        return count() == 0 ? Double.NaN : times.getValueAtPercentile(100 * share) / NANOS_IN_MILLI;
    }
}
