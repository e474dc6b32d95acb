package org.alder.perf.faults;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The change sequence numbers (entryCSN) of updates. They have to be in the order of the updates, whatever the clocks of those who have led say: an update that was sent
 * after another one was acknowledged has a greater one. Thread safe.
 */
final class Stamps {
    private final List<Stamp> stamps = new ArrayList<>();

    /** Of an update that was acknowledged. */
    private record Stamp(String csn, long invokedNanos, long endedNanos, String who) {
        @Override
        public String toString() {
            return csn + " of an update from " + invokedNanos / 1000 + " to " + endedNanos / 1000 + " us on " + who;
        }
    }

    /** @param who has answered */
    synchronized void add(String csn, long invokedNanos, long endedNanos, String who) {
        stamps.add(new Stamp(csn, invokedNanos, endedNanos, who));
    }

    /** The longest time between two moments in which no update was acknowledged. */
    synchronized long longestPauseNanos(long from, long to) {
        long longest = 0;
        long last = from;
        for (Stamp stamp : stamps.stream().filter(each -> each.endedNanos - from > 0 && to - each.endedNanos > 0).sorted(Comparator.comparingLong(Stamp::endedNanos)).toList()) {
            longest = Math.max(longest, stamp.endedNanos - last);
            last = stamp.endedNanos;
        }
        return Math.max(longest, to - last);
    }

    /** Two that are in another order than their updates; null where there are none. */
    synchronized String fault() {
        List<Stamp> byEnd = new ArrayList<>(stamps);
        byEnd.sort(Comparator.comparingLong(Stamp::endedNanos));
        List<Stamp> byBegin = new ArrayList<>(stamps);
        byBegin.sort(Comparator.comparingLong(Stamp::invokedNanos));
        int ended = 0;
        Stamp greatest = null;
        for (Stamp stamp : byBegin) {
            for (; byEnd.get(ended).endedNanos < stamp.invokedNanos; ended++) {
                Stamp before = byEnd.get(ended);
                greatest = greatest == null || greatest.csn.compareTo(before.csn) < 0 ? before : greatest;
            }
            if (greatest != null && greatest.csn.compareTo(stamp.csn) >= 0) {
                return "an earlier update has a greater change sequence number: " + greatest + "; " + stamp;
            }
        }
        return null;
    }
}
