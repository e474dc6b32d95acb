package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.slf4j.event.Level;

/** The commit log files of one store, in the order of their first sequence numbers. One thread. */
public final class LogFolder {
    private static final String PREPARED_SUFFIX = ".next";

    private final Disk disk;
    private final Path folder;

    public LogFolder(Disk disk, Path folder) {
        this.disk = disk;
        this.folder = folder;
    }

    /** The log files, oldest first. */
    public List<Path> files() throws IOException {
        return disk.list(folder).stream().filter(file -> firstSequenceOf(file) >= 0).toList();
    }

    /** The first sequence number in a file's name, or -1 where it is not a log file's name. */
    public static long firstSequenceOf(Path file) {
        return LogFormat.firstSequenceOf(file);
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
            return length.getInt(0) != 0;
        }
    }

    /** The first sequence number of the file that holds the given transaction, or will. */
    public long fileOf(long sequence) throws IOException {
        return files().stream().mapToLong(LogFolder::firstSequenceOf).filter(first -> first <= sequence).max().orElse(sequence);
    }

    /**
     * When the transaction before a file's first one was committed, in milliseconds since 1970; the time of this call where the
     * file has no whole header, as after a crash while it was made.
     */
    public long timeBefore(UUID storeId, long firstLog) throws IOException {
        try (DiskFile file = disk.open(folder.resolve(LogFormat.fileName(firstLog)), false)) {
            ByteBuffer header = ByteBuffer.allocate(LogFormat.HEADER_BYTES);
            file.read(header, 0);
            boolean whole = LogFormat.headerFault(header.flip(), storeId, firstLog) == null;
            return whole ? LogFormat.timeBefore(header) : System.currentTimeMillis();
        }
    }

    /**
     * Reads all groups of the files from the given one on. A torn tail of the last file is cut off if asked.
     *
     * @param firstLog the first sequence number of the file to begin with
     * @param cut whether the torn tail is removed from the file; false changes nothing
     * @return the last sequence number read; {@code firstLog - 1} where there is none
     * @throws StoreException of kind CORRUPT, naming file and offset, where a record is damaged or a file is missing
     */
    public long replay(UUID storeId, long firstLog, boolean cut, Consumer<LogGroup> groups) throws IOException {
        List<Path> files = files().stream().filter(file -> firstSequenceOf(file) >= firstLog).toList();
        if (files.isEmpty()) {
            throw new StoreException(StoreException.Kind.CORRUPT, folder + ": the log file " + LogFormat.fileName(firstLog)
                    + " is missing");
        }
        long[] lastSequence = {firstLog - 1};
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            if (firstSequenceOf(file) != lastSequence[0] + 1) {
                throw new StoreException(StoreException.Kind.CORRUPT, file + ": expected a log file that starts with sequence "
                        + (lastSequence[0] + 1) + " before or instead of it");
            }
            boolean last = i == files.size() - 1;
            replayFile(storeId, file, last, cut, group -> {
                groups.accept(group);
                lastSequence[0] = group.lastSequence();
            });
        }
        return lastSequence[0];
    }

    private void replayFile(UUID storeId, Path path, boolean last, boolean cut, Consumer<LogGroup> groups) throws IOException {
        try (DiskFile file = disk.open(path, cut && last)) {
            long end = new LogReader(path, file, storeId, cut ? Level.WARN : Level.DEBUG)
                    .read(firstSequenceOf(path), last, groups);
            if (cut && last && end < file.size()) {
                file.truncate(end);
                file.sync();
            }
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
            file.sync();
        }
        disk.syncFolder(folder);
    }

    private Path prepared(long firstSequence) {
        return folder.resolve(LogFormat.fileName(firstSequence) + PREPARED_SUFFIX);
    }

    /** Gives a prepared file its name, if there is one for that sequence number, and removes all others. */
    public void adoptPrepared(long firstSequence) throws IOException {
        for (Path file : disk.list(folder)) {
            if (file.equals(prepared(firstSequence))) {
                disk.replace(file, folder.resolve(LogFormat.fileName(firstSequence)));
                disk.syncFolder(folder);
            } else if (file.getFileName().toString().endsWith(PREPARED_SUFFIX)) {
                disk.delete(file);
            }
        }
    }

    /** Removes the log files whose transactions are all before the given file's. */
    public void removeBefore(long firstLog) throws IOException {
        for (Path file : files()) {
            if (firstSequenceOf(file) < firstLog) {
                disk.delete(file);
            }
        }
    }
}
