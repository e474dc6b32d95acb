package org.alder.server.resource;

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * How long something took, each time: counted by {@link #BOUNDS_MICROS}, which are fixed, so that counting is two additions that do not
 * wait for those of other threads, and counts of several servers can be added. Thread safe.
 */
public final class Latencies {
    private static final long[] BOUNDS_MICROS = {100, 250, 500, 1_000, 2_500, 5_000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000,
            2_500_000, 5_000_000, 10_000_000};

    /** One more than there are bounds: the last one counts what took longer than all. */
    private final LongAdder[] counts = new LongAdder[BOUNDS_MICROS.length + 1];
    private final LongAdder nanos = new LongAdder();

    Latencies() {
        Arrays.setAll(counts, i -> new LongAdder());
    }

    /** What one part counts reaches up to, in microseconds, ascending. */
    public static long[] boundsMicros() {
        return BOUNDS_MICROS.clone();
    }

    /** Counts one. */
    public void add(long tookNanos) {
        counts[place(tookNanos)].increment();
        nanos.add(tookNanos);
    }

    private static int place(long tookNanos) {
        int place = 0;
        while (place < BOUNDS_MICROS.length && tookNanos > BOUNDS_MICROS[place] * 1000) {
            place++;
        }
        return place;
    }

    /** How many there were up to each bound and above those before it; behind them how many took longer than all. */
    public long[] counts() {
        return Arrays.stream(counts).mapToLong(LongAdder::sum).toArray();
    }

    /** What all of them took together. */
    public double seconds() {
        return (double) nanos.sum() / TimeUnit.SECONDS.toNanos(1);
    }
}
