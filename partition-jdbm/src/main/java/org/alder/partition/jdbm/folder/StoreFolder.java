package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.LogFolder;
import org.alder.partition.jdbm.log.StoredLog;
import org.alder.partition.store.EntryIndexer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names in a store's folder. Thread safe. */
public final class StoreFolder {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFolder.class);
    private static final String SEGMENT_PREFIX = "segment-";
    private static final int MAX_NUMBER_DIGITS = 18;

    private final Disk disk;
    private final Path path;
    private final LongSupplier changeHistoryBytes;

    /** Keeps no logs that recovery does not need. */
    public StoreFolder(Disk disk, Path path) {
        this(disk, path, () -> 0);
    }

    /** @param changeHistoryBytes how much of the logs that recovery does not need is kept, asked for each time */
    public StoreFolder(Disk disk, Path path, LongSupplier changeHistoryBytes) {
        this.disk = disk;
        this.path = path;
        this.changeHistoryBytes = changeHistoryBytes;
    }

    public Disk disk() {
        return disk;
    }

    public Path path() {
        return path;
    }

    public LogFolder logs() {
        return new LogFolder(disk, path);
    }

    /** What the log files of the store with that ID hold. */
    public StoredLog log(UUID storeId) {
        return new StoredLog(disk, path, storeId);
    }

    /** The folder of a segment that is there, whatever digits its name was written with, or the one to make for it. */
    public Path segment(long number) {
        Path usual = path.resolve(SEGMENT_PREFIX + String.format(Locale.ROOT, "%06d", number));
        if (Files.isDirectory(usual)) {
            return usual;
        }
        try {
            return disk.list(path).stream().filter(file -> numberOf(file) == number).findFirst().orElse(usual);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot list " + path + ": " + e, e);
        }
    }

    /**
     * The number in the name of a segment's folder, or -1 where it is no such name. Earlier versions wrote it with the digits of
     * the locale they ran in.
     */
    public static long numberOf(Path segmentFolder) {
        String name = segmentFolder.getFileName().toString();
        if (!name.startsWith(SEGMENT_PREFIX)) {
            return -1;
        }
        int[] digits = name.substring(SEGMENT_PREFIX.length()).codePoints().map(c -> Character.digit(c, 10)).toArray();
        if (digits.length == 0 || digits.length > MAX_NUMBER_DIGITS || IntStream.of(digits).anyMatch(digit -> digit < 0)) {
            return -1;
        }
        return IntStream.of(digits).asLongStream().reduce(0, (number, digit) -> 10 * number + digit);
    }

    /** Removes the logs that neither recovery from the given one on nor the change history needs. */
    public void removeLogsBefore(long firstLog) throws IOException {
        logs().removeBefore(firstLog, changeHistoryBytes.getAsLong());
    }

    /** The logs that {@link #removeLogsBefore} removes. */
    List<Path> superfluousLogs(long firstLog) throws IOException {
        return logs().superfluous(firstLog, changeHistoryBytes.getAsLong());
    }

    /** The folder's manifest; where there is none, and no data, a new store is made. */
    public Manifest readOrCreate(EntryIndexer indexer) throws IOException {
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
            String name = file.getFileName().toString();
            if (log || name.startsWith(SEGMENT_PREFIX) || name.equals(Leftovers.FOLDER)) {
                throw new StoreException(StoreException.Kind.CORRUPT, "the file " + path.resolve(ManifestFile.NAME)
                        + " is missing, but there are data, such as " + file + ": restore it from a backup");
            }
        }
    }

    /** Makes the folder, and those above it, if they are not there. */
    public void create() throws IOException {
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
