package org.alder.perf.server;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ChildJava;
import org.alder.partition.text.JsonReader;
import org.alder.server.cli.Alder;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The benchmark of backups with few entries: that it comes to its end, with all of its lines; and what is left if it is stopped before. */
public class BackupTimesTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path file(String name) {
        return temporary.getRoot().toPath().resolve(name);
    }

    private Process start(Object... more) throws Exception {
        List<String> command = ChildJava.command("-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dalder.home=..", "-Dlogback.configurationFile=../conf/logback-test.xml");
        command.addAll(List.of(Alder.class.getName(), "perf", "backup", "--work", file("work").toString(), "--report", file("report").toString()));
        List.of(more).forEach(each -> command.add(each.toString()));
        // Who runs the tests in the background may have the signal ignored, and so would the child.
        command.addAll(0, List.of("env", "--default-signal=INT"));
        return new ProcessBuilder(command).redirectOutput(file("out").toFile()).redirectError(file("err").toFile()).start();
    }

    private static List<Path> children(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    public void fewEntries() throws Exception {
        int status = Await.end("the benchmark", start("--entries", 200, "--changed", 5, "--rate", 50, "--seconds", 0.2, "--json"));
        assertEquals(Files.readString(file("err")), 0, status);
        String text = Files.readString(file("report").resolve("backup.txt"));
        for (String line : List.of("none", "first", "10 entries changed", "these merged (compact)", "backup verify", "restore", "start, to the first answer")) {
            assertTrue(text, text.lines().anyMatch(each -> each.startsWith(line)));
        }
        Map<?, ?> report = (Map<?, ?>) JsonReader.parse(Files.readString(file("report").resolve("backup.json")));
        assertTrue(report.toString(), report.toString().contains("10 entries changed"));
        String line = Files.readString(file("out"));
        assertEquals(line, 1, line.lines().count());
        assertEquals(report, JsonReader.parse(line));
        assertEquals("nothing is left", List.of(), children(file("work")));
    }

    @Test
    public void interruptedItSaysWhatIsNotThereAndLeavesNothing() throws Exception {
        Process process = start("--entries", 200, "--seconds", 3000);
        Await.until("searches without a backup", () -> Files.readString(file("err")).contains("searches without a backup") || !process.isAlive());
        List<ProcessHandle> servers = process.descendants().toList();
        assertEquals(Files.readString(file("err")), 1, servers.size());
        assertEquals(0, Await.end("kill", new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).inheritIO().start()));
        assertEquals("as SIGINT ends programs", 130, Await.end("the benchmark", process));
        String said = Files.readString(file("err"));
        String last = said.substring(Math.max(0, said.lastIndexOf("alder: ")));
        assertTrue(said, last.startsWith("alder: stopped before the end: no figure was printed, and no report written; " + file("work")));
        assertTrue(said, last.endsWith(", the folder of its data, is removed\n"));
        assertEquals(said, said.indexOf("alder: "), said.lastIndexOf("alder: "));
        assertEquals("", Files.readString(file("out")));
        assertTrue("no report", Files.notExists(file("report")));
        assertEquals("nothing is left", List.of(), children(file("work")));
        assertTrue("no server goes on", servers.stream().noneMatch(ProcessHandle::isAlive));
    }
}
