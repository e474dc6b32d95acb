package org.alder.partition.jdbm.write;

import java.util.concurrent.TimeUnit;
import org.alder.partition.jdbm.task.Clock;

/**
 * How long a group waits for more. Clients that wait for their answers before they ask again come back in the moment in which the next group begins without them, and
 * then wait for all of it: groups have half of the clients in them, and there are twice as many. So where an append takes long, as of a shared log, a group
 * that is smaller than the last one and what waited behind it waits for the difference, for a part of the time that the append will take. Where that
 * does not come, as of clients that ask once, it is not waited for, the longer the more often that was so. One thread.
 */
final class Gathering {
    /** A wait is worth its while where the append takes so long at least. */
    private static final long LEAST_APPEND_NANOS = TimeUnit.MICROSECONDS.toNanos(500);
    private static final long MOST_NANOS = TimeUnit.MILLISECONDS.toNanos(2);
    /** Of the time that an append takes, for one. */
    private static final int PART = 2;
    /** Of new against old, in the time that an append takes. */
    private static final int WEIGHT = 8;
    private static final int MOST_DOUBLINGS = 6;

    private final Clock clock;
    private long appendNanos;
    /** The members of the last group, and those that waited when these were answered. */
    private int expected;
    /** Whether this group has waited, with how many members first, and until when at most. */
    private boolean waits;
    private int before;
    private long untilNanos;
    /** Of these groups, each one that did not get what it waited for, without one in between that did. */
    private int vain;
    /** So many groups do not wait. */
    private int skipped;

    Gathering(Clock clock) {
        this.clock = clock;
    }

    /** How long to wait for the next one now. @param members that the group has */
    long nanos(int members) {
        if (members >= expected || skipped > 0 || appendNanos < LEAST_APPEND_NANOS) {
            return 0;
        }
        long now = clock.nanoTime();
        if (!waits) {
            waits = true;
            before = members;
            untilNanos = now + Math.min(MOST_NANOS, appendNanos / PART);
        }
        return Math.max(0, untilNanos - now);
    }

    /** A group is as large as it gets. */
    void closed(int members) {
        if (waits && 2 * (members - before) < expected - before) {
            vain = Math.min(MOST_DOUBLINGS, vain + 1);
            skipped = 1 << vain;
        } else if (waits) {
            vain = 0;
        } else if (skipped > 0) {
            skipped--;
        }
        waits = false;
    }

    /**
     * @param members of the group
     * @param waiting how many wait behind it
     * @param nanos   that its append took
     */
    void answered(int members, int waiting, long nanos) {
        expected = members + waiting;
        appendNanos += (nanos - appendNanos) / WEIGHT;
    }
}
