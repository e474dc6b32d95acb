package org.alder.partition.jdbm.disk;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;

/**
 * The operating system's files as a store changes them: the seam under which a test puts failing and short writes, lost syncs and
 * a full disk. All that a store writes, names, syncs and removes goes through it. Thread safe.
 *
 * <p>Two things do not. JDBM2 opens and writes its files itself, so a table's file is made through {@link #create}, each slice
 * of pages that JDBM2 is about to write is told by {@link #willWrite}, and the finished file is synced through {@link #open}: a
 * fault between two pages of one slice cannot be made, but no reader ever sees a file that is not synced. And segments are read
 * through mappings of their own, because reading changes nothing.
 */
public interface Disk {
    /** Makes a new file for reading and writing; an existing one is emptied. */
    DiskFile create(Path file) throws IOException;

    /** Makes a new file for reading and writing that is gone when it is closed, or when the process ends. */
    DiskFile createScratch(Path file) throws IOException;

    /** Makes a folder; it is an error if it is there. */
    void createFolder(Path folder) throws IOException;

    /** Opens an existing file. */
    DiskFile open(Path file, boolean writable) throws IOException;

    /** Told before somebody else's code writes to a file; throws where that must not happen. */
    void willWrite(Path file) throws IOException;

    /** Puts {@code source} in the place of {@code target} in one step; durable after {@link #syncFolder}. */
    void replace(Path source, Path target) throws IOException;

    /** Removes a file or an empty folder; it is no error if it is not there. */
    void delete(Path file) throws IOException;

    /** Makes the folder's list of names durable. */
    void syncFolder(Path folder) throws IOException;

    /** The folder's files and folders, sorted by name. */
    List<Path> list(Path folder) throws IOException;

    /** The bytes that can still be written to the disk the folder is on. */
    long freeBytes(Path folder) throws IOException;

    /** Removes a folder and all in it; what is not there (any more) is no error. Does not follow symbolic links. */
    default void deleteTree(Path folder) throws IOException {
        if (Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            for (Path file : list(folder)) {
                deleteTree(file);
            }
        }
        delete(folder);
    }
}
