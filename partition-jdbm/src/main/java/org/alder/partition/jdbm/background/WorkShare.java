package org.alder.partition.jdbm.background;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much of its time background work may work: all of it while no client asks for anything or when writers would otherwise be
 * slowed, and little while clients ask for much and there is no hurry. Between these it goes down evenly with the requests of a second: a
 * few a second seldom meet the work at all, so slowing it tenfold for them would only make it last tenfold as long. Thread safe.
 */
public final class WorkShare {
    /** What unhurried work may take of all processors together while clients ask for much. */
    private static final double SHARE_OF_MACHINE = 0.1;
    /** What of that is left to work that nothing waits for. */
    private static final double PATIENT = 0.25;
    /** From so many requests in a second on clients ask for much. */
    private static final long MANY_REQUESTS = 100;
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final LongSupplier requests;
    private final LongSupplier nanoClock;
    private final double unhurried;
    /** When the second under way began, how many requests there had been by then, and how many of them in the second before. */
    private long secondNanos;
    private long requestsBefore;
    private long lastSecond;

    /**
     * @param requests  how many searches and updates there have been so far
     * @param processors of the machine
     */
    public WorkShare(LongSupplier requests, int processors, LongSupplier nanoClock) {
        this.requests = requests;
        this.nanoClock = nanoClock;
        this.unhurried = Math.min(1, SHARE_OF_MACHINE * processors);
        this.requestsBefore = requests.getAsLong();
        this.secondNanos = nanoClock.getAsLong();
    }

    /** @param hurry from 0, there is time, to 1, writers are about to be slowed; what is beyond counts as 0 or 1 */
    public double of(double hurry) {
        double clipped = Math.min(1, Math.max(0, hurry));
        double unhurriedNow = between(unhurried);
        return unhurriedNow + (1 - unhurriedNow) * clipped;
    }

    /**
     * The share of work that nothing waits for, however long it takes: of an index that searches do without. Where clients ask for much it
     * works so seldom that fewer than one request in a hundred meets it, or a collection of what it leaves in the heap.
     */
    public double patient() {
        return between(unhurried * PATIENT);
    }

    /** @param least while clients ask for much */
    private double between(double least) {
        double asked = Math.min(1, (double) requestsOfASecond() / MANY_REQUESTS);
        return 1 - (1 - least) * asked;
    }

    /** Of the last whole second or of the one under way: many requests count at once, and a second longer. */
    private synchronized long requestsOfASecond() {
        long now = nanoClock.getAsLong();
        long count = requests.getAsLong();
        long passed = now - secondNanos;
        if (passed >= SECOND_NANOS) {
            // Of a longer time, in which nobody looked, its mean.
            lastSecond = (long) Math.ceil((count - requestsBefore) * ((double) SECOND_NANOS / passed));
            requestsBefore = count;
            secondNanos = now;
        }
        return Math.max(lastSecond, count - requestsBefore);
    }
}
