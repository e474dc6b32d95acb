package org.alder.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.alder.perf.process.Machine;

/** The seed's table with our figures beside it: as text, as JSON and as a plot. Immutable. */
public record SeedReport(Machine machine, String filter, String limitedFilter, List<SeedRow> rows) {
    private static final String HEAD = "%9s %8s | %9s %9s %9s %9s | %9s %9s | %9s %9s | %9s %9s | %7s %6s%n";

    /** A table for people; the seed's seconds in brackets where it has them. */
    public String text() {
        StringBuilder out = new StringBuilder();
        out.append(machine.line()).append('\n');
        out.append(filter).append(" over LDAP, milliseconds of one whole search; in brackets the seed's (ApacheDS, 2006)\n");
        out.append("(1) index, no cache: first search of a restarted server with caches switched off;")
                .append(" [again: median of 5 more]\n");
        out.append("(2) index, caches on: median of 10.  (3) no index, no cache: median of 3.  1000: ").append(limitedFilter)
                .append(", size limit 1000\n");
        out.append(String.format(Locale.ROOT, HEAD, "entries", "matches", "(1)", "[again]", "seed", "ratio", "(2)", "seed", "(3)",
                "seed",
                "1000 (1)", "1000 (2)", "load/s", "B/ent"));
        for (SeedRow row : rows) {
            SeedFigures seed = SeedFigures.at(row.entries());
            out.append(String.format(Locale.ROOT, HEAD, row.entries(), row.matches(), millis(row.uncachedFirst()),
                    millis(row.uncached()),
                    bracket(seed.uncached()), ratio(seed.uncached(), row.uncachedFirst()), millis(row.cached()),
                            bracket(seed.cached()),
                    millis(row.unindexed()), bracket(seed.unindexed()), millis(row.limitedUncached()),
                            millis(row.limitedCached()),
                    Math.round(row.entries() / row.loadSeconds()), row.diskBytes() / row.entries()));
        }
        boolean dropped = rows.stream().allMatch(SeedRow::pageCacheDropped);
        out.append(dropped ? "The operating system's page cache was dropped before each (1).\n"
                : "The operating system's page cache was NOT dropped (that needs root): (1) reads from memory what a cold machine"
                        + " reads from disk.\n");
        return out.toString();
    }

    private static String millis(double seconds) {
        return Double.isNaN(seconds) ? "-" : String.format(Locale.ROOT, "%.1f", seconds * 1000);
    }

    private static String bracket(double seconds) {
        return Double.isNaN(seconds) ? "-" : "(" + Math.round(seconds * 1000) + ")";
    }

    private static String ratio(double seed, double ours) {
        return Double.isNaN(seed) || Double.isNaN(ours) ? "-" : String.format(Locale.ROOT, "%.0fx", seed / ours);
    }

    /** The same for programs: seconds and bytes. */
    public String json() {
        List<String> lines = new ArrayList<>();
        for (SeedRow row : rows) {
            SeedFigures seed = SeedFigures.at(row.entries());
            lines.add("    {\"entries\": " + row.entries() + ", \"matches\": " + row.matches() + ", \"loadSeconds\": "
                    + number(row.loadSeconds())
                    + ", \"diskBytes\": " + row.diskBytes() + ", \"uncachedFirst\": " + number(row.uncachedFirst())
                    + ", \"uncached\": " + number(row.uncached()) + ", \"cached\": " + number(row.cached())
                    + ", \"unindexed\": " + number(row.unindexed()) + ", \"limitedUncached\": " + number(row.limitedUncached())
                    + ", \"limitedCached\": " + number(row.limitedCached()) + ", \"pageCacheDropped\": " + row.pageCacheDropped()
                    + ", \"seed\": {\"uncached\": " + number(seed.uncached()) + ", \"cached\": " + number(seed.cached())
                    + ", \"unindexed\": " + number(seed.unindexed()) + "}}");
        }
        return "{\n  \"benchmark\": \"seed-table\",\n  \"machine\": " + quoted(machine.line()) + ",\n  \"commit\": "
                + quoted(machine.alder())
                + ",\n  \"filter\": " + quoted(filter) + ",\n  \"limitedFilter\": " + quoted(limitedFilter) + ",\n  \"rows\": [\n"
                + String.join(",\n", lines) + "\n  ]\n}\n";
    }

    private static String number(double value) {
        return Double.isNaN(value) ? "null" : String.format(Locale.ROOT, "%.6f", value);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
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
