package org.alder.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.text.JsonReader;

/**
 * Two JSON reports side by side: each figure that both have, and the second divided by the first. Takes what {@link Report#json}
 * and {@link HtmlReport#json} write. Immutable.
 */
public final class Comparison {
    private final Map<String, Object> first;
    private final Map<String, Object> second;

    /** @throws IllegalArgumentException if a text is not such a report; the message says which and why */
    public Comparison(String first, String second) {
        this.first = report("the first report", first);
        this.second = report("the second report", second);
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> report(String which, String text) {
        try {
            if (JsonReader.parse(text) instanceof Map<?, ?> map && (map.containsKey("benchmarks") || map.containsKey("tables"))) {
                return (Map<String, Object>) map;
            }
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(which + ": " + e.getMessage(), e);
        }
        throw new IllegalArgumentException(which
                + " has neither \"benchmarks\" nor \"tables\": expected the JSON of perf --report");
    }

    /** The machines, then a line for each figure. */
    public String text() {
        Map<String, Double> before = figures(first);
        Map<String, Double> after = figures(second);
        List<ReportRow> rows = new ArrayList<>();
        before.forEach((name, figure) -> {
            if (after.containsKey(name)) {
                double other = after.get(name);
                rows.add(ReportRow.of(name, "", figure, other, figure == 0 ? Double.NaN : other / figure));
            }
        });
        long onlyFirst = before.keySet().stream().filter(name -> !after.containsKey(name)).count();
        long onlySecond = after.keySet().stream().filter(name -> !before.containsKey(name)).count();
        return "A: " + first.get("machine") + "\nB: " + second.get("machine") + "\n"
                + new ReportTable("", List.of("figure"), List.of("A", "B", "B/A"), rows).text()
                + rows.size() + " figures; " + onlyFirst + " only in A, " + onlySecond + " only in B\n";
    }

    /** By benchmark, labels and head. */
    private static Map<String, Double> figures(Map<String, Object> report) {
        Map<String, Double> result = new LinkedHashMap<>();
        List<?> benchmarks = report.get("benchmarks") instanceof List<?> list ? list : List.of(report);
        for (Object benchmark : benchmarks) {
            for (Object table : list(benchmark, "tables")) {
                for (Object row : list(table, "rows")) {
                    collect(result, value(benchmark, "benchmark") + " | " + String.join(" | ", labels(row)), row);
                }
            }
        }
        return result;
    }

    private static void collect(Map<String, Double> result, String name, Object row) {
        if (value(row, "figures") instanceof Map<?, ?> figures) {
            figures.forEach((head, figure) -> {
                if (figure instanceof Double number) {
                    result.put(name + " | " + head, number);
                }
            });
        }
    }

    private static List<String> labels(Object row) {
        return value(row, "labels") instanceof Map<?, ?> map ? map.values().stream().map(String::valueOf).toList() : List.of();
    }

    private static List<?> list(Object parent, String name) {
        return value(parent, name) instanceof List<?> list ? list : List.of();
    }

    private static Object value(Object parent, String name) {
        return parent instanceof Map<?, ?> map ? map.get(name) : null;
    }
}
