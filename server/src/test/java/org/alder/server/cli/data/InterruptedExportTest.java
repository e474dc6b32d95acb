package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.server.cli.CommandRun;
import org.alder.server.cli.ServerProcess;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** Ctrl-C in the middle of an export: what it says, and what it leaves. */
public class InterruptedExportTest {
    /** Far more than a pipe holds, and long enough to be met in the middle. */
    private static final int USERS = 20_000;
    private static final int TRIES = 20;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path data;

    @Before
    public void load() {
        data = temporary.getRoot().toPath().resolve("data");
        Path users = temporary.getRoot().toPath().resolve("users.ldif");
        CommandRun.of("generate", "--entries", USERS, "--output", users).succeeds();
        CommandRun.of("import", "--data", data, users).succeeds();
    }

    private Process export(String... more) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("export", "--data", data.toString()));
        arguments.addAll(List.of(more));
        ProcessBuilder builder = ServerProcess.command(arguments).redirectError(errors().toFile());
        // Who runs the tests in the background may have the signal ignored, and so would the child.
        builder.command().addAll(0, List.of("env", "--default-signal=INT"));
        return builder.start();
    }

    private Path errors() {
        return temporary.getRoot().toPath().resolve("errors");
    }

    private static int interrupt(Process process) throws Exception {
        Await.end("kill", new ProcessBuilder("kill", "-INT", Long.toString(process.pid())).start());
        return Await.end("the export", process);
    }

    private String said() throws IOException {
        String text = Files.readString(errors());
        int at = text.indexOf("alder: ");
        assertEquals(text, at, text.lastIndexOf("alder: "));
        return at < 0 ? "" : text.substring(at).strip();
    }

    @Test
    public void whatAPipeHasGotIsNotAll() throws Exception {
        Process process = export();
        assertEquals('v', process.getInputStream().read());
        assertEquals(130, interrupt(process));
        assertEquals("alder: stopped before the end: what was written is not all", said());
    }

    @Test
    public void aFileIsAsItWas() throws Exception {
        Path folder = temporary.newFolder().toPath();
        Path file = folder.resolve("all.ldif");
        boolean inTime = false;
        for (int i = 0; i < TRIES && !inTime; i++) {
            Files.writeString(file, "before");
            Process process = export("--output", file.toString());
            Await.until("the export to begin", () -> Files.exists(folder.resolve("all.ldif.part")) || !process.isAlive());
            inTime = interrupt(process) == 130;
        }
        assertTrue("no interrupt came in time", inTime);
        assertEquals("alder: stopped before the end: " + file + " is as it was before", said());
        assertEquals("before", Files.readString(file));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(file), files.toList());
        }
    }
}
