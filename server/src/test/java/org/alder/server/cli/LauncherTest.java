package org.alder.server.cli;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assume.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import org.alder.partition.testing.Await;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** bin/alder with a program in place of Java that says what it is called with. */
public class LauncherTest {
    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Path executable(String name, String text) throws IOException {
        Path file = temporary.getRoot().toPath().resolve(name);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    @Test
    public void aServiceWithoutAHomeRunsTheBuildThatIsThere() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/bin/bash")));
        Path root = temporary.getRoot().toPath();
        Path launcher = executable("bin/alder", Files.readString(Path.of("../bin/alder")));
        executable("jdk/bin/java", "#!/bin/sh\n[ \"$2\" = -version ] && echo java.specification.version = 17 || echo started \"$@\"\n");
        Path built = executable("distribution/target/alder/built", "");
        Files.setLastModifiedTime(built, FileTime.fromMillis(1_000_000));
        executable("pom.xml", "");
        executable("perf/pom.xml", "");
        executable("perf/src/main/a", "");
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "start", "--port", "0");
        builder.environment().put("JAVA_HOME", root.resolve("jdk").toString());
        builder.environment().put("HOME", root.resolve("none").toString());
        Process process = builder.redirectOutput(root.resolve("out").toFile()).redirectError(root.resolve("err").toFile()).start();
        int status = Await.end("the launcher", process);
        String errors = Files.readString(root.resolve("err"));
        assertEquals(errors, 0, status);
        assertTrue(errors, errors.contains("running the build that is there"));
        String out = Files.readString(root.resolve("out"));
        assertTrue(out, out.startsWith("started ") && out.contains("org.alder.server.cli.Alder start --port 0"));
    }
}
