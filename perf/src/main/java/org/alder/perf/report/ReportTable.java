package org.alder.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A table of figures, shown as text, HTML or JSON. Immutable.
 *
 * @param title what the table shows
 * @param labelNames heads of the labels, one for each label of a row
 * @param figureNames heads of the figures with their units, one for each figure of a row
 * @param referenceName head of the rows' references
 */
public record ReportTable(String title, List<String> labelNames, List<String> figureNames, String referenceName,
        List<ReportRow> rows) {
    /** @throws IllegalArgumentException if a row has another number of labels or figures than the heads say */
    public ReportTable {
        labelNames = List.copyOf(labelNames);
        figureNames = List.copyOf(figureNames);
        rows = List.copyOf(rows);
        for (ReportRow row : rows) {
            if (row.labels().size() != labelNames.size() || row.figures().size() != figureNames.size()) {
                throw new IllegalArgumentException("table " + title + ": the row " + row + " does not have " + labelNames.size()
                        + " labels and " + figureNames.size() + " figures");
            }
        }
    }

    /** With the figures of others as references. */
    public ReportTable(String title, List<String> labelNames, List<String> figureNames, List<ReportRow> rows) {
        this(title, labelNames, figureNames, "others", rows);
    }

    /** Columns aligned with blanks. */
    public String text() {
        List<List<String>> lines = cells();
        int[] widths = new int[lines.get(0).size()];
        for (List<String> line : lines) {
            for (int i = 0; i < widths.length; i++) {
                widths[i] = Math.max(widths[i], line.get(i).length());
            }
        }
        StringBuilder out = new StringBuilder(title).append('\n');
        for (List<String> line : lines) {
            StringBuilder text = new StringBuilder();
            for (int i = 0; i < widths.length; i++) {
                boolean left = !isFigure(i);
                text.append(String.format(Locale.ROOT, "%" + (left ? "-" : "") + Math.max(1, widths[i]) + "s  ", line.get(i)));
            }
            out.append(text.toString().stripTrailing()).append('\n');
        }
        return out.toString();
    }

    private boolean isFigure(int column) {
        return column >= labelNames.size() && column < labelNames.size() + figureNames.size();
    }

    /** The head and all rows; the last column is the reference, left out if no row has one. */
    private List<List<String>> cells() {
        boolean hasReference = rows.stream().anyMatch(row -> !row.reference().isEmpty());
        List<List<String>> lines = new ArrayList<>();
        List<String> head = new ArrayList<>(labelNames);
        head.addAll(figureNames);
        if (hasReference) {
            head.add(referenceName);
        }
        lines.add(head);
        for (ReportRow row : rows) {
            List<String> line = new ArrayList<>(row.labels());
            row.figures().forEach(figure -> line.add(figure(figure)));
            if (hasReference) {
                line.add(row.reference());
            }
            lines.add(line);
        }
        return lines;
    }

    /** Three digits or so; a dash where nothing was measured. */
    public static String figure(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        double size = Math.abs(value);
        int decimals = size >= 100 || value == Math.rint(value) ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
        return String.format(Locale.ROOT, size >= 10_000 ? "%,." + decimals + "f" : "%." + decimals + "f", value);
    }

    /** A table element. */
    String html() {
        StringBuilder out = new StringBuilder("<h3>").append(Markup.escape(title)).append("</h3>\n<table>\n");
        String cell = "th";
        for (List<String> line : cells()) {
            out.append("<tr>");
            for (int i = 0; i < line.size(); i++) {
                out.append('<').append(cell).append(isFigure(i) ? " class=\"figure\">" : ">").append(Markup.escape(line.get(i)))
                        .append("</").append(cell).append('>');
            }
            out.append("</tr>\n");
            cell = "td";
        }
        return out.append("</table>\n").toString();
    }

    Map<String, Object> json() {
        List<Object> lines = new ArrayList<>();
        for (ReportRow row : rows) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("labels", byName(labelNames, row.labels()));
            line.put("figures", byName(figureNames, row.figures()));
            if (!row.reference().isEmpty()) {
                line.put(referenceName, row.reference());
            }
            lines.add(line);
        }
        Map<String, Object> table = new LinkedHashMap<>();
        table.put("title", title);
        table.put("rows", lines);
        return table;
    }

    private static Map<String, Object> byName(List<String> names, List<?> values) {
        Map<String, Object> result = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            result.put(names.get(i), values.get(i));
        }
        return result;
    }
}
