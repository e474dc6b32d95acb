package org.alder.server.cli.data;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.alder.server.cli.CommandRun;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public class OutputFileTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private static void write(OutputFile file, String text) throws IOException {
        try (OutputStream out = file.open()) {
            out.write(text.getBytes(StandardCharsets.UTF_8));
        }
    }

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(temporary.getRoot().toPath())) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    public void whatIsNotWholeDoesNotReplaceWhatWasThere() throws IOException {
        Path target = Files.writeString(temporary.getRoot().toPath().resolve("all.ldif"), "before");
        OutputFile stopped = OutputFile.of(target);
        write(stopped, "half");
        assertEquals("before", Files.readString(target));
        assertTrue(stopped.discard().endsWith("all.ldif is as it was before"));
        assertEquals(List.of("all.ldif"), names());
        OutputFile done = OutputFile.of(target);
        write(done, "after");
        done.complete();
        done.discard();
        assertEquals("after", Files.readString(target));
        assertEquals(List.of("all.ldif"), names());
    }

    @Test
    public void aLinkStaysOneAndADeviceIsWrittenAsItIs() throws IOException {
        Path target = Files.writeString(temporary.getRoot().toPath().resolve("all.ldif"), "before");
        Path link = Files.createSymbolicLink(temporary.getRoot().toPath().resolve("link.ldif"), target);
        OutputFile file = OutputFile.of(link);
        write(file, "after");
        file.complete();
        assertTrue(Files.isSymbolicLink(link));
        assertEquals("after", Files.readString(target));
        OutputFile device = OutputFile.of(Path.of("/dev/null"));
        write(device, "nothing");
        device.complete();
        assertEquals("what was written is not all", device.discard());
    }

    @Test
    public void aFailedExportLeavesNoFile() throws IOException {
        Path none = temporary.getRoot().toPath().resolve("none");
        CommandRun.of("export", "--data", none, "--output", temporary.getRoot().toPath().resolve("all.ldif")).fails(1, "");
        assertEquals(List.of(), names());
        Path elsewhere = temporary.getRoot().toPath().resolve("nowhere");
        String said = CommandRun.of("export", "--data", none, "--output", elsewhere.resolve("all.ldif")).fails(1, "no such file or folder: " + elsewhere).err();
        assertTrue("the folder is what is missing: " + said, !said.contains("all.ldif"));
    }
}
