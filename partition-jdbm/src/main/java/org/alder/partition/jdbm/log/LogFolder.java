package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;

/** The commit log files of one store, in the order of their first sequence numbers. One thread. */
public final class LogFolder {
    /** Of a file that does not have its name yet. */
    static final String NEW_SUFFIX = ".new";
    private static final String PREPARED_SUFFIX = ".next";

    private final Disk disk;
    private final Path folder;

    public LogFolder(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    public Path path() {
        return folder;
    }

    /** The log files, oldest first. */
    public List<Path> files() throws IOException {
        return disk.list(folder).stream().filter(file -> firstSequenceOf(file) >= 0).toList();
    }

    /** The first sequence number in a file's name, or -1 where it is not a log file's name. */
    public static long firstSequenceOf(Path file) {
        return LogFormat.firstSequenceOf(file);
    }

    /** The file that begins with the given sequence number, there or not. */
    public Path file(long firstSequence) {
        return folder.resolve(LogFormat.fileName(firstSequence));
    }

    /** Whether the file that begins with the given sequence number is there, or is prepared ({@link #prepare}). */
    public boolean holds(long firstSequence) {
        return Files.exists(file(firstSequence)) || Files.exists(prepared(firstSequence));
    }

    /** The total length of all log files; one that is removed meanwhile counts nothing. */
    public long sizeBytes() throws IOException {
        long bytes = 0;
        for (Path path : files()) {
            try (DiskFile file = disk.open(path, false)) {
                bytes += file.size();
            } catch (NoSuchFileException e) {
                continue;
            }
        }
        return bytes;
    }

    /** Whether anything was ever appended to a log file, whole or not. */
    public boolean holdsRecords(Path path) throws IOException {
        try (DiskFile file = disk.open(path, false)) {
            ByteBuffer length = ByteBuffer.allocate(Integer.BYTES);
            file.read(length, LogFormat.HEADER_BYTES);
            return LogFormat.isLengthOfRecord(length.getInt(0));
        }
    }

    /**
     * Makes an empty log file under a name that replay does not know, for a store that will go on from another sequence number
     * once its manifest says so; {@link #adoptPrepared} then gives it its name.
     *
     * @param timeBefore when the state it goes on from was committed, in milliseconds since 1970
     */
    public void prepare(UUID storeId, long firstSequence, long timeBefore) throws IOException {
        try (DiskFile file = disk.create(prepared(firstSequence))) {
            file.write(LogFormat.header(storeId, firstSequence, timeBefore), 0);
            CommitLog.end(file, storeId, LogFormat.HEADER_BYTES);
        }
        disk.syncFolder(folder);
    }

    private Path prepared(long firstSequence) {
        return folder.resolve(LogFormat.fileName(firstSequence) + PREPARED_SUFFIX);
    }

    /** Gives a prepared file its name, if there is one for that sequence number, and removes all others without one. */
    public void adoptPrepared(long firstSequence) throws IOException {
        for (Path path : disk.list(folder)) {
            if (path.equals(prepared(firstSequence))) {
                disk.replace(path, file(firstSequence));
                disk.syncFolder(folder);
            } else if (isWithoutName(path.getFileName().toString())) {
                disk.delete(path);
            }
        }
    }

    private static boolean isWithoutName(String name) {
        return name.startsWith(LogFormat.PREFIX) && (name.endsWith(PREPARED_SUFFIX) || name.endsWith(NEW_SUFFIX));
    }

    /**
     * Removes the log files whose transactions are all before the given file's, but for the newest that have so many bytes.
     *
     * @param keptBytes 0 keeps none
     */
    public void removeBefore(long firstLog, long keptBytes) throws IOException {
        for (Path file : superfluous(firstLog, keptBytes)) {
            disk.delete(file);
        }
    }

    /** The files that {@link #removeBefore} removes. */
    public List<Path> superfluous(long firstLog, long keptBytes) throws IOException {
        List<Path> superfluous = new ArrayList<>();
        long bytes = 0;
        List<Path> files = files();
        for (int i = files.size() - 1; i >= 0; i--) {
            if (firstSequenceOf(files.get(i)) < firstLog) {
                bytes += keptBytes == 0 ? 1 : sizeBytes(files.get(i));
                if (bytes > keptBytes) {
                    superfluous.add(files.get(i));
                }
            }
        }
        return superfluous;
    }

    private long sizeBytes(Path path) throws IOException {
        try (DiskFile file = disk.open(path, false)) {
            return file.size();
        }
    }
}
