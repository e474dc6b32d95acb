package org.alder.perf.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.alder.perf.process.Machine;

/** Several benchmarks' reports on one page that needs no other file, and as one JSON document. Immutable. */
public record HtmlReport(Machine machine, List<Report> reports) {
    private static final String STYLE = """
            body { font-family: sans-serif; margin: 2em auto; max-width: 75em; padding: 0 1em; color: #222; }
            table { border-collapse: collapse; margin-bottom: 1em; }
            th, td { border-bottom: 1px solid #ddd; padding: 0.25em 0.8em; text-align: left; font-size: 0.9em; }
            .figure { text-align: right; font-variant-numeric: tabular-nums; }
            .note { color: #555; font-size: 0.85em; max-width: 60em; }
            svg { max-width: 100%; height: auto; }
            """;

    public HtmlReport {
        reports = List.copyOf(reports);
    }

    public String html() {
        StringBuilder out = new StringBuilder("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                + "<title>Alder, measured</title>\n<style>\n").append(STYLE).append("</style>\n</head>\n<body>\n");
        out.append("<h1>Alder, measured</h1>\n<p>").append(Markup.escape(machine.line())).append("</p>\n<p>Commit ")
                .append(Markup.escape(machine.alder())).append("</p>\n<ul>\n");
        for (Report report : reports) {
            out.append("<li><a href=\"#").append(report.benchmark()).append("\">").append(report.benchmark()).append("</a>: ")
                    .append(Markup.escape(report.title())).append("</li>\n");
        }
        out.append("</ul>\n");
        reports.forEach(report -> section(out, report));
        return out.append("</body>\n</html>\n").toString();
    }

    private static void section(StringBuilder out, Report report) {
        out.append("<section id=\"").append(report.benchmark()).append("\">\n<h2>").append(Markup.escape(report.title()))
                .append("</h2>\n<p class=\"note\">bin/alder perf ")
                .append(report.benchmark().equals(TargetSummary.NAME) ? "all" : report.benchmark()).append(": ")
                .append(Markup.escape(report.parameterLine())).append("</p>\n");
        report.tables().forEach(table -> out.append(table.html()));
        report.plots().values().forEach(out::append);
        report.notes().forEach(note -> out.append("<p class=\"note\">").append(Markup.escape(note)).append("</p>\n"));
        out.append("</section>\n");
    }

    /** What {@link Comparison} takes. */
    public String json() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("machine", machine.line());
        result.put("commit", machine.alder());
        result.put("benchmarks", reports.stream().map(Report::values).toList());
        return Json.write(result);
    }
}
