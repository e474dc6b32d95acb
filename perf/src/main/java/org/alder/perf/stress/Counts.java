package org.alder.perf.stress;

import java.util.Locale;
import java.util.concurrent.atomic.LongAdder;

/** What was done so far. Thread safe. */
final class Counts {
    final LongAdder operations = new LongAdder();
    final LongAdder transactions = new LongAdder();
    final LongAdder searches = new LongAdder();
    final LongAdder logins = new LongAdder();
    /** Updates that the server refused for lack of room on the disk. */
    final LongAdder refused = new LongAdder();
    /** Searches over everything while all workers worked. */
    final LongAdder readings = new LongAdder();
    final LongAdder exports = new LongAdder();
    /** Comparisons of everything, with the workers at rest. */
    final LongAdder comparisons = new LongAdder();
    final LongAdder verifications = new LongAdder();
    /** Comparisons of a follower's copy. */
    final LongAdder copies = new LongAdder();
    final LongAdder kills = new LongAdder();
    final LongAdder stops = new LongAdder();
    final LongAdder fullDisks = new LongAdder();

    @Override
    public String toString() {
        return String.format(Locale.ROOT, "%,d operations, of which %,d transactions, %,d searches and %,d logins; %,d kills,"
                + " %,d stops, %,d full disks (%,d updates refused); compared: everything %,d times at rest and %,d times under load,"
                + " %,d exports, %,d copies, %,d verifications", operations.sum(), transactions.sum(), searches.sum(), logins.sum(),
                kills.sum(), stops.sum(), fullDisks.sum(), refused.sum(), comparisons.sum(), readings.sum(), exports.sum(),
                copies.sum(), verifications.sum());
    }
}
