package org.alder.perf.cluster;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** How long something is waited for that comes in seconds, or never. One thread. */
final class TimeLimit {
    private static final long SECONDS = 300;
    private static final long PAUSE_MILLIS = 2;

    private final String what;
    private final long endNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);

    TimeLimit(String what) {
        this.what = what;
    }

    /** Waits a moment. @throws IOException where the time is over, naming what did not come */
    void pause() throws IOException, InterruptedException {
        if (System.nanoTime() - endNanos > 0) {
            throw new IOException("waited " + SECONDS + " s for " + what);
        }
        Thread.sleep(PAUSE_MILLIS);
    }
}
