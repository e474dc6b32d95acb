package org.alder.fuzz;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.alder.partition.testing.Await;
import org.alder.partition.testing.ChildJava;
import org.alder.partition.testing.Seed;
import org.junit.Test;

/**
 * Runs all targets: with their seeds, and with what a coverage-guided fuzzer makes of these in a JVM of its own. The system property
 * {@code alder.fuzz.executions} says how often, {@value Fuzzer#TARGET} with which target instead of all, {@code alder.fuzz.corpus} in
 * which folder the corpus is, from which the next run goes on, instead of {@code target/corpus}. What is found is in
 * {@code target/found}.
 */
public class FuzzTest {
    private static final long EXECUTIONS = Long.getLong("alder.fuzz.executions", 15_000);
    private static final String TARGET = System.getProperty(Fuzzer.TARGET);
    /** Far beyond what any takes on a busy machine. */
    private static final int INPUT_SECONDS = Await.SECONDS;
    private static final Path OUTPUT = Path.of("target");
    private static final Path CORPUS = Path.of(System.getProperty("alder.fuzz.corpus", OUTPUT.resolve("corpus").toString()));

    /**
     * What Jazzer looks for in other programs: its libraries are searched for all of it at each start. Regular expressions that are made of input
     * are here those of constraints and of rules for identities, which are the administrator's own.
     */
    private static final List<String> NOT_HERE = Stream.of("BigDecimal", "ClojureLangHooks", "ExpressionLanguageInjection", "LdapInjection",
            "RegexInjection", "RegexRoadblocks", "ScriptEngineInjection", "ServerSideRequestForgery", "SqlInjection", "TemplateInjection", "UnsafeSanitizer",
            "XPathInjection", "XmlParserSsrfGuidance").map(name -> "com.code_intelligence.jazzer.sanitizers." + name).toList();

    @Test
    public void everySeedIsReadOrRefused() throws IOException {
        List<String> failures = new ArrayList<>();
        for (Target target : Target.values()) {
            List<Path> seeds = target.seeds();
            assertTrue(target + " has no seeds", !seeds.isEmpty());
            for (Path seed : seeds) {
                try {
                    target.run(Files.readAllBytes(seed));
                } catch (Exception | AssertionError | StackOverflowError e) {
                    failures.add(seed + ": " + e + " at " + Arrays.stream(e.getStackTrace()).limit(12).toList());
                }
            }
        }
        assertEquals(String.join("\n", failures), 0, failures.size());
    }

    @Test
    public void everyFolderOfSeedsBelongsToATarget() throws IOException {
        TreeSet<String> expected = new TreeSet<>();
        for (Target target : Target.values()) {
            expected.add(target.folder());
        }
        TreeSet<String> found = new TreeSet<>();
        try (Stream<Path> folders = Files.list(Path.of("seeds"))) {
            folders.forEach(folder -> found.add(folder.getFileName().toString()));
        }
        assertEquals(expected, found);
    }

    @Test
    public void nothingIsFoundBehindTheSeeds() throws IOException, InterruptedException {
        String name = TARGET == null ? "all" : Target.valueOf(TARGET).folder();
        Path corpus = Files.createDirectories(CORPUS.resolve(name));
        Path found = Files.createDirectories(OUTPUT.resolve("found").resolve(name));
        plant(corpus);
        Path log = OUTPUT.resolve("fuzz-" + name + ".log");
        // As long as it takes: a long run is meant to. HangWatch has the limit.
        int status = new ProcessBuilder(command(corpus, found)).redirectErrorStream(true).redirectOutput(log.toFile()).start().waitFor();
        lines(log).stream().filter(line -> line.startsWith(Fuzzer.RESULT)).forEach(System.out::println);
        if (status != 0) {
            throw new AssertionError("the fuzzer ended with " + status + "; it found " + unprefixed(found) + ", and says in " + log
                    + ":\n" + tail(log));
        }
    }

    /** What was found, as seeds are: without the number of its target. */
    private static List<Path> unprefixed(Path found) throws IOException {
        List<Path> inputs = new ArrayList<>();
        try (Stream<Path> files = Files.list(found)) {
            for (Path file : files.sorted().toList()) {
                byte[] input = Files.readAllBytes(file);
                if (TARGET == null && input.length > 0) {
                    Target target = Fuzzer.target(input);
                    Path folder = Files.createDirectories(found.resolveSibling(target.folder()));
                    Files.write(folder.resolve(file.getFileName()), Fuzzer.rest(input));
                    Files.delete(file);
                    inputs.add(folder.resolve(file.getFileName()));
                } else {
                    inputs.add(file);
                }
            }
        }
        return inputs;
    }

    /** Puts the seeds where the fuzzer begins, each with the number of its target in front where all run. */
    private static void plant(Path corpus) throws IOException {
        for (Target target : Target.values()) {
            if (TARGET == null || target.name().equals(TARGET)) {
                for (Path seed : target.seeds()) {
                    byte[] content = Files.readAllBytes(seed);
                    byte[] input = TARGET != null ? content : prefixed((byte) target.ordinal(), content);
                    Files.write(corpus.resolve("seed-" + target.folder() + "-" + seed.getFileName()), input);
                }
            }
        }
    }

    private static byte[] prefixed(byte first, byte[] rest) {
        byte[] all = new byte[1 + rest.length];
        all[0] = first;
        System.arraycopy(rest, 0, all, 1, rest.length);
        return all;
    }

    private static List<String> command(Path corpus, Path found) {
        List<String> options = new ArrayList<>(List.of("-Xmx512m", "-Xmn200m", "-XX:+UseSerialGC", "-Djdk.attach.allowAttachSelf=true"));
        for (String property : List.of("logback.configurationFile", Fuzzer.TARGET)) {
            if (System.getProperty(property) != null) {
                options.add("-D" + property + "=" + System.getProperty(property));
            }
        }
        List<String> command = ChildJava.command(options.toArray(String[]::new));
        command.addAll(List.of("com.code_intelligence.jazzer.Jazzer", "--target_class=" + Fuzzer.class.getName(),
                "--instrumentation_includes=org.alder.**", "--instrumentation_excludes=org.alder.fuzz.**",
                "--custom_hook_includes=org.alder.**", "--disabled_hooks=" + String.join(File.pathSeparator, NOT_HERE),
                // Following each comparison takes thirty times as long as all else; the corpus has the words that are compared.
                "--trace=cov", "--mutator_framework=false",
                "-runs=" + EXECUTIONS, "-seed=" + (1 + Math.floorMod(Seed.of(FuzzTest.class), Integer.MAX_VALUE - 1)),
                "-timeout=" + INPUT_SECONDS, "-report_slow_units=" + INPUT_SECONDS, "--reproducer_path=" + OUTPUT,
                "-artifact_prefix=" + found + File.separator, "-print_final_stats=1", corpus.toString()));
        return command;
    }

    private static String tail(Path log) throws IOException {
        // How often each target ran is printed already, and would be all that there is room for.
        List<String> lines = lines(log).stream().filter(line -> !line.startsWith(Fuzzer.RESULT)).toList();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 60), lines.size()));
    }

    private static List<String> lines(Path log) throws IOException {
        // It shows inputs as they are.
        return new String(Files.readAllBytes(log), StandardCharsets.ISO_8859_1).lines().toList();
    }
}
