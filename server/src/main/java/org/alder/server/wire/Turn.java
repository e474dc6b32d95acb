package org.alder.server.wire;

/**
 * How long what a client has sent at once keeps the thread that has read it, and that others wait for too. What would keep it longer
 * goes elsewhere. Thread safe.
 */
public final class Turn {
    private static final long NANOS = 1_000_000;

    /** 0 before the first. */
    private volatile long startedNanos;

    /** From now on the next of what has come is looked at. @param nowNanos of {@link System#nanoTime} */
    public void begin(long nowNanos) {
        startedNanos = nowNanos;
    }

    public boolean isOver() {
        long started = startedNanos;
        return started != 0 && System.nanoTime() - started > NANOS;
    }
}
