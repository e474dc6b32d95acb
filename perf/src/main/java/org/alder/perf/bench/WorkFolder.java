package org.alder.perf.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A new folder for one benchmark's data, which {@link #close} removes with all that is in it. One thread. */
public record WorkFolder(Path path) implements AutoCloseable {
    /** @param parent made where it is not there; null for the system's temporary folder */
    public static WorkFolder create(Path parent) throws IOException {
        if (parent == null) {
            return new WorkFolder(Files.createTempDirectory("alder-perf"));
        }
        Files.createDirectories(parent);
        return new WorkFolder(Files.createTempDirectory(parent, "alder-perf"));
    }

    public static long sizeBytes(Path folder) throws IOException {
        try (var files = Files.walk(folder)) {
            long sum = 0;
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)::iterator) {
                sum += Files.size(file);
            }
            return sum;
        }
    }

    /** The bytes of the blocks its files use, which of a file with holes are fewer than its size. */
    public static long usedBytes(Path folder) throws IOException, InterruptedException {
        Process du = new ProcessBuilder("du", "-sk", folder.toString()).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        String answer = new String(du.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (du.waitFor() != 0) {
            throw new IOException("du -sk " + folder + " ended with status " + du.exitValue());
        }
        return Long.parseLong(answer.split("\\s+")[0]) * 1024;
    }

    @Override
    public void close() throws IOException {
        Files.walkFileTree(path, new SimpleFileVisitor<>() {
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
