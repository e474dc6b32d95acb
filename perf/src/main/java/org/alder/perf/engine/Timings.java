package org.alder.perf.engine;

import org.alder.perf.client.Latencies;
import org.alder.perf.report.InlineRow;

/** How long searches of one kind took. One thread. */
final class Timings {
    private final Latencies latencies = new Latencies();
    private long totalNanos;
    private long cpuNanos;

    void add(long nanos) {
        latencies.add(nanos);
        totalNanos += nanos;
    }

    /** @param nanos what the thread took for searches added beside */
    void addCpu(long nanos) {
        cpuNanos += nanos;
    }

    InlineRow row(String answers, String cache, String query) {
        double averageMillis = totalNanos / 1e6 / latencies.count();
        return new InlineRow(answers, cache, query, 1000 / averageMillis, latencies.percentileMillis(0.999), averageMillis,
                cpuNanos / 1e3 / latencies.count());
    }
}
