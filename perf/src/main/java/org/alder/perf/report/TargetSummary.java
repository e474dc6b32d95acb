package org.alder.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.Stream;
import org.alder.perf.process.Machine;

/** The page of all targets, put together from what several benchmarks found. Stateless, thread safe. */
public final class TargetSummary {
    /** The table of {@code update-table} that compares a record rewritten with one value, in the order of its columns. */
    public static final String VALUE_RATIOS = "Record rewritten against one value";
    /** The table of {@code update-table} with CPU times of add, removal and test in its first three columns. */
    public static final String VALUE_SIZES = "One member, by the size of the group (values outside of the record)";
    /** The table of {@code bulk-load} that begins with the ratio of entries per second. */
    public static final String LOAD_FLATNESS = "Largest size against smallest";

    private static final String KEYS = "Lookups in one thread, warm";
    private static final String MERGES = "A full merge beside searches at a fixed rate";

    private final List<Report> reports;

    private TargetSummary(List<Report> reports) {
        this.reports = reports;
    }

    /**
     * @param reports of all benchmarks that were run; a target whose benchmark is not among them is not measured
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
        return new Report("targets", "The targets", machine, parameters, List.of(TargetFigure.table("Targets", "OpenLDAP", rows)),
                Map.of(), failures);
    }

    private List<ReportRow> rows() {
        List<ReportRow> rows = new ArrayList<>();
        reports.stream().filter(report -> report.benchmark().equals("openldap")).flatMap(report -> report.tables().stream())
                .forEach(table -> rows.addAll(table.rows()));
        add(rows, TargetFigure.LOAD_FLAT, last(LOAD_FLATNESS, 0));
        add(rows, TargetFigure.MERGE_P99, figure(MERGES, "p99 merge/idle"));
        add(rows, TargetFigure.VALUE_CPU, last(VALUE_RATIOS, 0));
        add(rows, TargetFigure.VALUE_BYTES, last(VALUE_RATIOS, 1));
        add(rows, TargetFigure.VALUE_MICROS,
                Math.max(last(VALUE_SIZES, 0), Math.max(last(VALUE_SIZES, 1), last(VALUE_SIZES, 2))));
        add(rows, TargetFigure.KEY_RATE, ofStore(1, Math::min));
        add(rows, TargetFigure.KEY_BYTES, ofStore(3, Math::max));
        add(rows, TargetFigure.INLINE_AVERAGE, figure(InlineReport.RATIOS, "average", InlineRow.SCOPED, "IDs", "on"));
        add(rows, TargetFigure.INLINE_P999, figure(InlineReport.RATIOS, "99.9 %", InlineRow.SCOPED, "IDs", "on"));
        return rows;
    }

    private static void add(List<ReportRow> rows, TargetFigure figure, double own) {
        rows.add(figure.row(Double.NaN, own));
    }

    private Stream<ReportTable> tables(String title) {
        return reports.stream().flatMap(report -> report.tables().stream()).filter(table -> table.title().equals(title));
    }

    private List<ReportRow> table(String title) {
        return tables(title).findFirst().map(ReportTable::rows).orElse(List.of());
    }

    /** Of the first row that has these labels, among others. */
    private double figure(String title, String head, String... labels) {
        return tables(title).filter(table -> table.figureNames().contains(head)).flatMap(table -> table.rows().stream()
                .filter(row -> row.labels().containsAll(List.of(labels)))
                .map(row -> row.figures().get(table.figureNames().indexOf(head)))).findFirst().orElse(Double.NaN);
    }

    /** Of the last row. */
    private double last(String title, int column) {
        List<ReportRow> rows = table(title);
        return rows.isEmpty() ? Double.NaN : rows.get(rows.size() - 1).figures().get(column);
    }

    private double ofStore(int column, DoubleBinaryOperator choice) {
        return table(KEYS).stream().filter(row -> row.labels().get(1).equals("the store"))
                .mapToDouble(row -> row.figures().get(column)).reduce(choice).orElse(Double.NaN);
    }
}
