package org.alder.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.alder.perf.process.Machine;

/** Search times by size, beside those that ApacheDS published in 2006. Immutable. */
public record SearchTimesReport(Machine machine, String filter, String limitedFilter, List<SearchTimesRow> rows) {
    private String legend() {
        return "First: the first search of a restarted server with its caches switched off; uncached: the median of 5 more. Cached:"
                + " the median of 10 with caches. No index: the median of 3, without caches. First 1000: " + limitedFilter
                + ", size limit 1000.";
    }

    private String pageCache() {
        return rows.stream().allMatch(SearchTimesRow::pageCacheDropped)
                ? "The operating system's page cache was dropped before each first search."
                : "The operating system's page cache was NOT dropped (that needs --drop-page-cache, and root): the first search reads"
                        + " from memory what a cold machine reads from disk.";
    }

    private static String millis(double seconds) {
        return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.1f", seconds * 1000);
    }

    /** A line for each size, the milliseconds of 2006 beside ours. */
    public Report report() {
        List<ReportRow> lines = new ArrayList<>();
        for (SearchTimesRow row : rows) {
            FiguresOf2006 then = FiguresOf2006.at(row.entries());
            String others = String.format(Locale.ROOT,
                    "ApacheDS in 2006: first %s ms, cached %s, no index %s", millis(then.uncached()),
                    millis(then.cached()), millis(then.unindexed()));
            lines.add(ReportRow.of(Long.toString(row.entries()), others, row.matches(), row.uncachedFirst() * 1000,
                    then.uncached() / row.uncachedFirst(),
                    row.uncached() * 1000, row.cached() * 1000, row.unindexed() * 1000, row.limitedUncached() * 1000,
                    row.limitedCached() * 1000, row.entries() / row.loadSeconds(), (double) row.diskBytes() / row.entries()));
        }
        ReportTable table = new ReportTable(filter + " over LDAP, one whole search", List.of("entries"), List.of("matches",
                "first ms", "2006/first", "uncached ms", "cached ms", "no index ms", "first 1000 uncached ms", "first 1000 cached ms",
                "load entries/s", "bytes/entry"), lines);
        return new Report("search-times", "Search times by size", machine, Map.of("limited search",
                limitedFilter),
                List.of(table), Map.of("search-times", svg()), List.of(legend() + " " + pageCache(), PeerFigures.SOURCE + " "
                        + PeerFigures.DISK + "."));
    }

    /** Seconds over entries, both axes logarithmic: the curves of 2006 dashed, ours solid. */
    public String svg() {
        LogPlot plot = new LogPlot("(initials=aa): ApacheDS in 2006 on a machine of its time (dashed) and Alder (solid)", "entries", "seconds");
        plot.line("2006, no index", "#c0392b", true, of2006(FiguresOf2006::unindexed));
        plot.line("2006, index, no cache", "#d68910", true, of2006(FiguresOf2006::uncached));
        plot.line("2006, index, cache", "#7d6608", true, of2006(FiguresOf2006::cached));
        plot.line("Alder, no index", "#c0392b", false, ours(SearchTimesRow::unindexed));
        plot.line("Alder, index, no cache, first search", "#d68910", false, ours(SearchTimesRow::uncachedFirst));
        plot.line("Alder, index, cache", "#1e8449", false, ours(SearchTimesRow::cached));
        plot.line("Alder, first 1000, cache", "#2471a3", false, ours(SearchTimesRow::limitedCached));
        return plot.svg();
    }

    private List<double[]> ours(ToDoubleFunction<SearchTimesRow> figure) {
        return rows.stream().map(row -> new double[] {row.entries(), figure.applyAsDouble(row)}).toList();
    }

    private static List<double[]> of2006(ToDoubleFunction<FiguresOf2006> figure) {
        List<double[]> points = new ArrayList<>();
        for (Map.Entry<Long, FiguresOf2006> size : FiguresOf2006.all().entrySet()) {
            points.add(new double[] {size.getKey(), figure.applyAsDouble(size.getValue())});
        }
        return points;
    }
}
