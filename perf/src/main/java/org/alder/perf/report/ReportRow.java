package org.alder.perf.report;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * One line of a {@link ReportTable}. Immutable.
 *
 * @param labels what was measured; together they name the line, in this report and in another one to compare with
 * @param figures what came out, one for each of the table's columns; NaN where nothing was measured
 * @param reference what others reached, as text; empty if nothing is known
 */
public record ReportRow(List<String> labels, List<Double> figures, String reference) {
    public ReportRow {
        labels = List.copyOf(labels);
        figures = Collections.unmodifiableList(new ArrayList<>(figures));
    }

    /** A line with one label. */
    public static ReportRow of(String label, String reference, double... figures) {
        return new ReportRow(List.of(label), boxed(figures), reference);
    }

    public static List<Double> boxed(double... figures) {
        List<Double> result = new ArrayList<>();
        for (double figure : figures) {
            result.add(figure);
        }
        return result;
    }
}
