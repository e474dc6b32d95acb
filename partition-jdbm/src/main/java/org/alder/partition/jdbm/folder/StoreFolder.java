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
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.SharedLog;
import org.alder.partition.jdbm.log.StoredLog;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.alder.partition.jdbm.segment.SegmentSettings;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.FeatureLevel;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The names in a store's folder, and where its log is: there, or shared with other stores. Thread safe. */
public final class StoreFolder {
    private static final Logger LOG = LoggerFactory.getLogger(StoreFolder.class);
    private static final String SEGMENT_PREFIX = "segment-";
    private static final int MAX_NUMBER_DIGITS = 18;

    private final Disk disk;
    private final Path path;
    private final LongSupplier changeHistoryBytes;
    /** Null where the store has its own log. */
    private final SharedLog shared;

    /** Keeps no logs that recovery does not need. */
    public StoreFolder(Disk disk, Path path) {
        this(disk, path, () -> 0);
    }

    /** @param changeHistoryBytes how much of the logs that recovery does not need is kept, asked for each time */
    public StoreFolder(Disk disk, Path path, LongSupplier changeHistoryBytes) {
        this(disk, path, changeHistoryBytes, null);
    }

    /** @param shared the log of the store; null if it has its own, in files of the folder */
    public StoreFolder(Disk disk, Path path, LongSupplier changeHistoryBytes, SharedLog shared) {
        this.disk = disk;
        this.path = path;
        this.changeHistoryBytes = changeHistoryBytes;
        this.shared = shared;
    }

    public Disk disk() {
        return disk;
    }

    public Path path() {
        return path;
    }

    /** What is free on its disk; -1 where that cannot be asked. */
    public long freeBytes() {
        try {
            return disk.freeBytes(path);
        } catch (IOException e) {
            return -1;
        }
    }

    public LogFolder logs() {
        return new LogFolder(disk, path);
    }

    /** Null where the store has its own log. */
    public SharedLog shared() {
        return shared;
    }

    /** Of the shared log; 0 where the store has its own. */
    public long epoch() {
        return shared == null ? 0 : shared.epoch();
    }

    /** How segments are written here: as all read them who share the log, and may copy them. */
    public SegmentSettings segmentSettings() {
        boolean isNewest = shared == null || shared.level() >= FeatureLevel.CODED_ENTRIES;
        return SegmentSettings.defaults().withVersion(isNewest ? SegmentDescriptor.VERSION : SegmentDescriptor.WITH_TABLE).withDisk(disk);
    }

    /** What the log of the store with that ID holds. */
    public LogSource source(UUID storeId) {
        return shared == null ? log(storeId) : shared.source();
    }

    /** Where recovery from what a manifest names begins to read the log. */
    public long firstPart(Manifest manifest) throws IOException {
        return shared == null ? manifest.firstLog() : shared.source().partOf(manifest.firstLog());
    }

    /** The first log that is needed to go on from the given transaction. A shared log finds the place by the transaction itself. */
    public long firstLogFor(UUID storeId, long sequence) throws IOException {
        return shared == null ? log(storeId).partOf(sequence) : sequence;
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

    /** Gives up the logs that neither recovery from the given one on nor the change history needs. */
    public void removeLogsBefore(long firstLog) throws IOException {
        if (shared != null) {
            shared.flushed(firstLog - 1);
        }
        logs().removeBefore(firstLog, changeHistoryBytes.getAsLong());
    }

    /** The logs that {@link #removeLogsBefore} removes. */
    List<Path> superfluousLogs(long firstLog) throws IOException {
        return logs().superfluous(firstLog, changeHistoryBytes.getAsLong());
    }

    /**
     * The folder's manifest; where there is none, and no data, a new store is made.
     *
     * @throws StoreException of kind REFUSED where the store has another log than this; OUTDATED where it shares this one, which does not
     *         reach back to what the store has: it needs a copy of another replica
     */
    public Manifest readOrCreate(EntryIndexer indexer) throws IOException {
        Manifest manifest = ManifestFile.read(path);
        if (manifest == null) {
            requireNoData();
            manifest = shared == null ? Manifest.empty(UUID.randomUUID(), indexer)
                    : Manifest.empty(shared.storeId(), indexer).sharing(new Manifest.Shared(shared.generation(), 0));
            if (shared == null) {
                CommitLog.create(disk, path, manifest.storeId(), manifest.firstLog(), System.currentTimeMillis()).finish();
            } else {
                requireSuited(manifest);
            }
            ManifestFile.write(disk, path, manifest);
            LOG.info("Made a new store in {}", path);
        } else if (shared == null) {
            requireOwnLog(path, manifest);
        } else {
            requireSuited(manifest);
        }
        return manifest;
    }

    /** @throws StoreException of kind REFUSED where the store's log is not its own, so that its folder alone does not tell what it holds */
    public static void requireOwnLog(Path path, Manifest manifest) {
        if (manifest.shared() != null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store in " + path + " is a replica: its log is with the "
                    + "cluster it belongs to, and what its folder holds is not all of it. Only a member of that cluster can open it");
        }
    }

    private void requireSuited(Manifest manifest) throws IOException {
        if (manifest.shared() == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store in " + path + " has a log of its own; a replica needs a copy of "
                    + "another replica, or an empty folder");
        }
        if (!manifest.storeId().equals(shared.storeId())) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store in " + path + " is a replica of " + manifest.storeId()
                    + ", but the log is of " + shared.storeId());
        }
        long generation = manifest.shared().generation();
        if (generation > shared.generation() || manifest.shared().epoch() > shared.epoch()) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store in " + path + " has seen generation " + generation
                    + " and epoch " + manifest.shared().epoch() + " of its log, but that is at generation " + shared.generation() + " and epoch "
                    + shared.epoch() + ": a load that was not finished, or a log that was put back to an old state");
        }
        if (generation < shared.generation() || shared.firstSequence() > manifest.lastFlushed() + 1) {
            throw new StoreException(StoreException.Kind.OUTDATED, "the store in " + path + " ends at sequence " + manifest.lastFlushed()
                    + " of generation " + generation + ", but the log begins with " + shared.firstSequence() + " of generation "
                    + shared.generation() + ": the replica needs a copy of another one");
        }
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
