package org.alder.perf;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertTrue;

import com.tngtech.archunit.core.domain.JavaAnnotation;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.Ignore;
import org.junit.Test;

/**
 * Holds docs/conformance.md against the annotations {@code @Requirement} of all tests. It comes last in the build, so it also
 * looks into the reports whether these tests have run and passed.
 */
public class ConformanceTest {
    private static final Path PAGE = Path.of("..", "docs", "conformance.md");
    private static final Path UNMET = Path.of("src", "test", "resources", "unmet-requirements.txt");
    private static final List<String> MODULES = List.of("partition", "partition-jdbm", "ldif-tools", "server");
    private static final String REQUIREMENT = "org.alder.partition.testing.Requirement";
    private static final Pattern FAULT = Pattern.compile("<(failure|error|skipped)\\b");

    /** @param method of the test that shows it, null where the requirement is not met for the reason given */
    private record Row(int rfc, String section, String text, String module, JavaMethod method, String reason) {
        String test() {
            return method == null ? "" : method.getOwner().getSimpleName() + "." + method.getName();
        }

        String cells() {
            return "| " + section + " | " + text.replace("|", "\\|") + " | " + (method == null ? "" : "`" + test() + "`") + " | "
                    + (method == null ? "**not met**: " + reason : "passes") + " |\n";
        }
    }

    private static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String module : MODULES) {
            Path classes = Path.of("..", module, "target", "test-classes");
            assertTrue(classes + " is missing: run mvn with -am", Files.isDirectory(classes));
            for (JavaClass type : new ClassFileImporter().importPath(classes)) {
                type.getMethods().forEach(method -> addRows(module, method, rows));
            }
        }
        rows.addAll(unmet());
        rows.sort(Comparator.comparingInt(Row::rfc).thenComparing(row -> sortable(row.section)).thenComparing(Row::text)
                .thenComparing(Row::test));
        return rows;
    }

    private static List<Row> unmet() {
        try {
            return Files.readAllLines(UNMET).stream().filter(line -> !line.isBlank() && !line.startsWith("#")).map(line -> {
                String[] parts = line.split(" \\| ");
                assertEquals(UNMET + ": expected RFC | section | requirement | why, found " + line, 4, parts.length);
                return new Row(Integer.parseInt(parts[0]), parts[1], parts[2], "", null, parts[3]);
            }).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void addRows(String module, JavaMethod method, List<Row> rows) {
        for (JavaAnnotation<?> annotation : method.getAnnotations()) {
            if (annotation.getRawType().getName().equals(REQUIREMENT)) {
                rows.add(row(module, method, annotation));
            } else if (annotation.getRawType().getName().equals(REQUIREMENT + "s")) {
                Arrays.stream((JavaAnnotation<?>[]) annotation.get("value").orElseThrow())
                        .forEach(each -> rows.add(row(module, method, each)));
            }
        }
    }

    private static Row row(String module, JavaMethod method, JavaAnnotation<?> annotation) {
        assertTrue(method.getFullName() + " is no test", method.isAnnotatedWith(Test.class));
        assertFalse(method.getFullName() + " is not run: what it should show belongs into " + UNMET,
                method.isAnnotatedWith(Ignore.class));
        return new Row((int) annotation.get("rfc").orElseThrow(), (String) annotation.get("section").orElseThrow(),
                (String) annotation.get("text").orElseThrow(), module, method, "");
    }

    /** 4.10 comes after 4.9. */
    private static String sortable(String section) {
        return Pattern.compile("\\d+").matcher(section)
                .replaceAll(number -> String.format(Locale.ROOT, "%03d", Integer.parseInt(number.group())));
    }

    private static String page(List<Row> rows) {
        StringBuilder page = new StringBuilder("""
                # Conformance

                What the RFCs require, and the test that shows that Alder does it. Most tests talk to the server through the network, with a client that
                was not written for Alder. A row says no more than its words: that this requirement is tested, not that the RFC has no other.

                """);
        Map<Integer, List<Row>> byRfc = rows.stream().collect(Collectors.groupingBy(Row::rfc, TreeMap::new, Collectors.toList()));
        List<Row> unmet = rows.stream().filter(row -> row.method == null).toList();
        page.append(rows.size() - unmet.size()).append(" requirements of ").append(byRfc.size()).append(" RFCs are shown by tests; ").append(unmet.size())
                .append(unmet.size() == 1 ? " is" : " are").append("""
                         known not to be met.

                        ## Not met

                        | RFC | section | requirement | what is missing |
                        | --- | --- | --- | --- |
                        """);
        unmet.forEach(row -> page.append("| ").append(row.rfc).append(" | ").append(row.section).append(" | ").append(row.text).append(" | ")
                .append(row.reason).append(" |\n"));
        page.append("""

                There is no replication between several servers that all take updates: a copy [follows](following.md) one server.

                ## How this page is made

                From the annotations `@Requirement` of the tests. The build fails where the page differs from them (`ConformanceTest`), and where one of the
                tests fails. What is not met is listed in `perf/src/test/resources/unmet-requirements.txt`. To write the page again:

                    mvn -pl perf -am test -Dtest=ConformanceTest -Dsurefire.failIfNoSpecifiedTests=false \\
                        -Dalder.test.args=-Dalder.conformance.write=true
                """);
        byRfc.forEach((rfc, each) -> {
            page.append("\n## RFC ").append(rfc)
                    .append("\n\n| section | requirement | test | result |\n| --- | --- | --- | --- |\n");
            each.forEach(row -> page.append(row.cells()));
        });
        return page.toString();
    }

    @Test
    public void thePageIsWhatTheTestsSay() throws IOException {
        String page = page(rows());
        if (Boolean.getBoolean("alder.conformance.write")) {
            Files.writeString(PAGE, page);
        }
        assertEquals(PAGE + " is not what the annotations of the tests say; the page tells how to make it anew",
                Files.readString(PAGE), page);
    }

    /** Where the whole build runs, each test must be in the reports; where part of it does, those that are must have passed. */
    @Test
    public void theTestsHavePassed() throws IOException {
        TreeSet<String> wrong = new TreeSet<>();
        for (Row row : rows().stream().filter(row -> row.method != null).toList()) {
            Path report = Path.of("..", row.module, "target", "surefire-reports",
                    "TEST-" + row.method.getOwner().getName() + ".xml");
            String verdict = Files.exists(report) ? verdict(Files.readString(report), row.method.getName()) : "has no report";
            boolean missing = verdict.startsWith("has no");
            if (!verdict.equals("passed") && (!missing || "true".equals(System.getenv("CI")))) {
                wrong.add(row.test() + " " + verdict);
            }
        }
        assertTrue("tests behind docs/conformance.md that did not pass: " + wrong, wrong.isEmpty());
    }

    /** A parameterized test has a case for each of its parameters, and has passed where all have. */
    private static String verdict(String report, String test) {
        Matcher start = Pattern.compile("<testcase name=\"" + Pattern.quote(test) + "(?:\\[[^\"]*)?\"[^>]*?(/?)>")
                .matcher(report);
        String verdict = "has no result";
        while (start.find()) {
            verdict = "passed";
            if (start.group(1).isEmpty()) {
                Matcher fault = FAULT.matcher(report.substring(start.end(), report.indexOf("</testcase>", start.end())));
                if (fault.find()) {
                    return "ended with " + fault.group(1);
                }
            }
        }
        return verdict;
    }
}
