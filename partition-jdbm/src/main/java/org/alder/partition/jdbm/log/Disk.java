package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * The operating system's files as the commit log and the manifest use them: the seam under which a test puts failing writes and
 * lost syncs. Thread safe. Segments are not written through it; they are not published before they are whole.
 */
public interface Disk {
    /** Makes a new file for reading and writing; an existing one is emptied. */
    DiskFile create(Path file) throws IOException;

    /** Opens an existing file. */
    DiskFile open(Path file, boolean writable) throws IOException;

    /** Puts {@code source} in the place of {@code target} in one step; durable after {@link #syncFolder}. */
    void replace(Path source, Path target) throws IOException;

    /** Removes a file; it is no error if it is not there. */
    void delete(Path file) throws IOException;

    /** Makes the folder's list of names durable. */
    void syncFolder(Path folder) throws IOException;

    /** The folder's files and folders, sorted by name. */
    List<Path> list(Path folder) throws IOException;
}
