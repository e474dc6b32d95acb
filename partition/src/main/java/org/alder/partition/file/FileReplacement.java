package org.alder.partition.file;

import java.io.IOException;
import java.nio.file.Path;

/** Writes a small file as a whole, as a store's engine does. Thread safe for different files. */
@FunctionalInterface
public interface FileReplacement {
    /**
     * Puts the content in the place of what the file held, if it is there; when this returns it is durable.
     *
     * @throws IOException after which the old or the new content is there, whole, whatever crashes
     */
    void replace(Path file, byte[] content) throws IOException;
}
