package org.alder.server.clients;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A page of docs/clients. What stands in it between two fences, after a line with the name of a file in backticks and a colon, is
 * what the test of that page runs, so that page and test cannot part; only the port differs.
 */
final class Recipe {
    static final Path FOLDER = Path.of("..", "docs", "clients").toAbsolutePath().normalize();
    private static final String PORT = "10389";
    private static final String FENCE = "```";

    private final Path page;
    private final List<String> lines;

    /** @param name of the page without .md */
    Recipe(String name) throws IOException {
        page = FOLDER.resolve(name + ".md");
        lines = Files.readAllLines(page);
    }

    /** The text of the block with that file name, for a server on that port. */
    String block(String file, int port) {
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
        return String.join("\n", rest.subList(0, end)).replace(PORT, Integer.toString(port)) + "\n";
    }

    /** Writes the block into the folder, under the last part of its name. */
    Path write(String file, int port, Path folder) throws IOException {
        return Files.writeString(folder.resolve(Path.of(file).getFileName()), block(file, port));
    }
}
