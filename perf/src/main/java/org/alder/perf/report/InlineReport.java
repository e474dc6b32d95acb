package org.alder.perf.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.alder.perf.process.Machine;

/** Throughput and times of the queries, the ratios between them, and what it costs. Immutable. */
public record InlineReport(Machine machine, Map<String, String> parameters, List<InlineRow> rows, List<InlineSize> sizes) {
    static final String RATIOS = "Scoped + filter, times as good as";

    private static final Map<String, String> PUBLISHED = Map.of(InlineRow.NAIVE, "published: 3.5 op/s, 490 ms, 440 ms",
            InlineRow.SCOPED, "published: 5 op/s, 350 ms, 310 ms", InlineRow.FILTER, "published: 15 op/s, 42 ms, 25 ms");
    private static final Map<String, String> PUBLISHED_RATIOS = Map.of(InlineRow.NAIVE, "published: 4x, 11x, 17x",
            InlineRow.SCOPED, "published: 3x, 8x, 12x; where the searches of both carry the inline field 5x, 13x, 21x");

    public Report report() {
        List<ReportTable> tables = List.of(
                new ReportTable("(employeeType=alpha) naive, (&(initials=xx)(employeeType=alpha)) scoped",
                        List.of("answers", "index cache", "query"), List.of("op/s", "99.9 % ms", "average ms", "CPU us"),
                                figures()),
                new ReportTable(RATIOS, List.of("answers", "index cache", "query"),
                        List.of("throughput", "99.9 %", "average", "CPU"), ratios()),
                new ReportTable("What it costs", List.of("inline"),
                        List.of("index on initials bytes/entry", "disk bytes/entry", "load entries/s"), costs()));
        return new Report("inline", "Inline values in an index", machine, parameters, tables, Map.of("inline", plot()), notes());
    }

    private static List<String> labels(InlineRow row) {
        return List.of(row.answers(), row.cache(), row.query());
    }

    private List<ReportRow> figures() {
        return rows.stream().map(row -> new ReportRow(labels(row),
                ReportRow.boxed(row.operationsPerSecond(), row.millis999(), row.averageMillis(), row.cpuMicros()),
                PUBLISHED.get(row.query()))).toList();
    }

    private List<ReportRow> ratios() {
        List<ReportRow> ratios = new ArrayList<>();
        for (InlineRow row : rows) {
            if (!row.query().equals(InlineRow.FILTER)) {
                InlineRow filter = filterBeside(row);
                ratios.add(new ReportRow(labels(row), ReportRow.boxed(
                        filter.operationsPerSecond() / row.operationsPerSecond(), row.millis999() / filter.millis999(),
                        row.averageMillis() / filter.averageMillis(), row.cpuMicros() / filter.cpuMicros()),
                        PUBLISHED_RATIOS.get(row.query())));
            }
        }
        return ratios;
    }

    private InlineRow filterBeside(InlineRow row) {
        return rows.stream().filter(other -> other.query().equals(InlineRow.FILTER) && other.answers().equals(row.answers())
                && other.cache().equals(row.cache())).findFirst()
                .orElseThrow(() -> new IllegalArgumentException("nothing to compare " + row + " with"));
    }

    private List<ReportRow> costs() {
        return sizes.stream().map(size -> ReportRow.of(size.inline(), "", size.indexBytes(), size.diskBytes(),
                size.loadedPerSecond())).toList();
    }

    private String plot() {
        BarPlot plot = new BarPlot("Average of a search for IDs, us");
        rows.stream().filter(row -> row.answers().equals("IDs"))
                .forEach(row -> plot.bar(row.query() + ", index cache " + row.cache(), row.averageMillis() * 1000));
        return plot.svg();
    }

    private static List<String> notes() {
        return List.of("One thread, no protocol, page cache warm; each search has other initials. IDs: the entry IDs, from"
                + " the indexes alone, as a text index its document IDs. DNs: the entries' names as well, for which each is fetched.",
                "The seed: Riak Search 14.2 and Basho Bench on a laptop, 63,000 tweets; with several clients, so throughput"
                + " is not one second divided by the average there.",
                "Scoped is what the planner does without inline values: the smaller set, then the larger one where that"
                + " is cheaper than testing entries.");
    }
}
