package org.alder.server.http;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Prometheus' text format 0.0.4, read as strictly as it is written down: a type and a help before the samples of each metric, all of its
 * samples together and none twice, and histograms that add up.
 */
final class TextFormat {
    private static final Pattern SAMPLE = Pattern.compile("([a-zA-Z_:][a-zA-Z0-9_:]*)(\\{.*})? (NaN|[+-]?Inf|[+-]?[0-9.]+(?:E[+-]?[0-9]+)?)");
    private static final Pattern LABEL = Pattern.compile("([a-zA-Z_][a-zA-Z0-9_]*)=\"((?:[^\"\\\\\n]|\\\\[\\\\\"n])*)\"(?:,|$)");

    /** Types by names. */
    private final Map<String, String> types = new LinkedHashMap<>();
    /** Values by names with labels. */
    private final Map<String, Double> samples = new LinkedHashMap<>();
    private String current = "";
    private String helped = "";

    static TextFormat read(String text) {
        assertTrue("the last line ends", text.endsWith("\n"));
        assertFalse(text.contains("\r"));
        TextFormat read = new TextFormat();
        text.lines().forEach(read::line);
        read.checkHistograms();
        return read;
    }

    private void line(String line) {
        if (line.startsWith("# HELP ")) {
            String[] words = line.split(" ", 4);
            assertFalse(line, words[3].isBlank());
            helped = words[2];
        } else if (line.startsWith("# TYPE ")) {
            String[] words = line.split(" ");
            current = words[2];
            assertEquals("a help before the type", current, helped);
            assertNull("twice: " + line, types.put(current, words[3]));
            assertTrue(line, words[3].matches("counter|gauge|histogram"));
        } else {
            sample(line);
        }
    }

    private void sample(String line) {
        Matcher matcher = SAMPLE.matcher(line);
        assertTrue(line, matcher.matches());
        String name = matcher.group(1);
        boolean isHistogram = "histogram".equals(types.get(current));
        assertTrue(line + " below " + current, isHistogram ? name.matches(Pattern.quote(current) + "_(bucket|sum|count)") : name.equals(current));
        if (matcher.group(2) != null) {
            String labels = matcher.group(2).substring(1, matcher.group(2).length() - 1);
            Matcher label = LABEL.matcher(labels);
            int end = 0;
            while (label.find()) {
                assertEquals(line, end, label.start());
                end = label.end();
            }
            assertEquals(line, labels.length(), end);
        }
        String value = matcher.group(3);
        double number = value.endsWith("Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(value);
        assertNull("twice: " + line, samples.put(name + (matcher.group(2) == null ? "" : matcher.group(2)), number));
    }

    private void checkHistograms() {
        Map<String, Double> last = new TreeMap<>();
        samples.forEach((name, value) -> {
            if (name.contains("_bucket{")) {
                String series = name.replaceAll(",?le=\"[^\"]*\"", "").replace("_bucket", "_count");
                assertTrue("buckets are cumulative: " + name, value >= last.getOrDefault(series, 0.0));
                last.put(series, value);
                if (name.contains("le=\"+Inf\"")) {
                    assertEquals(series, samples.get(series), value);
                }
            }
        });
        last.keySet().forEach(series -> assertNotNull(series, samples.get(series)));
    }

    Map<String, String> types() {
        return types;
    }

    /** Of all names, with labels as they are written. */
    Map<String, Double> samples() {
        return samples;
    }
}
