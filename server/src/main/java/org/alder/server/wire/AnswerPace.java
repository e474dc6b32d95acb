package org.alder.server.wire;

import java.util.concurrent.TimeUnit;

/**
 * Whether a client takes the answers that wait for it. Who takes all that waited, or 16 KiB of it, within the time that is allowed
 * gets as much time again; so a byte now and then does not keep a connection. One thread.
 */
final class AnswerPace {
    private static final long LEAST_BYTES = 16 << 10;

    private boolean waiting;
    private long sinceNanos;
    private long takenBefore;
    private long dueBytes;

    /**
     * For how long too little has been taken.
     *
     * @param queuedBytes what waits for the client
     * @param takenBytes what the operating system has taken of what waited, ever
     */
    long stalledSeconds(long nowNanos, long queuedBytes, long takenBytes) {
        if (!waiting || queuedBytes == 0 || takenBytes - takenBefore >= dueBytes) {
            waiting = queuedBytes > 0;
            sinceNanos = nowNanos;
            takenBefore = takenBytes;
            dueBytes = Math.min(queuedBytes, LEAST_BYTES);
        }
        return TimeUnit.NANOSECONDS.toSeconds(nowNanos - sinceNanos);
    }
}
