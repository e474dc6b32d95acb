package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.slf4j.event.Level;

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

    /** The first sequence number of the file that holds the given transaction, or will. */
    public long fileOf(long sequence) throws IOException {
        return files().stream().mapToLong(LogFolder::firstSequenceOf).filter(first -> first <= sequence).max().orElse(sequence);
    }

    /**
     * When the transaction before a file's first one was committed, in milliseconds since 1970; the time of this call where the
     * file has no whole header, as after a crash while it was made.
     */
    public long timeBefore(UUID storeId, long firstLog) throws IOException {
        try (DiskFile file = disk.open(file(firstLog), false)) {
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
        boolean madeWhole = false;
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            if (firstSequenceOf(file) != lastSequence[0] + 1) {
                throw new StoreException(StoreException.Kind.CORRUPT, file + ": expected a log file that starts with sequence "
                        + (lastSequence[0] + 1) + " before or instead of it");
            }
            boolean last = i == files.size() - 1;
            madeWhole = replayFile(storeId, file, new LogReader.Place(last, madeWhole), cut, group -> {
                groups.accept(group);
                lastSequence[0] = group.lastSequence();
            });
        }
        return lastSequence[0];
    }

    /**
     * Reads the groups behind a sequence number, up to one that was published; files that recovery does not need may be among
     * those read. Safe beside the writer.
     *
     * @param groups given every group that holds such a transaction; the first and the last may hold others too
     * @return {@link Since#MISSING} if the files do not reach back so far; then it may have been given groups all the same
     * @throws StoreException of kind CORRUPT, naming file and offset, where a record is damaged
     * @throws NoSuchFileException if a file was removed meanwhile
     */
    public Since readSince(UUID storeId, long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
        Since found = readAsFarAs(storeId, sequence, upTo, groups);
        return found.lastSequence() < upTo ? Since.MISSING : found;
    }

    /**
     * As {@link #readSince}, but as far as the files go without a gap, at most up to the given number. Where that is behind what was
     * published, a record that is being written beside may be taken for damage: try again then.
     */
    public Since readAsFarAs(UUID storeId, long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
        List<Path> files = files();
        int first = files.size() - 1;
        while (first >= 0 && firstSequenceOf(files.get(first)) > sequence) {
            first--;
        }
        Since found = first < 0 ? Since.MISSING : read(storeId, files.subList(first, files.size()), -1, sequence, upTo, groups);
        int next = first + 1;
        if (found == Since.MISSING && next < files.size() && firstSequenceOf(files.get(next)) == sequence + 1) {
            found = read(storeId, files.subList(next, files.size()), timeBefore(storeId, sequence + 1), sequence, upTo, groups);
        }
        return found;
    }

    /** @param timeMillis when the transaction of that sequence was committed, if it is known already; else -1 */
    private Since read(UUID storeId, List<Path> files, long timeMillis, long sequence, long upTo, Consumer<LogGroup> groups)
            throws IOException {
        long[] last = {firstSequenceOf(files.get(0)) - 1};
        long[] time = {timeMillis};
        for (Path path : files) {
            if (last[0] < upTo && firstSequenceOf(path) == last[0] + 1) {
                try (DiskFile file = disk.open(path, false)) {
                    new LogReader(path, file, storeId, Level.DEBUG).read(firstSequenceOf(path), upTo, LogReader.Place.LAST, group -> {
                        last[0] = group.lastSequence();
                        time[0] = sequence >= group.firstSequence() && sequence <= last[0] ? group.timeMillis() : time[0];
                        if (last[0] > sequence) {
                            groups.accept(group);
                        }
                    });
                }
            }
        }
        return time[0] < 0 ? Since.MISSING : new Since(time[0], last[0]);
    }

    /**
     * What {@link #readSince} found.
     *
     * @param timeMillis   when the transaction of that sequence was committed
     * @param lastSequence the last transaction that was read
     */
    public record Since(long timeMillis, long lastSequence) {
        /** Nothing. */
        public static final Since MISSING = new Since(-1, -1);
    }

    /** @return whether each later file must have been made whole, because this one was */
    private boolean replayFile(UUID storeId, Path path, LogReader.Place place, boolean cut, Consumer<LogGroup> groups)
            throws IOException {
        try (DiskFile file = disk.open(path, cut && place.last())) {
            LogReader.End end = new LogReader(path, file, storeId, cut ? Level.WARN : Level.DEBUG)
                    .read(firstSequenceOf(path), place, groups);
            if (cut && place.last() && !end.marked()) {
                cut(file, storeId, end);
            }
            return end.version() >= LogFormat.VERSION_WITH_END;
        }
    }

    private static void cut(DiskFile file, UUID storeId, LogReader.End end) throws IOException {
        if (end.version() >= LogFormat.VERSION_WITH_END) {
            CommitLog.end(file, storeId, end.offset());
            file.sync();
        } else if (end.offset() < file.size()) {
            file.truncate(end.offset());
            file.sync();
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

    /**
     * Reads the files before the given one, which are kept only to tell what changed.
     *
     * @throws StoreException of kind CORRUPT, naming file and offset, where a record is damaged
     */
    public void checkBefore(UUID storeId, long firstLog) throws IOException {
        for (Path file : files()) {
            if (firstSequenceOf(file) < firstLog) {
                replayFile(storeId, file, LogReader.Place.BEFORE_OTHERS, false, group -> { });
            }
        }
    }
}
