package org.alder.perf.cluster;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** How long something is waited for that comes in seconds, or never. One thread. */
final class TimeLimit {
    private static final long SECONDS = 300;
    private static final long PAUSE_MILLIS = 2;

    private final String what;
    private final long seconds;
    private final long endNanos;

    TimeLimit(String what) {
        this(what, SECONDS);
    }

    TimeLimit(String what, long seconds) {
        this.what = what;
        this.seconds = seconds;
        this.endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    }

    /** Waits a moment. @throws IOException where the time is over, naming what did not come */
    void pause() throws IOException, InterruptedException {
        pause(PAUSE_MILLIS);
    }

    /** The same for so long. */
    void pause(long millis) throws IOException, InterruptedException {
        if (System.nanoTime() - endNanos > 0) {
            throw new IOException("waited " + seconds + " s for " + what);
        }
        Thread.sleep(millis);
    }
}
