package org.alder.perf;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.alder.ldif.LdifGenerator;
import picocli.CommandLine.Option;

/** What all benchmarks take: where to work, and where the report goes. */
final class PerfOptions {
    @Option(names = "--work", paramLabel = "DIR",
            description = "Where data are kept while measuring. Default: a temporary folder.")
    private Path work;

    @Option(names = "--report", paramLabel = "DIR", description = "Also write the results here, for people and as JSON.")
    private Path report;

    @Option(names = "--seed", paramLabel = "S", description = "Seed of the data set. Default: ${DEFAULT-VALUE}.")
    private long seed = LdifGenerator.DEFAULT_SEED;

    long seed() {
        return seed;
    }

    /** A new empty folder. */
    Path workFolder() throws IOException {
        if (work == null) {
            return Files.createTempDirectory("alder-perf");
        }
        Files.createDirectories(work);
        return Files.createTempDirectory(work, "alder-perf");
    }

    void writeReport(String name, String content) throws IOException {
        if (report != null) {
            Files.createDirectories(report);
            Files.writeString(report.resolve(name), content);
        }
    }

    /**
     * Writes a configuration with the peers' index set (conf/benchmark.ldif) and more lines for its partition, its last entry.
     */
    static Path configuration(Path folder, String name, List<String> partitionLines) throws IOException {
        Path benchmark = Path.of(System.getProperty("alder.home", "."), "conf", "benchmark.ldif");
        Path file = folder.resolve(name);
        return Files.writeString(file, Files.readString(benchmark).stripTrailing() + "\n" + String.join("\n", partitionLines)
                + "\n");
    }

    static long sizeBytes(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            long sum = 0;
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                sum += Files.size(file);
            }
            return sum;
        }
    }

    static void delete(Path folder) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path visited, IOException fault) throws IOException {
                Files.delete(visited);
                return FileVisitResult.CONTINUE;
            }
        });
    }
}
