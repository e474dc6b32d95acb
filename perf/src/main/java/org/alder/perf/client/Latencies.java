package org.alder.perf.client;

/**
 * Counts times in buckets that are at most 1.6 % wide, so that any number of them takes the same memory and percentiles are as
 * exact as that. One thread; {@link #add(Latencies)} brings those of several threads together.
 */
public final class Latencies {
    private static final int SUB_BITS = 6;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;

    private final long[] counts = new long[(Long.SIZE - SUB_BITS + 1) * SUB_BUCKETS];
    private long total;
    private long mostNanos;

    public void add(long nanos) {
        long time = Math.max(0, nanos);
        counts[bucket(time)]++;
        total++;
        mostNanos = Math.max(mostNanos, time);
    }

    public void add(Latencies other) {
        for (int i = 0; i < counts.length; i++) {
            counts[i] += other.counts[i];
        }
        total += other.total;
        mostNanos = Math.max(mostNanos, other.mostNanos);
    }

    public long count() {
        return total;
    }

    /**
     * The time that this share of all times does not exceed, in milliseconds; NaN if there are none.
     *
     * @param share 0.5 for the median, 1 for the longest
     */
    public double percentileMillis(double share) {
        if (total == 0) {
            return Double.NaN;
        }
        long rank = Math.max(1, (long) Math.ceil(share * total));
        long seen = 0;
        for (int i = 0; i < counts.length; i++) {
            seen += counts[i];
            if (seen >= rank) {
                return Math.min(mostNanos, highest(i)) / 1e6;
            }
        }
        throw new IllegalStateException("the buckets count " + seen + " times, expected " + total);
    }

    private static int bucket(long nanos) {
        int magnitude = Long.SIZE - Long.numberOfLeadingZeros(nanos >>> SUB_BITS);
        return magnitude == 0 ? (int) nanos
                : magnitude * SUB_BUCKETS + (int) (nanos >>> magnitude - 1) - SUB_BUCKETS;
    }

    /** The largest time that falls into a bucket. */
    private static long highest(int bucket) {
        int magnitude = bucket / SUB_BUCKETS;
        return magnitude == 0 ? bucket
                : ((long) (bucket % SUB_BUCKETS + SUB_BUCKETS + 1) << magnitude - 1) - 1;
    }
}
