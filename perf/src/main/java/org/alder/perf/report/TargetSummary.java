package org.alder.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.alder.perf.process.Machine;

/** The page of all targets, put together from what several benchmarks found. Stateless, thread safe. */
public final class TargetSummary {
    /** Takes the place of a benchmark's name: nothing is measured for this page. */
    static final String NAME = "targets";
    /** The table of {@code update-table} that compares a record rewritten with one value, in the order of its columns. */
    public static final String VALUE_RATIOS = "Record rewritten against one value";
    /** The table of {@code update-table} with CPU times of add, removal and test in its first three columns. */
    public static final String VALUE_SIZES = "One member, by the size of the group (values outside of the record)";
    /** The table of {@code bulk-load} that begins with the ratio of entries per second. */
    public static final String LOAD_FLATNESS = "Largest size against smallest";

    /** The table of {@code key-lookup}; its rows' second label says through what the key was looked up. */
    public static final String KEY_LOOKUPS = "Lookups in one thread, warm";
    public static final String KEY_TABLE = "the store";
    public static final String HITS = "hits/s";
    public static final String KEY_BYTES = "key table bytes/key";
    /** The table of {@code near-real-time}; its first row is of merges as they are by default. */
    public static final String MERGES = "A full merge beside searches at a fixed rate";
    public static final String MERGE_RATIO = "p99 merge/idle";
    /** The table of {@code index}; the rows with the label "all" are of all rounds. */
    public static final String INDEX_SEARCHES = "Searches by uid beside a build";
    public static final String INDEX_RATIO = "p99 against idle";

    /** The table of {@code access}, whose rows are those of its targets. */
    public static final String ACCESS = "The targets of access rules";

    private final List<Report> reports;

    private TargetSummary(List<Report> reports) {
        this.reports = reports;
    }

    /**
     * @param reports of all benchmarks that were run; only their targets are shown
     * @param failures a sentence for each benchmark that failed
     */
    public static Report report(Machine machine, long entries, List<Report> reports, List<String> failures) {
        List<ReportRow> rows = new TargetSummary(reports).rows();
        long met = rows.stream().filter(row -> row.reference().endsWith(": met")).count();
        long missed = rows.stream().filter(row -> row.reference().endsWith(": missed")).count();
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("entries", Long.toString(entries));
        parameters.put("met", Long.toString(met));
        parameters.put("missed", Long.toString(missed));
        return new Report(NAME, "The targets", machine, parameters, List.of(TargetFigure.table("Targets", "OpenLDAP", rows)),
                Map.of(), failures);
    }

    private List<ReportRow> rows() {
        List<ReportRow> rows = new ArrayList<>();
        reports.stream().filter(report -> report.benchmark().equals("openldap")).flatMap(report -> report.tables().stream())
                .forEach(table -> rows.addAll(table.rows()));
        add(rows, "bulk-load", TargetFigure.LOAD_FLAT, last(LOAD_FLATNESS, 0));
        add(rows, "near-real-time", TargetFigure.MERGE_P99, figure(MERGES, MERGE_RATIO));
        add(rows, "index", TargetFigure.INDEX_P99, figure(INDEX_SEARCHES, INDEX_RATIO, "all", "a build"));
        add(rows, "update-table", TargetFigure.VALUE_CPU, last(VALUE_RATIOS, 0));
        add(rows, "update-table", TargetFigure.VALUE_BYTES, last(VALUE_RATIOS, 1));
        add(rows, "update-table", TargetFigure.VALUE_MICROS,
                Math.max(last(VALUE_SIZES, 0), Math.max(last(VALUE_SIZES, 1), last(VALUE_SIZES, 2))));
        add(rows, "key-lookup", TargetFigure.KEY_RATE, ofKeyTables(HITS, Math::min));
        add(rows, "key-lookup", TargetFigure.KEY_BYTES, ofKeyTables(KEY_BYTES, Math::max));
        reports.stream().filter(report -> report.benchmark().equals("binds"))
                .forEach(report -> rows.addAll(report.tables().get(report.tables().size() - 1).rows()));
        tables(ACCESS).forEach(table -> rows.addAll(table.rows()));
        add(rows, "inline", TargetFigure.INLINE_AVERAGE, figure(InlineReport.RATIOS, "average", InlineRow.SCOPED, "IDs", "on"));
        add(rows, "inline", TargetFigure.INLINE_P999, figure(InlineReport.RATIOS, "99.9 %", InlineRow.SCOPED, "IDs", "on"));
        return rows;
    }

    private void add(List<ReportRow> rows, String benchmark, TargetFigure figure, double own) {
        if (reports.stream().anyMatch(report -> report.benchmark().equals(benchmark))) {
            rows.add(figure.row(Double.NaN, own));
        }
    }

    private Stream<ReportTable> tables(String title) {
        return reports.stream().flatMap(report -> report.tables().stream()).filter(table -> table.title().equals(title));
    }

    private List<ReportRow> table(String title) {
        return tables(title).findFirst().map(ReportTable::rows).orElse(List.of());
    }

    /** Of all rows that have these labels, among others. */
    private DoubleStream figures(String title, String head, String... labels) {
        return tables(title).filter(table -> table.figureNames().contains(head)).flatMapToDouble(table -> table.rows().stream()
                .filter(row -> row.labels().containsAll(List.of(labels)))
                .mapToDouble(row -> row.figures().get(table.figureNames().indexOf(head))));
    }

    /** Of the first such row. */
    private double figure(String title, String head, String... labels) {
        return figures(title, head, labels).findFirst().orElse(Double.NaN);
    }

    /** Of the last row. */
    private double last(String title, int column) {
        List<ReportRow> rows = table(title);
        return rows.isEmpty() ? Double.NaN : rows.get(rows.size() - 1).figures().get(column);
    }

    private double ofKeyTables(String head, DoubleBinaryOperator choice) {
        return figures(KEY_LOOKUPS, head, KEY_TABLE).reduce(choice).orElse(Double.NaN);
    }
}
