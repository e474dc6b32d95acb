package org.alder.server.resource;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Which attributes searches asked for without an index that answers them, and what that took: what {@code cn=Monitor} shows with the
 * index to add. There are {@value #MOST_ROWS} rows at most; when there is one more, the one that took the least time goes. Thread safe.
 */
public final class UnindexedSearches {
    static final int MOST_ROWS = 256;
    private static final Comparator<Row> LEAST_TIME = Comparator.comparingLong(Row::micros).thenComparing(Row::last);

    private final Map<Missing, Row> rows = new HashMap<>();

    /**
     * What is missing. Immutable.
     *
     * @param suffix of the partition
     * @param attribute its name in the schema
     * @param index the kind of index that would answer, as the key {@code index} has it: eq, sub or pres
     */
    public record Missing(String suffix, String attribute, String index) {
    }

    /**
     * What searches took for want of it. Immutable.
     *
     * @param searches how many there were
     * @param slow how many of them took long
     * @param micros they took together
     * @param examined entries they looked at together
     * @param entries they returned together
     * @param last when the last one ended
     */
    public record Row(Missing missing, long searches, long slow, long micros, long examined, long entries, Instant last) {
        private static Row empty(Missing missing) {
            return new Row(missing, 0, 0, 0, 0, 0, Instant.EPOCH);
        }

        private Row with(Row one) {
            return new Row(missing, searches + one.searches, slow + one.slow, micros + one.micros, examined + one.examined,
                    entries + one.entries, one.last);
        }
    }

    /** Notes what one search lacked. */
    public void note(List<Missing> missing, boolean isSlow, long micros, long examined, long entries) {
        Instant now = Instant.now();
        synchronized (rows) {
            for (Missing each : missing) {
                if (!rows.containsKey(each) && rows.size() >= MOST_ROWS) {
                    rows.remove(rows.values().stream().min(LEAST_TIME).orElseThrow().missing);
                }
                rows.put(each, rows.getOrDefault(each, Row.empty(each)).with(new Row(each, 1, isSlow ? 1 : 0, micros, examined, entries, now)));
            }
        }
    }

    /** What took the most time first. */
    public List<Row> rows() {
        synchronized (rows) {
            return rows.values().stream().sorted(LEAST_TIME.reversed()).toList();
        }
    }
}
