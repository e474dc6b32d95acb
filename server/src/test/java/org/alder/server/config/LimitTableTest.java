package org.alder.server.config;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Test;

/**
 * The table of limits in docs/limits.md: each key is one, with the default that the table of keys says, and the test that is named goes
 * beyond it and reads the key in the refusal.
 */
public class LimitTableTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern ROW = Pattern.compile("\\| `(\\w+)` \\| (.+?) \\| (.+?) \\| `(\\w+)\\.(\\w+)` \\|");
    private static final int LEAST_ROWS = 30;

    private static List<String> rows() throws IOException {
        List<String> lines = Files.readAllLines(PROJECT.resolve("docs/limits.md"));
        int start = lines.indexOf("| key | default | beyond it | test |");
        assertTrue("no head of the table", start > 0);
        return lines.subList(start + 2, lines.size()).stream().takeWhile(line -> !line.isEmpty()).toList();
    }

    /** The text of a test's method. */
    private static String method(String name, String method) throws IOException {
        try (Stream<Path> files = Files.find(PROJECT, 20, (path, attributes) -> path.endsWith(name + ".java")
                && path.toString().contains("src/test/java"))) {
            String source = Files.readString(files.findFirst().orElseThrow(() -> new AssertionError("there is no " + name)));
            Matcher body = Pattern.compile("@Test[^;{}]*(@[^;{}]*)?public void " + method + "\\(.*?\n    }\n", Pattern.DOTALL).matcher(source);
            assertTrue("there is no test " + name + "." + method, body.find());
            return body.group();
        }
    }

    @Test
    public void eachLimitIsAKeyWithItsDefaultAndHasATestThatReadsTheRefusal() throws IOException {
        Map<String, Key<?>> keys = new HashMap<>();
        Stream.concat(ServerKeys.all().stream(), PartitionKeys.all().stream()).forEach(key -> keys.put(key.name(), key));
        for (String line : rows()) {
            Matcher row = ROW.matcher(line);
            assertTrue("not a row of key, default, what is beyond it and a test: " + line, row.matches());
            Key<?> key = keys.remove(row.group(1));
            assertTrue("no key, or a second time: " + line, key != null);
            assertEquals(line, key.defaults(), List.of(row.group(2).split("[:;,]", 2)[0]));
            String test = method(row.group(4), row.group(5));
            assertTrue("the test does not read the key in the refusal: " + line,
                    row.group(3).contains("without a word") || Pattern.compile("\"[^\"\n]*\\b" + key + "\\b").matcher(test).find());
        }
        assertTrue("few rows: " + rows().size(), rows().size() > LEAST_ROWS);
        assertEquals("limits that the table lacks", List.of(), keys.keySet().stream().filter(name -> name.startsWith("max")
                || name.endsWith("Limit") || name.endsWith("Queue")).sorted().toList());
    }
}
