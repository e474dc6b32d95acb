package org.alder.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.alder.perf.process.Machine;

/** The seed's table with our figures beside it. Immutable. */
public record SeedReport(Machine machine, String filter, String limitedFilter, List<SeedRow> rows) {
    private String legend() {
        return "(1) index, no cache: first search of a restarted server with caches switched off, and median of 5 more; (2)"
                + " index, caches on: median of 10; (3) no index, no cache: median of 3; 1000: " + limitedFilter
                + ", size limit 1000.";
    }

    private String pageCache() {
        return rows.stream().allMatch(SeedRow::pageCacheDropped)
                ? "The operating system's page cache was dropped before each (1)."
                : "The operating system's page cache was NOT dropped (that needs root): (1) reads from memory what a cold machine"
                        + " reads from disk.";
    }

    private static String millis(double seconds) {
        return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.1f", seconds * 1000);
    }

    /** A line for each size, the seed's milliseconds beside ours. */
    public Report report() {
        List<ReportRow> lines = new ArrayList<>();
        for (SeedRow row : rows) {
            SeedFigures seed = SeedFigures.at(row.entries());
            String others = String.format(Locale.ROOT,
                    "seed (ApacheDS, 2006): (1) %s ms, (2) %s, (3) %s", millis(seed.uncached()),
                    millis(seed.cached()), millis(seed.unindexed()));
            lines.add(ReportRow.of(Long.toString(row.entries()), others, row.matches(), row.uncachedFirst() * 1000,
                    seed.uncached() / row.uncachedFirst(),
                    row.uncached() * 1000, row.cached() * 1000, row.unindexed() * 1000, row.limitedUncached() * 1000,
                    row.limitedCached() * 1000, row.entries() / row.loadSeconds(), (double) row.diskBytes() / row.entries()));
        }
        ReportTable table = new ReportTable(filter + " over LDAP, one whole search", List.of("entries"), List.of("matches",
                "(1) first ms", "seed/(1)", "(1) again ms", "(2) ms", "(3) ms", "1000 (1) ms", "1000 (2) ms", "load entries/s",
                "bytes/entry"), lines);
        return new Report("seed-table", "The seed's table: search times by size", machine, Map.of("limited search",
                limitedFilter),
                List.of(table), Map.of("seed-table", svg()), List.of(legend() + " " + pageCache(), PeerFigures.SOURCE + " "
                        + PeerFigures.DISK + "."));
    }

    /** Seconds over entries, both axes logarithmic: the seed's curves dashed, ours solid. */
    public String svg() {
        LogPlot plot = new LogPlot("(initials=aa): the seed's server of 2006 (dashed) and Alder (solid)", "entries", "seconds");
        plot.line("seed, no index", "#c0392b", true, seed(SeedFigures::unindexed));
        plot.line("seed, index, no cache", "#d68910", true, seed(SeedFigures::uncached));
        plot.line("seed, index, cache", "#7d6608", true, seed(SeedFigures::cached));
        plot.line("Alder, no index", "#c0392b", false, ours(SeedRow::unindexed));
        plot.line("Alder, index, no cache, first search", "#d68910", false, ours(SeedRow::uncachedFirst));
        plot.line("Alder, index, cache", "#1e8449", false, ours(SeedRow::cached));
        plot.line("Alder, first 1000, cache", "#2471a3", false, ours(SeedRow::limitedCached));
        return plot.svg();
    }

    private List<double[]> ours(ToDoubleFunction<SeedRow> figure) {
        return rows.stream().map(row -> new double[] {row.entries(), figure.applyAsDouble(row)}).toList();
    }

    private static List<double[]> seed(ToDoubleFunction<SeedFigures> figure) {
        List<double[]> points = new ArrayList<>();
        for (Map.Entry<Long, SeedFigures> size : SeedFigures.all().entrySet()) {
            points.add(new double[] {size.getKey(), figure.applyAsDouble(size.getValue())});
        }
        return points;
    }
}
