package org.alder.ldif.progress;

/**
 * The rate over the last ten seconds or a little more, from samples at least one second apart: steadier than the last
 * interval, and unlike the average since the start it follows when the work becomes slower. Not thread-safe.
 */
final class RateWindow {

    private static final int SAMPLES = 16;
    private static final long WINDOW_NANOS = 10_000_000_000L;
    private static final long SPACING_NANOS = 1_000_000_000L;

    private final long[] times = new long[SAMPLES];
    private final long[] amounts = new long[SAMPLES];
    private int count;

    RateWindow(long startNanos) {
        add(startNanos, 0);
    }

    /** Rate per second up to this moment. */
    double rate(long nowNanos, long done) {
        int from = windowStart(nowNanos);
        double seconds = (nowNanos - times[from]) / 1e9;
        double rate = seconds > 0 ? Math.max(0, done - amounts[from]) / seconds : 0;
        if (nowNanos - times[(count - 1) % SAMPLES] >= SPACING_NANOS) {
            add(nowNanos, done);
        }
        return rate;
    }

    /** The newest sample as old as the window, else the oldest there is. */
    private int windowStart(long nowNanos) {
        int sample = count - 1;
        int oldest = Math.max(0, count - SAMPLES);
        while (sample > oldest && nowNanos - times[sample % SAMPLES] < WINDOW_NANOS) {
            sample--;
        }
        return sample % SAMPLES;
    }

    private void add(long nanos, long done) {
        times[count % SAMPLES] = nanos;
        amounts[count % SAMPLES] = done;
        count++;
    }
}
