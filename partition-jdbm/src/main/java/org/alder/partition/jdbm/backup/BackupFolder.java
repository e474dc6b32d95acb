package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.CheckedText;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder of backups, format version 1 (docs/format/backup.md): where its parts are, and the points in it. Whatever a point names
 * is there before the point is. Immutable; reading is safe beside a backup that is being made.
 */
public final class BackupFolder {
    private static final Logger LOG = LoggerFactory.getLogger(BackupFolder.class);
    static final String LOCK = "LOCK";
    private static final String VERSION_FILE = "alder-backup";
    private static final String VERSION_LINE = "alder-backup 1\n";
    private static final CheckedText CHECKED = new CheckedText("crc32c");
    private static final long MOST_BYTES = 64L << 20;
    private static final String POINTS = "points";
    private static final String CONTENTS = "files";
    private static final String SEGMENTS = "segments";
    private static final String LOGS = "logs";
    private static final String SEGMENT_PREFIX = "segment-";

    private final Disk disk;
    private final Path path;

    private BackupFolder(Disk disk, Path path) {
        this.disk = disk;
        this.path = path;
    }

    /**
     * One that is there.
     *
     * @throws StoreException of kind REFUSED where it is none, or one of another version; CORRUPT
     */
    public static BackupFolder open(Path path) throws IOException {
        return open(SystemDisk.INSTANCE, path);
    }

    private static BackupFolder open(Disk disk, Path path) throws IOException {
        Path version = path.resolve(VERSION_FILE);
        if (!Files.isDirectory(path)) {
            throw refused("no such folder: " + path);
        }
        try {
            String found = CHECKED.decode(Files.readAllBytes(version));
            if (!found.equals(VERSION_LINE)) {
                throw refused(version + " says \"" + found.strip() + "\", expected \"" + VERSION_LINE.strip() + "\"");
            }
        } catch (NoSuchFileException e) {
            throw refused(path + " is no folder of backups: there is no " + version);
        } catch (IllegalArgumentException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, version + ": " + e.getMessage(), e);
        }
        return new BackupFolder(disk, path);
    }

    /** One that is there or is made; the folder itself is, and is locked by the caller. */
    static BackupFolder openOrMake(Disk disk, Path path) throws IOException {
        if (!Files.exists(path.resolve(VERSION_FILE))) {
            Set<String> ours = Set.of(LOCK, VERSION_FILE + AtomicFile.NEW_SUFFIX, POINTS, CONTENTS, SEGMENTS, LOGS);
            for (Path file : disk.list(path)) {
                if (!ours.contains(file.getFileName().toString())) {
                    throw refused(path + " is no folder of backups, and is not empty: there is " + file.getFileName()
                            + " in it. Expected a new folder or an empty one");
                }
            }
            for (String name : List.of(POINTS, CONTENTS, SEGMENTS, LOGS)) {
                make(disk, path.resolve(name));
            }
            new AtomicFile(disk).replace(path.resolve(VERSION_FILE), CHECKED.encode(VERSION_LINE));
        }
        return open(disk, path);
    }

    private static void make(Disk disk, Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            disk.createFolder(folder);
            disk.syncFolder(folder.getParent());
        }
    }

    static StoreException refused(String message) {
        return new StoreException(StoreException.Kind.REFUSED, message);
    }

    Disk disk() {
        return disk;
    }

    public Path path() {
        return path;
    }

    Path point(String name) {
        return path.resolve(POINTS).resolve(name);
    }

    /** A small file, by its SHA-256. */
    Path content(String sha256) {
        return path.resolve(CONTENTS).resolve(sha256);
    }

    /** A segment, by the SHA-256 of its descriptor. */
    Path segment(String sha256) {
        return path.resolve(SEGMENTS).resolve(SEGMENT_PREFIX + sha256);
    }

    /** The SHA-256 in the name of a segment's folder, or what else stands there. */
    static String sha256OfSegment(Path segment) {
        return segment.getFileName().toString().substring(SEGMENT_PREFIX.length());
    }

    boolean hasSegment(String sha256) {
        return Files.isDirectory(segment(sha256));
    }

    /**
     * Keeps a segment; durable when this returns. Where that fails it takes no room.
     *
     * @param source     where it is, for messages
     * @param descriptor what {@code bytes} say, which have this SHA-256
     */
    void addSegment(SegmentCopy copy, Path source, SegmentCopy.Source files, SegmentDescriptor descriptor, byte[] bytes, String sha256) throws IOException {
        Path target = segment(sha256);
        Path fresh = target.resolveSibling(target.getFileName() + AtomicFile.NEW_SUFFIX);
        boolean complete = false;
        try {
            copy.copy(source, files, descriptor, bytes, fresh);
            disk.replace(fresh, target);
            disk.syncFolder(target.getParent());
            complete = true;
        } finally {
            if (!complete) {
                discard(fresh);
            }
        }
    }

    private void discard(Path fresh) {
        try {
            disk.deleteTree(fresh);
        } catch (IOException e) {
            LOG.debug("{} stays until the next backup", fresh, e);
        }
    }

    /**
     * What copies segments to here, and tells how far it is.
     *
     * @param totalBytes of all of them
     * @throws StoreException of kind DISK_FULL where there is no room for these
     */
    SegmentCopy copying(String phase, long totalBytes, BuildProgress progress) throws IOException {
        long free = disk.freeBytes(path);
        if (free < totalBytes) {
            throw new StoreException(StoreException.Kind.DISK_FULL, "the disk of " + path + " has " + free + " bytes free, the backup needs " + totalBytes
                    + "; the points that are there are whole, and --keep N removes old ones");
        }
        long[] copied = {0};
        progress.update(phase, 0, totalBytes);
        return new SegmentCopy(disk, bytes -> {
            copied[0] += bytes;
            progress.update(phase, copied[0], totalBytes);
        });
    }

    Path log(UUID storeId) {
        return path.resolve(LOGS).resolve(storeId.toString());
    }

    /** The log of a store, to be added to. */
    LogArchive logForWriting(UUID storeId) throws IOException {
        make(disk, log(storeId));
        return LogArchive.forWriting(disk, log(storeId), storeId);
    }

    LogArchive log(BackupPoint.SavedStore store) {
        return new LogArchive(disk, log(store.storeId()), store.storeId());
    }

    List<Path> contents() throws IOException {
        return disk.list(path.resolve(CONTENTS));
    }

    List<Path> segments() throws IOException {
        return disk.list(path.resolve(SEGMENTS)).stream()
                .filter(each -> each.getFileName().toString().startsWith(SEGMENT_PREFIX)).toList();
    }

    List<Path> logs() throws IOException {
        return disk.list(path.resolve(LOGS));
    }

    /** The names of all points, oldest first, also of damaged ones. */
    public List<String> pointNames() throws IOException {
        try {
            return disk.list(path.resolve(POINTS)).stream().map(file -> file.getFileName().toString()).filter(BackupPoint::isName).toList();
        } catch (NoSuchFileException | NotDirectoryException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, path.resolve(POINTS) + " is missing", e);
        }
    }

    /**
     * @throws StoreException of kind REFUSED where there is no such point, CORRUPT where it is damaged
     */
    public BackupPoint read(String name) throws IOException {
        List<String> names = pointNames();
        if (!names.contains(name)) {
            throw refused("no point \"" + name + "\" in " + path + (names.isEmpty() ? ", which has none" : ": the newest is "
                    + names.get(names.size() - 1) + ", and alder backup list shows the others"));
        }
        return PointFile.read(point(name));
    }

    /**
     * All points, oldest first.
     *
     * @throws StoreException of kind CORRUPT where one is damaged
     */
    public List<BackupPoint> points() throws IOException {
        List<BackupPoint> points = new ArrayList<>();
        for (String name : pointNames()) {
            points.add(PointFile.read(point(name)));
        }
        return points;
    }

    /**
     * The bytes of a small file.
     *
     * @throws StoreException of kind CORRUPT where they are not those that were saved
     */
    byte[] readContent(String sha256) throws IOException {
        Path file = content(sha256);
        try {
            if (Files.size(file) > MOST_BYTES) {
                throw new StoreException(StoreException.Kind.CORRUPT, file + " has " + Files.size(file) + " bytes, expected at most "
                        + MOST_BYTES);
            }
            byte[] bytes = Files.readAllBytes(file);
            if (!Digest.sha256(bytes).equals(sha256)) {
                throw new StoreException(StoreException.Kind.CORRUPT, file + ": its " + bytes.length + " bytes have the SHA-256 "
                        + Digest.sha256(bytes) + ", expected that of its name");
            }
            return bytes;
        } catch (NoSuchFileException e) {
            throw new StoreException(StoreException.Kind.CORRUPT, file + " is missing", e);
        }
    }

    /** Keeps a small file, if it is not here yet, or damaged; durable when this returns. */
    String keepContent(byte[] bytes) throws IOException {
        String sha256 = Digest.sha256(bytes);
        Path file = content(sha256);
        if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), bytes)) {
            new AtomicFile(disk).replace(file, bytes);
        }
        return sha256;
    }

    /** From now on the point is there. */
    void publish(BackupPoint point) throws IOException {
        for (String folder : List.of(CONTENTS, SEGMENTS, LOGS)) {
            disk.syncFolder(path.resolve(folder));
        }
        new AtomicFile(disk).replace(point(point.name()), PointFile.encode(point));
    }
}
