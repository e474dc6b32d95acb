package org.alder.partition.bookkeeper.election;

import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.log.Lease;

/**
 * The lease of a leader whose lock is an ephemeral znode: held for two thirds of the session's time from when the last question was sent that
 * ZooKeeper answered, so that it is over before ZooKeeper takes the session for dead, whatever the answer took. A third is left for
 * clocks that run at different speeds, and for a follower of ZooKeeper that dies before its leader knows of the question. Any thread.
 */
final class SessionLease implements Lease {
    private volatile long untilNanos;
    private volatile boolean lost;

    /** @param sentNanos when the question was sent by which the lock was found to be held */
    SessionLease(long sentNanos, int sessionMillis) {
        untilNanos = sentNanos + holds(sessionMillis);
    }

    private static long holds(int sessionMillis) {
        return TimeUnit.MILLISECONDS.toNanos(sessionMillis) * 2 / 3;
    }

    /** ZooKeeper has answered; too late does not help. */
    void confirm(long sentNanos, int sessionMillis) {
        if (!isLost()) {
            untilNanos = sentNanos + holds(sessionMillis);
        }
    }

    void lose() {
        lost = true;
    }

    @Override
    public boolean isHeld() {
        return !isLost();
    }

    @Override
    public boolean isLost() {
        if (!lost && System.nanoTime() - untilNanos >= 0) {
            lost = true;
        }
        return lost;
    }
}
