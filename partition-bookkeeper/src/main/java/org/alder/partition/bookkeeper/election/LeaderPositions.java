package org.alder.partition.bookkeeper.election;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * How far the leader was when, as it has told: so a replica knows how old what it shows may be. Holds some hundred tellings; of a replica that
 * is far behind they thin out, so that it is known to a hundredth of the time or so. Thread safe.
 */
final class LeaderPositions {
    private static final int MOST = 512;

    /** In their order; all but the first are beyond what the replica had when it last asked. */
    private final List<Position> told = new ArrayList<>();

    private record Position(long sequence, long nanos) {
    }

    /** @param nanos when that was heard, as {@link System#nanoTime} says */
    synchronized void tell(long sequence, long nanos) {
        // A leader that is no further, or another one that never had the transactions of the one before.
        told.removeIf(each -> each.sequence >= sequence);
        int last = told.size() - 1;
        if (last >= 2 && told.get(last).nanos - told.get(last - 1).nanos < (nanos - told.get(0).nanos) / MOST) {
            told.remove(last);
        }
        told.add(new Position(sequence, nanos));
        if (told.size() > MOST) {
            thin();
        }
    }

    /** The first one and the last one stay. */
    private void thin() {
        for (int i = told.size() - 2; i > 0; i -= 2) {
            told.remove(i);
        }
    }

    /** How long ago the leader told no more than this; when it told first, where that was more already; -1 where it never told. */
    synchronized long behindMillis(long sequence, long nowNanos) {
        if (told.isEmpty()) {
            return -1;
        }
        int beyond = 1;
        while (beyond < told.size() && told.get(beyond).sequence <= sequence) {
            beyond++;
        }
        told.subList(0, beyond - 1).clear();
        return Math.max(0, TimeUnit.NANOSECONDS.toMillis(nowNanos - told.get(0).nanos));
    }
}
