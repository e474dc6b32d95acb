package org.alder.fuzz;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Files for what reads files, in a folder of this process. */
public final class Scratch {
    private static final Path FOLDER = folder();

    private Scratch() {
    }

    private static Path folder() {
        try {
            Path folder = Files.createTempDirectory("alder-fuzz");
            folder.toFile().deleteOnExit();
            return folder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where a file of this name may be; it is removed when the process ends. */
    public static Path file(String name) {
        Path file = FOLDER.resolve(name);
        file.toFile().deleteOnExit();
        return file;
    }

    public static void write(Path file, byte[] content) throws IOException {
        Files.write(file, content);
    }
}
