package org.alder.perf.report;

/**
 * How fast one of the queries was answered. Immutable.
 *
 * @param answers what was read of each answer: IDs or DNs
 * @param cache whether the index cache was on or off
 * @param query one of the constants
 * @param cpuMicros of the thread, for each search
 */
public record InlineRow(String answers, String cache, String query, double operationsPerSecond, double millis999,
        double averageMillis, double cpuMicros) {
    /** The frequent term alone. */
    public static final String NAIVE = "naive";
    /** The rare and the frequent term, from both sets. */
    public static final String SCOPED = "scoped";
    /** The rare and the frequent term, from inline values. */
    public static final String FILTER = "scoped + filter";
}
