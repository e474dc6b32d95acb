package org.alder.perf.bench;

import java.io.IOException;
import java.util.Locale;

/**
 * Has a load go on until its rate rises no more: Java compiles what a server does while it does it, which takes the longer the more servers share the
 * processors. Immutable.
 *
 * @param seconds      how long it took
 * @param first        rate of the first window, per second
 * @param last         rate of the last window
 * @param isStillRising whether the time was over before it was steady
 */
public record WarmUp(double seconds, double first, double last, boolean isStillRising) {
    /** A window that is not so much faster than the fastest before has found nothing new. */
    private static final double RISE = 1.03;
    private static final int STEADY_WINDOWS = 3;

    /** One window of the load. */
    @FunctionalInterface
    public interface Window {
        /** @return its rate, per second */
        double run(double seconds) throws IOException, InterruptedException;
    }

    /**
     * Runs to its end.
     *
     * @param windowSeconds of each window
     * @param mostSeconds   of all, by the windows' own time
     */
    public static WarmUp of(double windowSeconds, double mostSeconds, Window window) throws IOException, InterruptedException {
        double first = window.run(windowSeconds);
        double last = first;
        double fastest = first;
        double seconds = windowSeconds;
        int steady = 0;
        while (steady < STEADY_WINDOWS && seconds + windowSeconds <= mostSeconds) {
            last = window.run(windowSeconds);
            seconds += windowSeconds;
            steady = last > RISE * fastest ? 0 : steady + 1;
            fastest = Math.max(fastest, last);
        }
        return new WarmUp(seconds, first, last, steady < STEADY_WINDOWS);
    }

    /** A sentence for a report. @param unit of the rates */
    public String told(String subject, String unit) {
        return String.format(Locale.ROOT, "Warm-up of %s: %.0f s, from %.0f to %.0f %s%s.", subject, seconds, first, last, unit,
                isStillRising ? ", AND STILL RISING: its figures are too low" : "");
    }
}
