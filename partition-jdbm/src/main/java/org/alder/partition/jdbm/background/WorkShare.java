package org.alder.partition.jdbm.background;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much of its time background work may work: all of it while no client asks for anything or when writers would otherwise be
 * slowed, and little while clients are served and there is no hurry. Thread safe.
 */
public final class WorkShare {
    /** What unhurried work may take of all processors together while clients are served. */
    private static final double SHARE_OF_MACHINE = 0.1;
    /** Clients that have asked for nothing for so long are not being served. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier requests;
    private final LongSupplier nanoClock;
    private final double unhurried;
    private long lastRequests;
    private long lastRequestNanos;

    /**
     * @param requests  how many searches and updates there have been so far
     * @param processors of the machine
     */
    public WorkShare(LongSupplier requests, int processors, LongSupplier nanoClock) {
        this.requests = requests;
        this.nanoClock = nanoClock;
        this.unhurried = Math.min(1, SHARE_OF_MACHINE * processors);
        this.lastRequests = requests.getAsLong();
        this.lastRequestNanos = nanoClock.getAsLong() - IDLE_NANOS;
    }

    /** @param hurry from 0, there is time, to 1, writers are about to be slowed; what is beyond counts as 0 or 1 */
    public double of(double hurry) {
        double clipped = Math.min(1, Math.max(0, hurry));
        return isBusy() ? unhurried + (1 - unhurried) * clipped : 1;
    }

    private synchronized boolean isBusy() {
        long count = requests.getAsLong();
        long now = nanoClock.getAsLong();
        if (count != lastRequests) {
            lastRequests = count;
            lastRequestNanos = now;
        }
        return now - lastRequestNanos < IDLE_NANOS;
    }
}
