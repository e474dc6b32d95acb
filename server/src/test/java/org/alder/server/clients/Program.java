package org.alder.server.clients;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;
import static org.junit.Assert.fail;
import static org.junit.Assume.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.alder.partition.testing.Await;

/** Runs clients as processes, and skips the tests of those that are not installed. */
public final class Program {
    private Program() {
    }

    /** What a process that has ended said on both outputs. */
    record Outcome(int status, String output) {
        /** @return what it said */
        String succeeds() {
            assertEquals(output, 0, status);
            return output;
        }

        /** Any status but 0, and a message with this text. */
        void failsWith(String text) {
            assertTrue(output, status != 0 && output.contains(text));
        }
    }

    /** Skips the test, with a notice, where the client is missing; with CI=true, where everything must be, the test fails. */
    public static void require(boolean installed, String notice) {
        if (!installed) {
            if ("true".equals(System.getenv("CI"))) {
                fail(notice);
            }
            System.out.println("skipped: " + notice);
        }
        assumeTrue(notice, installed);
    }

    /** Skips the test where the machine lacks something that no package brings, such as a privilege. */
    static void assumePossible(boolean possible, String notice) {
        if (!possible) {
            System.out.println("skipped: " + notice);
        }
        assumeTrue(notice, possible);
    }

    /** Whether a program of that name is found on the PATH, or is there, if the name is absolute. */
    public static boolean isOnPath(String name) {
        return Path.of(name).isAbsolute() ? Files.isExecutable(Path.of(name))
                : Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, name)));
    }

    static Outcome run(List<String> command) throws IOException, InterruptedException {
        return run(command, Map.of(), "", Path.of("."));
    }

    /**
     * @param environment on top of this process's
     * @param input what the program reads from its standard input
     * @param folder where it runs
     */
    static Outcome run(List<String> command, Map<String, String> environment, String input, Path folder)
            throws IOException, InterruptedException {
        Path output = Files.createTempFile("client", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
            builder.redirectOutput(output.toFile()).directory(folder.toFile());
            builder.environment().put("LDAPNOINIT", "1");
            builder.environment().put("LC_ALL", "C.UTF-8");
            builder.environment().putAll(environment);
            Process process = builder.start();
            try (var stdin = process.outputWriter(StandardCharsets.UTF_8)) {
                stdin.write(input);
            }
            boolean ended = process.waitFor(Await.SECONDS, TimeUnit.SECONDS);
            process.destroyForcibly();
            assertTrue(command + " does not end: " + Files.readString(output), ended);
            return new Outcome(process.exitValue(), Files.readString(output));
        } finally {
            Files.delete(output);
        }
    }
}
