package org.alder.perf.process;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.jar.Attributes;
import java.util.jar.JarFile;

/**
 * What a figure was measured on: printed above every table.
 *
 * @param load how many programs wanted a processor in the minute before, NaN where the system does not say
 */
public record Machine(String date, String processor, int processors, long memoryBytes, String os, String java, String alder,
        double load) {
    private static final String UNKNOWN = "unknown";
    private static final double MOST_LOAD_OF_A_PROCESSOR = 0.25;

    public static Machine here() {
        return new Machine(Instant.now().truncatedTo(ChronoUnit.SECONDS).toString(), value("/proc/cpuinfo", "model name"),
                Runtime.getRuntime().availableProcessors(), memory(),
                System.getProperty("os.name") + " " + System.getProperty("os.version"),
                System.getProperty("java.vm.name") + " " + System.getProperty("java.version"), revision(), loadAverage());
    }

    private static long memory() {
        String kib = value("/proc/meminfo", "MemTotal").replaceAll("\\D", "");
        return kib.isEmpty() ? -1 : Long.parseLong(kib) * 1024;
    }

    private static double loadAverage() {
        double load = ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
        return load < 0 ? Double.NaN : load;
    }

    /** Says so where the machine did other things when the measurement began; else empty. */
    public String warning() {
        return load > MOST_LOAD_OF_A_PROCESSOR * processors ? String.format(Locale.ROOT, "WARNING: the machine was busy with other"
                + " things when this began (load %.1f on %d processors): these figures say little.", load, processors) : "";
    }

    private static String value(String file, String key) {
        try {
            return Files.readAllLines(Path.of(file)).stream().filter(line -> line.startsWith(key)).findFirst()
                    .map(line -> line.substring(line.indexOf(':') + 1).trim()).orElse(UNKNOWN);
        } catch (IOException e) {
            return UNKNOWN;
        }
    }

    /** The commit of a checkout; of what is installed the version, and the commit if whoever has built it said so. */
    private static String revision() {
        Path home = Path.of(System.getProperty("alder.home", "."));
        try {
            return Files.exists(home.resolve(".git")) ? commit(home) : ofManifest();
        } catch (IOException | URISyntaxException e) {
            return UNKNOWN;
        }
    }

    private static String commit(Path home) throws IOException {
        Process git = new ProcessBuilder("git", "-C", home.toString(), "rev-parse", "--short", "HEAD")
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
        String commit = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).trim();
        return commit.isEmpty() ? UNKNOWN : commit;
    }

    private static String ofManifest() throws IOException, URISyntaxException {
        Path jar = Path.of(Machine.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        if (!Files.isRegularFile(jar)) {
            return UNKNOWN;
        }
        try (JarFile file = new JarFile(jar.toFile())) {
            Attributes main = file.getManifest().getMainAttributes();
            String revision = main.getValue("Alder-Revision");
            return main.getValue(Attributes.Name.IMPLEMENTATION_VERSION) + (revision == null || revision.isBlank() ? "" : " (" + revision + ")");
        }
    }

    /** One line for the head of a text table. */
    public String line() {
        return String.format(Locale.ROOT, "%s, %d x %s, %.0f GiB, %s, %s, Alder %s", date, processors, processor,
                memoryBytes / (double) (1L << 30), os,
                java, alder);
    }
}
