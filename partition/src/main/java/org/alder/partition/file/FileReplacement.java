package org.alder.partition.file;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/** Writes a small file as a whole, as a store's engine does. Thread safe for different files. */
@FunctionalInterface
public interface FileReplacement {
    /**
     * Puts the content in the place of what the file held, if it is there; when this returns it is durable.
     *
     * @throws IOException after which the old or the new content is there, whole, whatever crashes
     */
    void replace(Path file, byte[] content) throws IOException;

    /**
     * Sees to it that a file has its old content after a failure: that can come from the last step, when the new content has its name
     * already and only the folder is not synced.
     *
     * @param before  the content the file had, or what means the same as no file
     * @param failure gets what else fails
     * @return whether the file has it, or is not there
     */
    default boolean putBack(Path file, byte[] before, IOException failure) {
        try {
            if (Files.exists(file) && !Arrays.equals(Files.readAllBytes(file), before)) {
                replace(file, before);
            }
            return true;
        } catch (IOException e) {
            failure.addSuppressed(e);
            return false;
        }
    }
}
