package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.server.resource.Holding;
import org.junit.Test;

/**
 * docs/limits.md says where each attack, and each kind of what is held for clients, is tested: there has to be such a test, and each
 * attack of {@link AttacksTest} has to be there.
 */
public class AttackTableTest {
    private static final Path PROJECT = Path.of("..");
    private static final Pattern TEST = Pattern.compile("`(\\w+Test)\\.(\\w+)`");

    private static List<String> rows(String heading) throws IOException {
        List<String> lines = Files.readAllLines(PROJECT.resolve("docs/limits.md"));
        int start = lines.indexOf(heading);
        assertTrue("no heading of the table", start > 0);
        return lines.subList(start, lines.size()).stream().dropWhile(line -> !line.startsWith("| ")).takeWhile(line -> line.startsWith("| "))
                .skip(2).toList();
    }

    private static Path source(String name) throws IOException {
        try (Stream<Path> files = Files.find(PROJECT, 20, (path, attributes) -> path.endsWith(name + ".java")
                && path.toString().contains("src/test/java"))) {
            return files.findFirst().orElseThrow(() -> new AssertionError("there is no " + name));
        }
    }

    /** The tests that a table names, of which each row has one and all are there. */
    private static List<String> tests(String heading) throws IOException {
        List<String> named = new ArrayList<>();
        for (String row : rows(heading)) {
            Matcher tests = TEST.matcher(row);
            int found = 0;
            while (tests.find()) {
                found++;
                named.add(tests.group(1) + "." + tests.group(2));
                assertTrue("there is no test " + tests.group(), Pattern.compile("@Test[^;{}]*(@[^;{}]*)?public void " + tests.group(2) + "\\(")
                        .matcher(Files.readString(source(tests.group(1)))).find());
            }
            assertTrue("no test in " + row, found > 0);
        }
        assertTrue("no rows below " + heading, named.size() > 10);
        return named;
    }

    @Test
    public void allThatIsHeldForClientsHasATest() throws IOException {
        tests("## What is held for clients");
        String figures = Files.readString(PROJECT.resolve("docs/monitor.md"));
        for (Holding each : Holding.values()) {
            assertTrue("docs/monitor.md lacks " + each.label(), figures.contains("`" + each.label() + "`"));
        }
    }

    @Test
    public void eachAttackHasATest() throws IOException {
        List<String> named = tests("## Attacks");
        Matcher attacks = Pattern.compile("@Test[^;{}]*public void (\\w+)\\(").matcher(Files.readString(source("AttacksTest")));
        List<String> missing = new ArrayList<>();
        while (attacks.find()) {
            if (!named.contains("AttacksTest." + attacks.group(1))) {
                missing.add(attacks.group(1));
            }
        }
        assertEquals("attacks that the table lacks", List.of(), missing);
    }
}
