package org.alder.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The links in README, docs and the other pages lead to files and headings that are there, and to every page from docs/README.md on. */
public class LinksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.*?) *");

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    /** The lines that are text: those of boxes are not, nor is what stands in backticks. */
    private static List<String> text(Path page) throws IOException {
        List<String> lines = new ArrayList<>();
        boolean inBox = false;
        for (String line : Files.readAllLines(page)) {
            boolean fence = line.startsWith("```");
            if (!fence && !inBox && !line.startsWith("    ")) {
                lines.add(line);
            }
            inBox ^= fence;
        }
        return lines;
    }

    private static List<String> links(Path page) throws IOException {
        List<String> links = new ArrayList<>();
        for (String line : text(page)) {
            Matcher link = LINK.matcher(line.replaceAll("`[^`]*`", ""));
            while (link.find()) {
                if (!ELSEWHERE.matcher(link.group(1)).matches()) {
                    links.add(link.group(1));
                }
            }
        }
        return links;
    }

    /** What a link calls each heading of a page, as the forges and the site make it of the heading's text. */
    private static Set<String> anchors(Path page) throws IOException {
        Set<String> anchors = new LinkedHashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : text(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT)
                        .replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-');
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + '-' + before);
            }
        }
        return anchors;
    }

    private static List<Path> pages(Path root) throws IOException {
        try (Stream<Path> top = Files.list(root); Stream<Path> docs = Files.walk(root.resolve("docs"))) {
            return Stream.concat(top, docs).filter(file -> file.toString().endsWith(".md")).sorted().toList();
        }
    }

    private static List<String> broken(Path root) throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : pages(root)) {
            for (String link : links(page)) {
                int hash = link.indexOf('#');
                String name = hash < 0 ? link : link.substring(0, hash);
                Path target = name.isEmpty() ? page : page.resolveSibling(name).normalize();
                if (!target.startsWith(root) || !Files.exists(target)) {
                    broken.add(root.relativize(page) + " leads to " + link + ", and there is no such file");
                } else if (hash >= 0 && !anchors(target).contains(link.substring(hash + 1))) {
                    broken.add(root.relativize(page) + " leads to " + link + ", and there is no such heading");
                }
            }
        }
        return broken;
    }

    @Test
    public void everyLinkLeadsToAFileAndAHeading() throws IOException {
        assertEquals("", String.join("\n", broken(ROOT)));
        int links = 0;
        for (Path page : pages(ROOT)) {
            links += links(page).size();
        }
        assertTrue(links + " links", links > 200);
    }

    /** Whoever begins at docs/README.md can get to every page. */
    @Test
    public void everyPageCanBeReached() throws IOException {
        Deque<Path> waiting = new ArrayDeque<>(List.of(ROOT.resolve("docs/README.md")));
        Set<Path> reached = new HashSet<>(waiting);
        while (!waiting.isEmpty()) {
            Path page = waiting.pop();
            for (String link : links(page)) {
                Path target = page.resolveSibling(link.replaceFirst("#.*", "")).normalize();
                if (target.toString().endsWith(".md") && Files.exists(target) && reached.add(target)) {
                    waiting.add(target);
                }
            }
        }
        Set<Path> forgotten = new TreeSet<>(pages(ROOT));
        forgotten.removeAll(reached);
        assertEquals("pages that no page leads to", Set.of(), forgotten);
    }

    @Test
    public void whatLeadsNowhereIsFound() throws IOException {
        Path root = temporary.getRoot().toPath().toRealPath();
        Files.createDirectories(root.resolve("docs"));
        Files.writeString(root.resolve("README.md"), "# Top\n\n[a](docs/a.md#one-two) [b](docs/b.md) [c](docs/a.md#three) [d](#top) [e](../x)"
                + " [f](https://example.com/) `[g](nowhere)`\n\n```\n[h](nowhere)\n# no heading\n```\n\n    [i](nowhere)\n\n[j](#no-heading)\n");
        Files.writeString(root.resolve("docs/a.md"), "# One, `two`!\n\n## Three\n\n## Three\n\n[k](../README.md) [l](#three-1) [m](#three-2)\n");
        assertEquals(List.of("README.md leads to docs/b.md, and there is no such file", "README.md leads to ../x, and there is no such file",
                "README.md leads to #no-heading, and there is no such heading", "docs/a.md leads to #three-2, and there is no such heading"),
                broken(root));
    }
}
