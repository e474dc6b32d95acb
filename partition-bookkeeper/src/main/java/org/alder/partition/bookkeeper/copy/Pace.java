package org.alder.partition.bookkeeper.copy;

import java.io.InterruptedIOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Has those who read wait, so that all together read no more bytes a second than they may. Thread safe. */
public final class Pace {
    private final long bytesPerSecond;
    private long nextNanos = System.nanoTime();

    public Pace(long bytesPerSecond) {
        this.bytesPerSecond = bytesPerSecond;
    }

    /** Returns when so many bytes may have been read. */
    void take(long bytes) throws InterruptedIOException {
        long waitNanos = reserve(bytes);
        try {
            TimeUnit.NANOSECONDS.sleep(waitNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while a copy was given");
        }
    }

    /** As {@link #take} for those who cannot be interrupted. */
    public void takeWhole(long bytes) {
        LockSupport.parkNanos(reserve(bytes));
    }

    private synchronized long reserve(long bytes) {
        long now = System.nanoTime();
        nextNanos = (nextNanos - now > 0 ? nextNanos : now) + bytes * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond;
        return nextNanos - now;
    }
}
