package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.Folders;
import org.alder.partition.jdbm.backup.BackupPoint.SavedFile;
import org.alder.partition.jdbm.backup.BackupPoint.SavedSegment;
import org.alder.partition.jdbm.backup.BackupPoint.SavedStore;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.DiskFile;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a data folder back from a folder of backups: into a folder of its own within the new one first; only when all of it is read
 * back and whole is it put in its place. A store that is brought back has a new ID, because it goes on otherwise than the one that
 * was backed up. Used by one thread, once.
 */
public final class Restore {
    private static final Logger LOG = LoggerFactory.getLogger(Restore.class);
    /** Where the parts are until they are known to be whole. */
    private static final String UNFINISHED = "restoring";
    private static final String PARTITIONS = "partitions";

    private final BackupFolder folder;
    private final Disk disk;
    private final RestoreGoal goal;
    private final BuildProgress progress;
    private final List<BackupPoint> points;
    private final BackupPoint point;
    private long done;
    private long total;

    /**
     * What was brought back of a partition.
     *
     * @param sequence   the last commit
     * @param timeMillis when that was committed, in milliseconds since 1970
     */
    public record Restored(String partition, long sequence, long timeMillis, long entries) {
    }

    /** @param point whose segments were taken */
    public record Result(BackupPoint point, List<Restored> partitions) {
    }

    private Restore(BackupFolder folder, Disk disk, RestoreGoal goal, BuildProgress progress) throws IOException {
        this.folder = folder;
        this.disk = disk;
        this.goal = goal;
        this.progress = progress;
        this.points = folder.points();
        this.point = choose();
    }

    /**
     * @param target a folder that is made, or is empty
     * @throws StoreException of kind REFUSED where the goal cannot be reached or the folder is not empty, CORRUPT (naming the file)
     *         where the backup is damaged, DISK_FULL, IO; then nothing is in the folder
     */
    public static Result run(BackupFolder folder, RestoreGoal goal, Path target, BuildProgress progress) {
        return run(folder, goal, target, progress, SystemDisk.INSTANCE);
    }

    /** @param disk what is written to */
    static Result run(BackupFolder folder, RestoreGoal goal, Path target, BuildProgress progress, Disk disk) {
        try {
            requireEmpty(disk, target);
            return new Restore(folder, disk, goal, progress).into(target);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "nothing was restored to " + target + ": " + e.getMessage(), e);
        }
    }

    private static void requireEmpty(Disk disk, Path target) throws IOException {
        if (Files.exists(target) && (!Files.isDirectory(target) || !disk.list(target).isEmpty())) {
            throw BackupFolder.refused(target + " is not empty: a restore takes a new folder, and changes none that is in use"
                    + (Files.exists(target.resolve(UNFINISHED)) ? " (it holds what an interrupted restore has left: remove it)" : ""));
        }
    }

    private BackupPoint choose() throws IOException {
        if (points.isEmpty()) {
            throw BackupFolder.refused(folder.path() + " has no point");
        }
        BackupPoint newest = points.get(points.size() - 1);
        if (goal instanceof RestoreGoal.Point named) {
            return named.name() == null ? newest : folder.read(named.name());
        }
        for (int i = points.size() - 1; i >= 0; i--) {
            BackupPoint each = points.get(i);
            if (goal instanceof RestoreGoal.Change && each.stores().size() > 1) {
                throw BackupFolder.refused("the point " + each.name() + " has several partitions, each with changes of its own: ask for a"
                        + " moment, not for a change");
            }
            if (each.stores().stream().allMatch(goal::isNotBefore)) {
                return each;
            }
        }
        throw BackupFolder.refused(goal + " is before the oldest point in " + folder.path() + ", " + points.get(0).name());
    }

    private Result into(Path target) throws IOException {
        boolean made = !Files.exists(target);
        Folders.create(target);
        Path unfinished = target.resolve(UNFINISHED);
        boolean complete = false;
        try {
            disk.createFolder(unfinished);
            requireRoom(target);
            List<Restored> restored = restore(unfinished);
            putInPlace(unfinished, target);
            complete = true;
            return new Result(point, restored);
        } finally {
            if (!complete) {
                discard(unfinished, target, made);
            }
        }
    }

    private void discard(Path unfinished, Path target, boolean made) {
        try {
            disk.deleteTree(unfinished);
            if (made) {
                disk.delete(target);
            }
        } catch (IOException e) {
            LOG.warn("{} is not needed, and cannot be removed: {}", unfinished, e.toString());
        }
    }

    private void requireRoom(Path target) throws IOException {
        total = point.bytes();
        long free = disk.freeBytes(target);
        if (free < total) {
            throw new StoreException(StoreException.Kind.DISK_FULL, "the disk of " + target + " has " + free
                    + " bytes free, what is restored needs " + total + " and the log beside it");
        }
    }

    private List<Restored> restore(Path target) throws IOException {
        progress.update("restoring", 0, total);
        for (SavedFile file : files().files()) {
            write(file, target);
        }
        Path partitions = target.resolve(PARTITIONS);
        disk.createFolder(partitions);
        List<Restored> restored = new ArrayList<>();
        for (SavedStore store : point.stores()) {
            restored.add(restore(store, partitions.resolve(store.partition())));
        }
        disk.syncFolder(partitions);
        disk.syncFolder(target);
        for (SavedStore store : point.stores()) {
            verify(partitions.resolve(store.partition()));
        }
        return restored;
    }

    /** The point whose schema and configuration hold what the log brings: the first that was taken after it. */
    private BackupPoint files() {
        if (goal instanceof RestoreGoal.Point) {
            return point;
        }
        for (BackupPoint later : points.subList(points.indexOf(point), points.size())) {
            if (later.stores().stream().allMatch(store -> goal.isReachedBy(later, store))) {
                return later;
            }
        }
        return points.get(points.size() - 1);
    }

    private void write(SavedFile file, Path target) throws IOException {
        Path path = target;
        String[] parts = file.name().split("/");
        for (int i = 0; i < parts.length - 1; i++) {
            path = path.resolve(parts[i]);
            if (!Files.isDirectory(path)) {
                disk.createFolder(path);
            }
        }
        byte[] bytes = folder.readContent(file.sha256());
        try (DiskFile out = disk.create(path.resolve(parts[parts.length - 1]))) {
            out.write(ByteBuffer.wrap(bytes), 0);
            out.sync();
        }
        disk.syncFolder(path);
        worked(bytes.length);
    }

    private void worked(long bytes) {
        done += bytes;
        progress.update("restoring", done, total);
    }

    private Restored restore(SavedStore store, Path target) throws IOException {
        Manifest manifest = BackupChecker.checkManifest(folder, store).asStore(UUID.randomUUID());
        disk.createFolder(target);
        // First, because it may end the restore.
        Restored restored = writeLog(store, manifest, target);
        StoreFolder files = new StoreFolder(disk, target);
        SegmentCopy copy = new SegmentCopy(disk, this::worked);
        for (SavedSegment segment : store.segments()) {
            Path source = folder.segment(segment.sha256());
            SegmentDescriptor descriptor = BackupChecker.descriptor(folder, segment);
            copy.copy(source, name -> SystemDisk.INSTANCE.open(source.resolve(name), false), descriptor,
                    Files.readAllBytes(source.resolve(SegmentDescriptor.FILE_NAME)), files.segment(segment.number()));
        }
        ManifestFile.write(disk, target, manifest);
        return restored;
    }

    /** The log behind the segments, up to the goal. */
    private Restored writeLog(SavedStore store, Manifest manifest, Path target) throws IOException {
        long upTo = goal instanceof RestoreGoal.Point ? store.sequence()
                : goal instanceof RestoreGoal.Change change ? change.sequence() : Long.MAX_VALUE;
        long[] last = {store.baseSequence(), store.baseTimeMillis(), manifest.entries()};
        boolean[] isOver = {false};
        CommitLog log = CommitLog.create(disk, target, manifest.storeId(), manifest.firstLog(), store.baseTimeMillis());
        boolean complete = false;
        try {
            LogSource.Since read = folder.log(store).read(store.baseSequence(), upTo, group -> {
                isOver[0] |= goal instanceof RestoreGoal.At at && group.timeMillis() > at.moment().toEpochMilli();
                if (!isOver[0]) {
                    append(log, group);
                    last[0] = group.lastSequence();
                    last[1] = group.timeMillis();
                    last[2] += BackupWriter.netEntries(group);
                }
            });
            requireReached(store, read, upTo, isOver[0]);
            complete = true;
        } catch (UncheckedIOException e) {
            throw e.getCause();
        } finally {
            if (complete) {
                log.finish();
            } else {
                log.close();
            }
        }
        return new Restored(store.partition(), last[0], last[1], last[2]);
    }

    private static void append(CommitLog log, LogGroup group) {
        try {
            log.append(group);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Nothing of what was asked for is missing. */
    private void requireReached(SavedStore store, LogSource.Since read, long upTo, boolean isOver) {
        if (read == LogSource.Since.MISSING || read.timeMillis() != store.baseTimeMillis() || read.lastSequence() < store.sequence()
                && goal instanceof RestoreGoal.Point) {
            throw new StoreException(StoreException.Kind.CORRUPT, folder.log(store.storeId()) + " does not hold the log from change "
                    + (store.baseSequence() + 1) + " on, which the point " + point.name() + " needs");
        }
        boolean reached = isOver || read.lastSequence() >= upTo || goal instanceof RestoreGoal.At at
                && points.stream().anyMatch(later -> later.stores().stream().anyMatch(each -> each.storeId().equals(store.storeId())
                        && goal.isReachedBy(later, each) && each.sequence() <= read.lastSequence()));
        if (!reached) {
            throw BackupFolder.refused("the log in " + folder.path() + " does not go on from the point " + point.name() + " to " + goal
                    + ": it ends with change " + read.lastSequence() + ". Later changes were made after the last backup, or came by an"
                    + " import, or there were more of them between two backups than the server keeps (changeHistoryBytes)");
        }
    }

    private void verify(Path store) {
        progress.update("verifying", 0, 0);
        List<String> problems = FolderChecker.check(store);
        if (!problems.isEmpty()) {
            throw new StoreException(StoreException.Kind.CORRUPT, "what was restored is not whole: " + String.join("; ", problems));
        }
    }

    /** The partitions last: without them there is nothing to serve. */
    private void putInPlace(Path unfinished, Path target) throws IOException {
        for (Path file : disk.list(unfinished)) {
            if (!file.getFileName().toString().equals(PARTITIONS)) {
                disk.replace(file, target.resolve(file.getFileName()));
            }
        }
        disk.replace(unfinished.resolve(PARTITIONS), target.resolve(PARTITIONS));
        disk.delete(unfinished);
        disk.syncFolder(target);
    }
}
