package org.alder.partition.jdbm.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.slf4j.event.Level;

/** What the log files of one store hold; each file is a part. Immutable: reads the files as they are when it is asked. */
public final class StoredLog implements LogSource {
    private final Disk disk;
    private final LogFolder folder;
    private final UUID storeId;

    public StoredLog(Disk disk, Path folder, UUID storeId) {
        this.disk = disk;
        this.folder = new LogFolder(disk, folder);
        this.storeId = storeId;
    }

    public LogFolder folder() {
        return folder;
    }

    @Override
    public long timeBefore(long firstLog) throws IOException {
        try (DiskFile file = disk.open(folder.file(firstLog), false)) {
            ByteBuffer header = ByteBuffer.allocate(LogFormat.HEADER_BYTES);
            file.read(header, 0);
            boolean whole = LogFormat.headerFault(header.flip(), storeId, firstLog) == null;
            return whole ? LogFormat.timeBefore(header) : System.currentTimeMillis();
        }
    }

    @Override
    public long replay(long firstLog, boolean cut, Consumer<LogGroup> groups) throws IOException {
        List<Path> files = folder.files().stream().filter(file -> LogFormat.firstSequenceOf(file) >= firstLog).toList();
        if (files.isEmpty()) {
            throw new StoreException(StoreException.Kind.CORRUPT, folder.path() + ": the log file " + LogFormat.fileName(firstLog)
                    + " is missing");
        }
        long[] lastSequence = {firstLog - 1};
        boolean madeWhole = false;
        for (int i = 0; i < files.size(); i++) {
            Path file = files.get(i);
            if (LogFormat.firstSequenceOf(file) != lastSequence[0] + 1) {
                throw new StoreException(StoreException.Kind.CORRUPT, file + ": expected a log file that starts with sequence "
                        + (lastSequence[0] + 1) + " before or instead of it");
            }
            boolean last = i == files.size() - 1;
            madeWhole = replayFile(file, new LogReader.Place(last, madeWhole), cut, group -> {
                groups.accept(group);
                lastSequence[0] = group.lastSequence();
            });
        }
        return lastSequence[0];
    }

    @Override
    public long partOf(long sequence) throws IOException {
        return folder.files().stream().mapToLong(LogFolder::firstSequenceOf).filter(first -> first <= sequence).max().orElse(sequence);
    }

    @Override
    public Since readSince(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
        Since found = readAsFarAs(sequence, upTo, groups);
        return found.lastSequence() < upTo ? Since.MISSING : found;
    }

    /**
     * As {@link #readSince}, but as far as the files go without a gap, at most up to the given number. Where that is behind what was
     * published, a record that is being written beside may be taken for damage: try again then.
     */
    @Override
    public Since readAsFarAs(long sequence, long upTo, Consumer<LogGroup> groups) throws IOException {
        List<Path> files = folder.files();
        int first = files.size() - 1;
        while (first >= 0 && LogFormat.firstSequenceOf(files.get(first)) > sequence) {
            first--;
        }
        Since found = first < 0 ? Since.MISSING : read(files.subList(first, files.size()), -1, sequence, upTo, groups);
        int next = first + 1;
        if (found == Since.MISSING && next < files.size() && LogFormat.firstSequenceOf(files.get(next)) == sequence + 1) {
            found = read(files.subList(next, files.size()), timeBefore(sequence + 1), sequence, upTo, groups);
        }
        return found;
    }

    /** @param timeMillis when the transaction of that sequence was committed, if it is known already; else -1 */
    private Since read(List<Path> files, long timeMillis, long sequence, long upTo, Consumer<LogGroup> groups)
            throws IOException {
        long[] last = {LogFormat.firstSequenceOf(files.get(0)) - 1};
        long[] time = {timeMillis};
        for (Path path : files) {
            if (last[0] < upTo && LogFormat.firstSequenceOf(path) == last[0] + 1) {
                try (DiskFile file = disk.open(path, false)) {
                    new LogReader(path, file, storeId, Level.DEBUG).read(LogFormat.firstSequenceOf(path), upTo, LogReader.Place.LAST, group -> {
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

    /** @return whether each later file must have been made whole, because this one was */
    private boolean replayFile(Path path, LogReader.Place place, boolean cut, Consumer<LogGroup> groups)
            throws IOException {
        try (DiskFile file = disk.open(path, cut && place.last())) {
            LogReader.End end = new LogReader(path, file, storeId, cut ? Level.WARN : Level.DEBUG)
                    .read(LogFormat.firstSequenceOf(path), place, groups);
            if (cut && place.last() && !end.marked()) {
                cut(file, end);
            }
            return end.version() >= LogFormat.VERSION_WITH_END;
        }
    }

    private void cut(DiskFile file, LogReader.End end) throws IOException {
        if (end.version() >= LogFormat.VERSION_WITH_END) {
            CommitLog.end(file, storeId, end.offset());
            file.sync();
        } else if (end.offset() < file.size()) {
            file.truncate(end.offset());
            file.sync();
        }
    }

    /**
     * Reads the files before the given one, which are kept only to tell what changed.
     *
     * @throws StoreException of kind CORRUPT, naming file and offset, where a record is damaged
     */
    public void checkBefore(long firstLog) throws IOException {
        for (Path file : folder.files()) {
            if (LogFormat.firstSequenceOf(file) < firstLog) {
                replayFile(file, LogReader.Place.BEFORE_OTHERS, false, group -> { });
            }
        }
    }
}
