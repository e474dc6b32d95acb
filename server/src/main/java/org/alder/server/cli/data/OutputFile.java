package org.alder.server.cli.data;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import org.alder.partition.file.OwnerOnly;
import org.alder.server.cli.output.StandardOutput;

/**
 * Where a verb writes entries: a file, the owner's alone, since entries have passwords, or standard output. A file is written beside its
 * place, as FILE.part, and takes its place when it is whole; what is not a regular file, such as a pipe, is written as it is. One thread
 * writes, any thread discards.
 */
final class OutputFile {
    /** Null for standard output. */
    private final Path file;
    /** What is written; the file itself where it is not a regular one. */
    private final Path part;

    private OutputFile(Path file, Path part) {
        this.file = file;
        this.part = part;
    }

    /** @param output null for standard output */
    static OutputFile of(Path output) throws IOException {
        if (output == null) {
            return new OutputFile(null, null);
        }
        Path file = Files.exists(output) ? output.toRealPath() : output.toAbsolutePath();
        if (!Files.isDirectory(file.getParent())) {
            throw new NoSuchFileException(file.getParent().toString());
        }
        boolean replaces = Files.isRegularFile(file) || Files.notExists(file);
        return new OutputFile(file, replaces ? file.resolveSibling(file.getFileName() + ".part") : file);
    }

    OutputStream open() throws IOException {
        return file == null ? StandardOutput.unbuffered() : Channels.newOutputStream(FileChannel.open(part,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING, StandardOpenOption.WRITE), OwnerOnly.file(part)));
    }

    /** It is whole, and closed. */
    void complete() throws IOException {
        if (file != null && !part.equals(file)) {
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        }
    }

    /** Removes what is not whole. @return what there is to say of it */
    String discard() {
        if (file == null || part.equals(file)) {
            return "what was written is not all";
        }
        try {
            Files.deleteIfExists(part);
            return file + " is as it was before";
        } catch (IOException e) {
            throw new UncheckedIOException(part + " cannot be removed, and is not whole", e);
        }
    }
}
