package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.store.EntryIndexer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names in a store's folder, and the removal of what no manifest names. Thread safe. */
final class StoreFolder {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFolder.class);
    private static final String SEGMENT_PREFIX = "segment-";

    private final Disk disk;
    private final Path path;
    private final long changeHistoryBytes;

    /** Keeps no logs that recovery does not need. */
    StoreFolder(Disk disk, Path path) {
        this(disk, path, 0);
    }

    /** @param changeHistoryBytes how much of the logs that recovery does not need is kept */
    StoreFolder(Disk disk, Path path, long changeHistoryBytes) {
        this.disk = disk;
        this.path = path;
        this.changeHistoryBytes = changeHistoryBytes;
    }

    Disk disk() {
        return disk;
    }

    Path path() {
        return path;
    }

    LogFolder logs() {
        return new LogFolder(disk, path);
    }

    Path segment(long number) {
        return path.resolve(SEGMENT_PREFIX + String.format("%06d", number));
    }

    static long numberOf(Path segmentFolder) {
        return Long.parseLong(segmentFolder.getFileName().toString().substring(SEGMENT_PREFIX.length()));
    }

    /** Removes the logs that neither recovery from the given one on nor the change history needs. */
    void removeLogsBefore(long firstLog) throws IOException {
        logs().removeBefore(firstLog, changeHistoryBytes);
    }

    /** Removes what a crash or an ended generation left behind. Nothing the manifest names is touched. */
    void removeLeftovers(Manifest manifest) throws IOException {
        logs().adoptPrepared(manifest.firstLog());
        Set<Path> needed = new HashSet<>();
        manifest.segments().forEach(segment -> needed.add(segment(segment.number())));
        List<Path> oldLogs = logs().superfluous(manifest.firstLog(), changeHistoryBytes);
        for (Path file : disk.list(path)) {
            String name = file.getFileName().toString();
            boolean oldLog = oldLogs.contains(file);
            boolean segment = name.startsWith(SEGMENT_PREFIX) && !needed.contains(file);
            if (oldLog || name.equals(ManifestFile.NEW_NAME)) {
                LOG.info("Removing {}: no longer needed", file);
                disk.delete(file);
            } else if (segment) {
                LOG.info("Removing {}: not published, or replaced", file);
                disk.deleteTree(file);
            }
        }
    }

    /** The folder's manifest; where there is none, and no data, a new store is made. */
    Manifest readOrCreate(EntryIndexer indexer) throws IOException {
        Manifest manifest = ManifestFile.read(path);
        if (manifest != null) {
            return manifest;
        }
        requireNoData();
        manifest = Manifest.empty(UUID.randomUUID(), indexer);
        CommitLog.create(disk, path, manifest.storeId(), manifest.firstLog(), System.currentTimeMillis()).finish();
        ManifestFile.write(disk, path, manifest);
        LOG.info("Made a new store in {}", path);
        return manifest;
    }

    /** Refuses to make a new store where data are but their manifest is not. */
    private void requireNoData() throws IOException {
        for (Path file : disk.list(path)) {
            boolean log = LogFolder.firstSequenceOf(file) >= 0 && logs().holdsRecords(file);
            if (log || file.getFileName().toString().startsWith(SEGMENT_PREFIX)) {
                throw new StoreException(StoreException.Kind.CORRUPT, "the file " + path.resolve(ManifestFile.NAME)
                        + " is missing, but there are data, such as " + file + ": restore it from a backup");
            }
        }
    }

    /** Makes the folder, and those above it, if they are not there. */
    void create() throws IOException {
        create(path.toAbsolutePath());
    }

    private void create(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            create(folder.getParent());
            disk.createFolder(folder);
            disk.syncFolder(folder.getParent());
        }
    }
}
