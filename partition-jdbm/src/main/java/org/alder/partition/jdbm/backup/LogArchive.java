package org.alder.partition.jdbm.backup;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.StoredLog;

/**
 * The log of one store, as far as it was copied to a folder of backups: commit log files (docs/format/commit-log.md) of the store's
 * transactions, each once, in files of their own. Where a backup was made too late to find all of the log, a gap is left. One thread;
 * its owner closes it.
 */
final class LogArchive implements Closeable {
    private final Disk disk;
    private final Path folder;
    private final UUID storeId;
    private final StoredLog logs;
    private CommitLog open;
    /** The last transaction here; -1 where there is none. */
    private long last = -1;
    private long lastMillis;

    /** To read it. */
    LogArchive(Disk disk, Path folder, UUID storeId) {
        this.disk = disk;
        this.folder = folder;
        this.storeId = storeId;
        this.logs = new StoredLog(disk, folder, storeId);
    }

    /** To add to it: what an interrupted copy has left in the last file is made whole. The folder is there. */
    static LogArchive forWriting(Disk disk, Path folder, UUID storeId) throws IOException {
        LogArchive archive = new LogArchive(disk, folder, storeId);
        archive.logs.folder().adoptPrepared(-1);
        List<Path> files = archive.logs.folder().files();
        if (!files.isEmpty()) {
            long first = LogFolder.firstSequenceOf(files.get(files.size() - 1));
            archive.lastMillis = archive.logs.timeBefore(first);
            archive.last = archive.logs.replay(first, true, group -> archive.lastMillis = group.timeMillis());
        }
        return archive;
    }

    long last() {
        return last;
    }

    /**
     * Adds what a store's log has beyond, also while it is written; durable when this returns.
     *
     * @param from   the store's log
     * @param pinned of the store; where its logs do not reach back to what is here, they are copied from behind its segments on
     * @return whether there is a gap now between what was here and what was added
     * @throws UncheckedIOException where it cannot be written here; this is of no use any more then
     * @throws StoreException of kind REFUSED where the store went on otherwise than what is here
     */
    boolean copy(LogSource from, Manifest pinned) throws IOException {
        long after = pinned.lastFlushed();
        if (last >= 0) {
            LogSource.Since known = from.readSince(last, last, group -> { });
            if (known.timeMillis() == lastMillis) {
                after = last;
            } else if (known != LogSource.Since.MISSING || pinned.lastFlushed() < last) {
                throw new StoreException(StoreException.Kind.REFUSED, "the store " + storeId + " has another change " + last + " than "
                        + folder + ", or none: it was put back to an earlier state otherwise than by a restore. Back it up to another"
                        + " folder");
            }
        }
        boolean gap = last >= 0 && after != last;
        if (after != last) {
            long millis = timeOf(from, after);
            write(() -> begin(pinned.lastFlushed(), millis));
        }
        copyBehind(from, after);
        return gap;
    }

    /** Whether it has all behind a transaction, or nothing yet. */
    boolean reachesBack(long after) throws IOException {
        List<Path> files = logs.folder().files();
        return files.isEmpty() || LogFolder.firstSequenceOf(files.get(0)) <= after + 1;
    }

    /** Adds what the store's log has beyond by now, if that still reaches back to here, and tells whether it does. Else as {@link #copy}. */
    boolean goOn(LogSource from) throws IOException {
        boolean reaches = from.readSince(last, last, group -> { }).timeMillis() == lastMillis;
        if (reaches) {
            copyBehind(from, last);
        }
        return reaches;
    }

    private void copyBehind(LogSource from, long after) throws IOException {
        from.readAsFarAs(after, Long.MAX_VALUE, group -> {
            LogGroup part = group.between(last, Long.MAX_VALUE);
            if (part != null) {
                write(() -> append(part));
            }
        });
        write(this::sync);
    }

    @FunctionalInterface
    private interface Writing {
        void run() throws IOException;
    }

    /** What fails here is not the store that is copied: to look at that again is no use. */
    private static void write(Writing writing) {
        try {
            writing.run();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A file that begins behind the given transaction, also where nothing follows it: its head says when that was committed. */
    private void begin(long sequence, long millis) throws IOException {
        end();
        open = CommitLog.create(disk, folder, storeId, sequence + 1, millis);
        last = sequence;
        lastMillis = millis;
    }

    private void append(LogGroup group) throws IOException {
        if (open == null) {
            begin(last, lastMillis);
        }
        open.append(group);
        last = group.lastSequence();
        lastMillis = group.timeMillis();
    }

    private void sync() throws IOException {
        if (open != null && !open.isSynced()) {
            open.sync();
        }
    }

    /** When a transaction of a store's log was committed. */
    private long timeOf(LogSource from, long sequence) throws IOException {
        LogSource.Since found = from.readSince(sequence, sequence, group -> { });
        if (found == LogSource.Since.MISSING) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the logs of the store " + storeId
                    + " do not tell when its change " + sequence + " was made");
        }
        return found.timeMillis();
    }

    /** The bytes of the file that is being added to. */
    long openBytes() {
        return open == null ? 0 : open.sizeBytes();
    }

    /** Finishes the file that is being added to. */
    void end() throws IOException {
        if (open != null) {
            CommitLog ended = open;
            open = null;
            ended.finish();
        }
    }

    /**
     * Reads the groups behind a transaction, as far as they go without a gap, at most up to the given number.
     *
     * @return when that transaction was committed, and the last one that was read; {@link LogSource.Since#MISSING} if it is not here
     * @throws StoreException of kind CORRUPT, naming file and offset
     */
    LogSource.Since read(long after, long upTo, Consumer<LogGroup> groups) throws IOException {
        if (!Files.isDirectory(folder)) {
            return LogSource.Since.MISSING;
        }
        return logs.readAsFarAs(after, upTo, group -> {
            LogGroup part = group.between(after, upTo);
            if (part != null) {
                groups.accept(part);
            }
        });
    }

    /** Removes the files that nobody needs who begins behind this transaction. */
    void removeBefore(long sequence) throws IOException {
        List<Path> files = logs.folder().files();
        for (int i = 0; i + 1 < files.size(); i++) {
            if (LogFolder.firstSequenceOf(files.get(i + 1)) <= sequence + 1) {
                disk.delete(files.get(i));
            }
        }
    }

    /** Leaves the file that is being added to as it is, which is made whole by the next backup. */
    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }
}
