package org.alder.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alder.partition.text.JsonReader;
import org.alder.partition.text.JsonText;
import org.alder.perf.process.Machine;

/**
 * What one benchmark found, to be shown as text, as JSON and as a part of an {@link HtmlReport}. Immutable.
 *
 * @param benchmark the verb's name
 * @param title what was measured, in a few words
 * @param parameters sizes, seeds and times, in the order they are shown
 * @param plots SVG documents by file name without suffix
 * @param notes how to read the figures: where others' come from, what could not be measured; a busy machine is added
 */
public record Report(String benchmark, String title, Machine machine, Map<String, String> parameters, List<ReportTable> tables,
        Map<String, String> plots, List<String> notes) {
    public Report {
        parameters = new LinkedHashMap<>(parameters);
        tables = List.copyOf(tables);
        plots = new LinkedHashMap<>(plots);
        notes = Stream.concat(Stream.of(machine.warning()).filter(warning -> !warning.isEmpty()), notes.stream()).toList();
    }

    /** Machine and sizes first, then the figures. */
    public String text() {
        StringBuilder out = new StringBuilder(title).append('\n').append(machine.line()).append('\n');
        out.append(parameterLine()).append("\n\n");
        for (ReportTable table : tables) {
            out.append(table.text()).append('\n');
        }
        notes.forEach(note -> out.append(note).append('\n'));
        return out.toString();
    }

    String parameterLine() {
        return String.join(", ", parameters.entrySet().stream().map(entry -> entry.getKey() + " " + entry.getValue()).toList());
    }

    public String json() {
        return Json.write(values());
    }

    /** The same on one line, without its end. */
    public String jsonLine() {
        return JsonText.of(JsonReader.parse(json()));
    }

    Map<String, Object> values() {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("benchmark", benchmark);
        result.put("title", title);
        result.put("machine", machine.line());
        result.put("commit", machine.alder());
        result.put("parameters", parameters);
        result.put("tables", new ArrayList<Object>(tables.stream().map(ReportTable::json).toList()));
        result.put("notes", notes);
        return result;
    }
}
