package org.alder.partition.bookkeeper;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Until when something is tried, by the monotonic clock. Immutable. */
record Deadline(long nanos) {
    private static final long PAUSE_MILLIS = 50;

    static Deadline in(long millis) {
        return new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    boolean isOver() {
        return nanos - System.nanoTime() <= 0;
    }

    /** One at least. */
    long leftMillis() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime()));
    }

    /** Waits a moment before the next try. */
    void pause() throws InterruptedIOException {
        try {
            Thread.sleep(Math.min(PAUSE_MILLIS, leftMillis()));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException e = new InterruptedIOException("interrupted while waiting for BookKeeper or ZooKeeper");
        e.initCause(cause);
        return e;
    }
}
