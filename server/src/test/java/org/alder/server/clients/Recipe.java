package org.alder.server.clients;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A page of docs/clients. What stands in it between two fences, after a line with the name of a file in backticks and a colon, is
 * what the test of that page runs, so that page and test cannot part; only ports, the file of the certificate and the time
 * that clients wait for a connection or an answer differ.
 */
final class Recipe {
    static final Path FOLDER = Path.of("..", "docs", "clients").toAbsolutePath().normalize();
    private static final String FENCE = "```";

    private final Path page;
    private final List<String> lines;
    private final Map<String, String> replaced = new LinkedHashMap<>();

    /** @param name of the page without .md */
    Recipe(String name) throws IOException {
        page = FOLDER.resolve(name + ".md");
        lines = Files.readAllLines(page);
    }

    /** Blocks have another text where they have this one. Returns this. */
    Recipe with(String text, Object another) {
        replaced.put(text, another.toString());
        return this;
    }

    /** The text of the block with that file name. */
    String block(String file) {
        String title = "`" + file + "`:";
        int at = 0;
        while (at < lines.size() && !lines.get(at).endsWith(title)) {
            at++;
        }
        int from = at + 1;
        while (from < lines.size() && lines.get(from).isEmpty()) {
            from++;
        }
        assertTrue(page + " has no block after a line that ends in " + title,
                from < lines.size() && lines.get(from).startsWith(FENCE));
        List<String> rest = lines.subList(from + 1, lines.size());
        int end = rest.indexOf(FENCE);
        assertTrue(page + ": the block " + file + " has no end", end > 0);
        String block = String.join("\n", rest.subList(0, end)) + "\n";
        for (Map.Entry<String, String> each : replaced.entrySet()) {
            block = block.replace(each.getKey(), each.getValue());
        }
        return block;
    }

    /** Writes the block into the folder, under the last part of its name. */
    Path write(String file, Path folder) throws IOException {
        return Files.writeString(folder.resolve(Path.of(file).getFileName()), block(file));
    }
}
