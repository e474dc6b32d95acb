package org.alder.partition.bookkeeper.zookeeper;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;

/** Until when something is tried, by the monotonic clock. Immutable. */
public record Deadline(long nanos) {
    private static final long PAUSE_MILLIS = 50;

    public static Deadline in(long millis) {
        return new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
    }

    public boolean isOver() {
        return nanos - System.nanoTime() <= 0;
    }

    /** One at least. */
    public long leftMillis() {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime()));
    }

    /** Waits a moment before the next try. */
    public void pause() throws InterruptedIOException {
        pause(PAUSE_MILLIS);
    }

    /** The same, for a while. @param millis that at most */
    public void pause(long millis) throws InterruptedIOException {
        try {
            Thread.sleep(Math.min(millis, leftMillis()));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** Waits for the end of a thread that was told to end, as long as that takes. */
    public static void join(Thread thread) throws InterruptedIOException {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    public static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException e = new InterruptedIOException("interrupted while waiting for BookKeeper or ZooKeeper");
        e.initCause(cause);
        return e;
    }
}
