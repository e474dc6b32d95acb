package org.alder.partition;

/** Has a thread look now and then, until it is told to end: not by an interrupt, which would close the files that are being read. Thread safe. */
public final class Ticks {
    private final Object tick = new Object();
    private boolean isClosed;

    /** Waits, in the thread that looks. @return whether to go on: not after {@link #close}, nor an interrupt, which stays noted */
    public boolean pause(long millis) {
        synchronized (tick) {
            try {
                if (!isClosed) {
                    tick.wait(millis);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return false;
            }
            return !isClosed;
        }
    }

    /** Has the thread end, and waits for that. */
    public void close(Thread looking) {
        synchronized (tick) {
            isClosed = true;
            tick.notifyAll();
        }
        try {
            looking.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
