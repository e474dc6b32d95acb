package org.alder.server.page;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What stands between two fences of a page. The word behind the first one says what it is:
 * <ul>
 * <li>{@code sh}: commands, to be run one after the other;</li>
 * <li>{@code text}: what the commands of the box above print, where ... stands for anything;</li>
 * <li>{@code ldif}: entries that the administrator adds, and changes that he makes;</li>
 * <li>{@code conf}: lines of a configuration;</li>
 * <li>anything else: not for this program, and so not run.</li>
 * </ul>
 * A comment above it, which readers do not see, says what is different: {@code <!-- not run: REASON -->}, or {@code <!-- ends with 1 -->}
 * of commands that fail.
 *
 * @param line of the page that has the first fence
 * @param reason why it is not run; null where it is
 * @param status with which its commands end
 * @param printed what they print, as the page has it; null if the page does not say
 */
record Box(Path page, int line, String language, String text, String reason, int status, String printed) {
    static final Path DOCS = Path.of("..", "docs").toAbsolutePath().normalize();

    private static final String FENCE = "```";
    private static final Set<String> TRIED = Set.of("sh", "ldif", "conf");
    private static final Pattern NOT_RUN = Pattern.compile("<!-- not run: (.+) -->");
    private static final Pattern ENDS_WITH = Pattern.compile("<!-- ends with (\\d+) -->");

    /** Those of a page, in their order. @param name such as backup.md */
    static List<Box> of(String name) throws IOException {
        Path page = DOCS.resolve(name);
        List<String> lines = Files.readAllLines(page);
        List<Box> boxes = new ArrayList<>();
        String above = "";
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.startsWith(FENCE)) {
                int end = lines.subList(i + 1, lines.size()).indexOf(FENCE);
                assertTrue(page + ":" + (i + 1) + ": the box has no end", end > 0);
                add(boxes, page, i + 1, above, line.substring(FENCE.length()), String.join("\n", lines.subList(i + 1, i + 1 + end)) + "\n");
                i += end + 1;
                above = "";
            } else if (!line.isBlank()) {
                above = line;
            }
        }
        return boxes;
    }

    private static void add(List<Box> boxes, Path page, int line, String above, String language, String text) {
        Matcher reason = NOT_RUN.matcher(above);
        if (language.equals("text") && !reason.matches()) {
            Box printing = boxes.isEmpty() ? null : boxes.get(boxes.size() - 1);
            assertTrue(page + ":" + line + ": no commands above print this", printing != null && printing.language.equals("sh") && printing.printed == null);
            boxes.set(boxes.size() - 1, new Box(page, printing.line, printing.language, printing.text, printing.reason, printing.status, text));
            return;
        }
        Matcher status = ENDS_WITH.matcher(above);
        Box box = new Box(page, line, language, text, reason.matches() ? reason.group(1) : null, status.matches() ? Integer.parseInt(status.group(1)) : 0, null);
        assertTrue(box + ": what is in this box? It is not run, and no comment above it says why: <!-- not run: REASON -->",
                box.reason != null || TRIED.contains(language));
        boxes.add(box);
    }

    boolean isRun() {
        return reason == null;
    }

    /** Where it stands. */
    @Override
    public String toString() {
        return "docs/" + DOCS.relativize(page) + ":" + line;
    }
}
