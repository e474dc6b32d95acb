package org.alder.perf;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A new folder for one benchmark's data, which {@link #close} removes with all that is in it. One thread. */
record WorkFolder(Path path) implements AutoCloseable {
    /** @param parent made where it is not there; null for the system's temporary folder */
    static WorkFolder create(Path parent) throws IOException {
        if (parent == null) {
            return new WorkFolder(Files.createTempDirectory("alder-perf"));
        }
        Files.createDirectories(parent);
        return new WorkFolder(Files.createTempDirectory(parent, "alder-perf"));
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
