package org.alder.server.cli;

import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.alder.partition.error.ResultCode;
import org.junit.Test;

/** The messages that docs/troubleshooting.md explains are those of the program. */
public class TroubleshootingPageTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Pattern QUOTED = Pattern.compile("`([^`]+)`");
    /** What clients and the system say, and names of things. */
    private static final Set<String> OF_OTHERS = Set.of("Address already in use", "Can't contact LDAP server (-1)", "Connect error (-11)", "TLS: can't connect",
            "OutOfMemoryError", "/readyz", "memberOf", "userPassword", "halted");
    private static final Pattern RESULT = Pattern.compile("result (\\d+) \\((\\w+)\\)");

    /** Every source of the program, with texts in one piece that were broken into several lines. */
    private static String sources() throws IOException {
        StringBuilder all = new StringBuilder(Files.readString(ROOT.resolve("bin/alder")) + Files.readString(ROOT.resolve("bin/launch.sh")));
        List<Path> modules;
        try (Stream<Path> folders = Files.list(ROOT)) {
            modules = folders.map(folder -> folder.resolve("src/main/java")).filter(Files::isDirectory).toList();
        }
        for (Path module : modules) {
            try (Stream<Path> files = Files.walk(module)) {
                for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                    all.append(Files.readString(file));
                }
            }
        }
        return all.toString().replaceAll("\"\\s*\\+\\s*\"", "").replace("\\\"", "\"");
    }

    @Test
    public void everyMessageIsOneOfTheProgram() throws IOException {
        String sources = sources();
        int messages = 0;
        for (String line : Files.readAllLines(ROOT.resolve("docs/troubleshooting.md"))) {
            String first = line.startsWith("| ") ? line.substring(2, line.indexOf(" | ", 2) < 0 ? 2 : line.indexOf(" | ", 2)) : "";
            Matcher quoted = QUOTED.matcher(first);
            while (quoted.find()) {
                Matcher result = RESULT.matcher(quoted.group(1));
                if (result.matches()) {
                    assertTrue(line, Stream.of(ResultCode.values()).anyMatch(code -> code.number() == Integer.parseInt(result.group(1))
                            && code.text().equals(result.group(2))));
                } else {
                    for (String piece : quoted.group(1).split("\\.\\.\\.")) {
                        boolean ofOthers = OF_OTHERS.contains(piece.strip()) || piece.strip().length() < 3;
                        assertTrue("no source says \"" + piece + "\": " + line, ofOthers || sources.contains(piece.strip()));
                    }
                }
                messages++;
            }
        }
        assertTrue(messages + " messages", messages > 60);
    }
}
