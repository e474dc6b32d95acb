package org.alder.perf.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A new folder for one benchmark's data, which {@link #close} removes with all that is in it. One thread. */
public record WorkFolder(Path path) implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WorkFolder.class);
    private static final int END_SECONDS = 10;
    private static final int TRIES = 20;

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

    /**
     * Ends all that this process has started, and removes the folder, while others may still write into it: for a program that is being stopped.
     *
     * @return what there is to say of it
     */
    String abandon() {
        List<ProcessHandle> children = ProcessHandle.current().descendants().toList();
        children.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle child : children) {
            child.onExit().completeOnTimeout(child, END_SECONDS, TimeUnit.SECONDS).join();
        }
        for (int i = 0; i < TRIES && Files.exists(path); i++) {
            try {
                close();
            } catch (IOException e) {
                LOG.debug("Somebody has just written into {}", path, e);
            }
        }
        return path + (Files.exists(path) ? ", the folder of its data, could not be removed" : ", the folder of its data, is removed");
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
