package org.alder.partition.jdbm.backup;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.Folders;
import org.alder.partition.jdbm.backup.BackupPoint.SavedFile;
import org.alder.partition.jdbm.backup.BackupPoint.SavedSegment;
import org.alder.partition.jdbm.backup.BackupPoint.SavedStore;
import org.alder.partition.jdbm.backup.PinnedStore.PinnedSegment;
import org.alder.partition.jdbm.disk.AtomicFile;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.RepeatedLook;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.store.BulkLoad.BuildProgress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes backups of stores, also while a server holds them: it reads their folders, and neither asks the server nor makes it wait. A
 * backup copies the segments that the folder of backups lacks, and what the log has beyond it; then it writes the point, so that one
 * that is interrupted leaves the earlier points as they are. Holds the folder of backups until it is closed. One thread.
 */
public final class BackupWriter implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(BackupWriter.class);
    private static final long MOST_FILE_BYTES = 64L << 20;
    private static final long MOST_LOG_FILE_BYTES = 64L << 20;

    private final BackupFolder folder;
    private final FolderLock lock;
    private final Map<UUID, LogArchive> logs = new TreeMap<>();
    /** Of stores that others hold, as they were copied last, by their partitions. */
    private final Map<String, Manifest> elsewhere = new TreeMap<>();

    private BackupWriter(BackupFolder folder, FolderLock lock) {
        this.folder = folder;
        this.lock = lock;
    }

    /**
     * Opens a folder of backups, which is made where it is not there.
     *
     * @throws StoreException of kind REFUSED where another backup is being made there, or it is something else; IO
     */
    public static BackupWriter open(Path path) {
        return open(path, SystemDisk.INSTANCE);
    }

    /** @param disk what it is written to */
    static BackupWriter open(Path path, Disk disk) {
        FolderLock lock = null;
        boolean complete = false;
        try {
            Folders.create(path);
            lock = acquire(disk, path);
            BackupWriter writer = new BackupWriter(BackupFolder.openOrMake(disk, path), lock);
            writer.removeUnfinished();
            complete = true;
            return writer;
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot write backups to " + path + ": " + e.getMessage(), e);
        } finally {
            if (!complete) {
                FolderLock.release(lock);
            }
        }
    }

    private static FolderLock acquire(Disk disk, Path path) throws IOException {
        try {
            return FolderLock.acquire(disk, path);
        } catch (StoreException e) {
            throw new StoreException(e.kind(), "another backup to " + path + " is being made: " + e.getMessage(), e);
        }
    }

    /** What an interrupted backup has left, and no point names. */
    private void removeUnfinished() throws IOException {
        List<Path> all = new ArrayList<>(folder.segments());
        all.addAll(folder.contents());
        for (Path file : all) {
            if (file.getFileName().toString().endsWith(AtomicFile.NEW_SUFFIX)) {
                folder.disk().deleteTree(file);
            }
        }
    }

    /** Whether there is a store in a folder. */
    public static boolean isStore(Path folder) {
        return Files.exists(folder.resolve(ManifestFile.NAME));
    }

    public BackupFolder folder() {
        return folder;
    }

    /**
     * Where a partition's store is.
     *
     * @param partition the name of its folder
     * @param store     null where it is not here, and members of the cluster hold it
     * @param cluster   where its log is, which it shares with others; null where that is in its folder
     */
    public record Source(String partition, Path store, ClusterContents cluster) {
        /** With a log of its own. */
        public Source(String partition, Path store) {
            this(partition, store, null);
        }

        boolean isElsewhere() {
            return store == null;
        }
    }

    /** Names the small files of a backup when the stores have been looked at, so that none is older than they are. */
    @FunctionalInterface
    public interface SmallFiles {
        /** By the name in a data folder, with {@code /} between folders. One that is gone when it is read is passed over. */
        Map<String, Path> list() throws IOException;

        /** Those whose bytes are not those of a file here, by the same names; they take the place of files. */
        default Map<String, byte[]> given() throws IOException {
            return Map.of();
        }
    }

    /**
     * Makes a backup. If it fails, this is of no more use.
     *
     * @return the point that is there now
     * @throws StoreException of kind DISK_FULL where there is no room, REFUSED, CORRUPT (naming the file) where a store is damaged,
     *         IO; what was there before is whole then
     */
    public BackupPoint save(List<Source> sources, SmallFiles files, BuildProgress progress) {
        Map<Source, PinnedStore> pinned = new LinkedHashMap<>();
        try {
            Instant taken = nextMoment();
            List<SavedStore> stores = new ArrayList<>();
            StateAt state = pinAll(sources, pinned, progress);
            for (Source source : sources) {
                stores.add(saved(source, pinned.get(source), state));
            }
            List<SavedFile> saved = keep(files);
            copySegments(pinned.values(), progress);
            BackupPoint point = new BackupPoint(taken, saved, stores);
            folder.publish(point);
            return point;
        } catch (IOException e) {
            throw failed(e);
        } catch (UncheckedIOException e) {
            throw failed(e.getCause());
        } finally {
            pinned.values().forEach(this::release);
        }
    }

    /**
     * As of when several stores are brought back: what one of them had done because another one had done something is there only with that.
     *
     * @param sequences by store, up to where all is taken in any case
     * @param millis    behind that, up to when
     */
    private record StateAt(Map<UUID, Long> sequences, long millis) {
        boolean has(UUID store, LogGroup group) {
            return group.lastSequence() <= sequences.get(store) || group.timeMillis() <= millis;
        }
    }

    /** One store is pinned after the other: so all logs are read on up to a moment that is behind all of these. */
    private StateAt pinAll(List<Source> sources, Map<Source, PinnedStore> pinned, BuildProgress progress) throws IOException {
        ElsewhereCopy copy = new ElsewhereCopy(folder, progress);
        // What takes long comes first: the logs of the others might not reach back so far any more.
        List<Source> elsewhereFirst = sources.stream().sorted(Comparator.comparing(source -> !source.isElsewhere())).toList();
        for (int attempt = 1; attempt <= RepeatedLook.ATTEMPTS; attempt++) {
            for (Source source : elsewhereFirst) {
                pinned.put(source, source.isElsewhere() ? pinElsewhere(source, copy) : pin(source));
            }
            Map<UUID, Long> sequences = new TreeMap<>();
            pinned.values().forEach(store -> sequences.put(store.manifest().storeId(), logs.get(store.manifest().storeId()).last()));
            long millis = System.currentTimeMillis();
            if (pinned.size() == 1 || goOn(pinned)) {
                return new StateAt(sequences, millis);
            }
            pinned.values().forEach(this::release);
            pinned.clear();
        }
        throw new StoreException(StoreException.Kind.IO, "the stores are flushed, and their logs removed, more quickly than they can be read one after"
                + " the other. Try again when less is written");
    }

    private boolean goOn(Map<Source, PinnedStore> pinned) throws IOException {
        boolean all = true;
        for (Map.Entry<Source, PinnedStore> each : pinned.entrySet()) {
            Source source = each.getKey();
            Manifest manifest = each.getValue().manifest();
            all &= look(source, () -> logs.get(manifest.storeId()).goOn(logOf(source, manifest)));
        }
        return all;
    }

    /** Beside a server, where it has one here. */
    private static <T> T look(Source source, RepeatedLook.Look<T> look) throws IOException {
        return source.isElsewhere() ? look.take() : RepeatedLook.at(source.store(), look);
    }

    private PinnedStore pinElsewhere(Source source, ElsewhereCopy copy) throws IOException {
        return copy.take(source, manifest -> {
            copyLog(source, manifest);
            elsewhere.put(source.partition(), manifest);
        });
    }

    private StoreException failed(IOException e) {
        return new StoreException(StoreException.Kind.IO, "the backup to " + folder.path() + " was not finished, and the points that"
                + " were there before are whole: " + e.getMessage(), e);
    }

    private void release(PinnedStore store) {
        try {
            store.close();
        } catch (IOException e) {
            LOG.warn("Cannot close the files of {}: {}", store.folder(), e.toString());
        }
    }

    /** Later than all points, whatever the clock says. */
    private Instant nextMoment() throws IOException {
        Instant now = Instant.now().truncatedTo(ChronoUnit.MILLIS);
        List<BackupPoint> points = folder.points();
        Instant newest = points.isEmpty() ? now.minusMillis(1) : points.get(points.size() - 1).taken();
        return now.isAfter(newest) ? now : newest.plusMillis(1);
    }

    /** The segments that a manifest names, and in the folder of backups the log from there on. */
    private PinnedStore pin(Source source) throws IOException {
        return RepeatedLook.at(source.store(), () -> {
            PinnedStore store = PinnedStore.open(SystemDisk.INSTANCE, source.store(), folder::hasSegment);
            boolean complete = false;
            try {
                copyLog(source, store.manifest());
                complete = true;
                return store;
            } finally {
                if (!complete) {
                    release(store);
                }
            }
        });
    }

    /** @return whether there is a gap before what was copied */
    private boolean copyLog(Source source, Manifest manifest) throws IOException {
        UUID id = manifest.storeId();
        LogArchive log = logs.get(id);
        if (log == null) {
            log = folder.logForWriting(id);
            logs.put(id, log);
        }
        if (!log.reachesBack(manifest.lastFlushed())) {
            throw new StoreException(StoreException.Kind.REFUSED, "the segments of " + source.partition() + " end with transaction " + manifest.lastFlushed()
                    + ", and " + folder.path() + " has its log from a later one on only, as of another member's segments: try again later, or back up to another folder");
        }
        return log.copy(logOf(source, manifest), manifest);
    }

    private static LogSource logOf(Source source, Manifest manifest) throws IOException {
        if (manifest.shared() == null && source.cluster() != null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store in " + source.store() + " is not that of a member of a cluster: back it up"
                    + " without --cluster");
        }
        if (manifest.shared() != null && source.cluster() == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store in " + source.store() + " is that of a member of a cluster, and its log is"
                    + " there: add --cluster FILE, with the file that the member is started with");
        }
        return manifest.shared() == null ? new StoreFolder(SystemDisk.INSTANCE, source.store()).log(manifest.storeId())
                : source.cluster().log(source.partition(), manifest.storeId(), manifest.shared().generation(), manifest.lastFlushed());
    }

    /**
     * Copies what the logs of the stores have beyond what is here, so that the time after the newest point can be brought back, too.
     * If it fails, this is of no more use.
     *
     * @return whether all of it can be: if not, some of the log was removed before it could be copied, or a bulk load is not in it, or a store is not there
     *         any more, and a new point is needed
     * @throws StoreException as {@link #save}
     */
    public boolean copyLogs(List<Source> sources) {
        try {
            boolean gap = false;
            for (Source source : sources) {
                gap |= source.isElsewhere() ? copyLogElsewhere(source) : copyLogHere(source);
            }
            for (LogArchive log : logs.values()) {
                if (log.openBytes() > MOST_LOG_FILE_BYTES) {
                    log.end();
                }
            }
            return !gap;
        } catch (IOException e) {
            throw failed(e);
        } catch (UncheckedIOException e) {
            throw failed(e.getCause());
        }
    }

    /** A store that is not there any more, as where another member holds it since, needs a new point. */
    private boolean copyLogHere(Source source) throws IOException {
        return !isStore(source.store()) || RepeatedLook.at(source.store(), () -> copyLog(source, ManifestFile.decode(source.store().resolve(ManifestFile.NAME),
                Files.readAllBytes(source.store().resolve(ManifestFile.NAME)))));
    }

    /** A log that does not reach back, or is that of other data by now, needs a new point. */
    private boolean copyLogElsewhere(Source source) throws IOException {
        Manifest known = elsewhere.get(source.partition());
        if (known == null) {
            return true;
        }
        try {
            return copyLog(source, known);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.REFUSED || e.kind() == StoreException.Kind.OUTDATED) {
                return true;
            }
            throw e;
        }
    }

    /** What the point says of a store, with its log read back from the folder of backups. */
    private SavedStore saved(Source source, PinnedStore store, StateAt state) throws IOException {
        UUID id = store.manifest().storeId();
        LogArchive log = logs.get(id);
        log.end();
        long base = store.manifest().lastFlushed();
        long[] entries = {store.manifest().entries()};
        long[] millis = {-1};
        long[] last = {base};
        LogSource.Since read = log.read(base, log.last(), group -> {
            if (state.has(id, group)) {
                entries[0] += netEntries(group);
                millis[0] = group.timeMillis();
                last[0] = group.lastSequence();
            }
        });
        if (read.lastSequence() < log.last()) {
            throw new StoreException(StoreException.Kind.CORRUPT, folder.log(id) + " does not hold the log from " + (base + 1) + " to "
                    + log.last() + " without a gap: alder backup verify shows what is damaged");
        }
        List<SavedSegment> segments = store.segments().stream().map(segment -> new SavedSegment(segment.number(), segment.sha256(),
                segment.descriptor().diskBytes())).toList();
        return new SavedStore(source.partition(), id, base, read.timeMillis(), last[0], millis[0] < 0 ? read.timeMillis() : millis[0],
                entries[0], folder.keepContent(store.manifestBytes()), segments);
    }

    static long netEntries(LogGroup group) {
        long net = 0;
        for (List<Operation> transaction : group.transactions()) {
            for (Operation operation : transaction) {
                net += operation instanceof Operation.Add ? 1 : operation instanceof Operation.Delete ? -1 : 0;
            }
        }
        return net;
    }

    private List<SavedFile> keep(SmallFiles files) throws IOException {
        Map<String, Path> listed = new TreeMap<>(files.list());
        Map<String, byte[]> given = files.given();
        listed.keySet().removeAll(given.keySet());
        List<SavedFile> saved = new ArrayList<>();
        for (Map.Entry<String, Path> file : listed.entrySet()) {
            requireName(file.getKey(), file.getValue());
            try {
                if (Files.size(file.getValue()) > MOST_FILE_BYTES) {
                    throw new IOException(file.getValue() + " has " + Files.size(file.getValue()) + " bytes, expected at most "
                            + MOST_FILE_BYTES + ": move it out of the data folder");
                }
                saved.add(keep(file.getKey(), Files.readAllBytes(file.getValue())));
            } catch (NoSuchFileException e) {
                LOG.debug("{} is gone", file.getValue());
            }
        }
        for (Map.Entry<String, byte[]> each : given.entrySet()) {
            saved.add(keep(each.getKey(), each.getValue()));
        }
        saved.sort(Comparator.comparing(SavedFile::name));
        return saved;
    }

    private SavedFile keep(String name, byte[] bytes) throws IOException {
        return new SavedFile(name, bytes.length, folder.keepContent(bytes));
    }

    private static void requireName(String name, Path file) throws IOException {
        for (String part : name.split("/", -1)) {
            if (!PointFile.isName(part)) {
                throw new IOException(file + " cannot be backed up under the name \"" + name + "\"");
            }
        }
    }

    private void copySegments(Collection<PinnedStore> stores, BuildProgress progress) throws IOException {
        SegmentCopy copy = folder.copying("copying", stores.stream().mapToLong(PinnedStore::bytesToCopy).sum(), progress);
        Set<String> done = new HashSet<>();
        for (PinnedStore store : stores) {
            for (PinnedSegment segment : store.segments()) {
                if (segment.files() != null && done.add(segment.sha256())) {
                    folder.addSegment(copy, segment.folder(), segment.files()::get, segment.descriptor(), segment.descriptorBytes(), segment.sha256());
                }
            }
        }
    }

    /**
     * Removes all points but the newest, and whatever no point names then.
     *
     * @param points how many stay, at least 1
     * @return the names of those that were removed
     * @throws StoreException of kind CORRUPT where a point is damaged: then nothing is removed
     */
    public List<String> keepNewest(int points) {
        try {
            List<BackupPoint> all = folder.points();
            List<BackupPoint> removed = all.subList(0, Math.max(0, all.size() - points));
            for (BackupPoint point : removed) {
                folder.disk().delete(folder.point(point.name()));
            }
            folder.disk().syncFolder(folder.point("any").getParent());
            removeUnnamed(all.subList(removed.size(), all.size()));
            return removed.stream().map(BackupPoint::name).toList();
        } catch (IOException e) {
            throw failed(e);
        }
    }

    private void removeUnnamed(List<BackupPoint> points) throws IOException {
        Set<String> named = new HashSet<>();
        Map<UUID, Long> bases = new TreeMap<>();
        for (BackupPoint point : points) {
            named.addAll(point.contents());
            for (SavedStore store : point.stores()) {
                store.segments().forEach(segment -> named.add(segment.sha256()));
                bases.merge(store.storeId(), store.baseSequence(), Math::min);
            }
        }
        for (Path segment : folder.segments()) {
            if (!named.contains(BackupFolder.sha256OfSegment(segment))) {
                folder.disk().deleteTree(segment);
            }
        }
        for (Path content : folder.contents()) {
            if (!named.contains(content.getFileName().toString())) {
                folder.disk().delete(content);
            }
        }
        for (Path log : folder.logs()) {
            removeUnneeded(log, bases);
        }
    }

    private void removeUnneeded(Path log, Map<UUID, Long> bases) throws IOException {
        UUID id;
        try {
            id = UUID.fromString(log.getFileName().toString());
        } catch (IllegalArgumentException e) {
            LOG.warn("{} is not of a backup, and stays", log);
            return;
        }
        if (!bases.containsKey(id)) {
            folder.disk().deleteTree(log);
        } else {
            new LogArchive(folder.disk(), log, id).removeBefore(bases.get(id));
        }
    }

    @Override
    public void close() {
        for (LogArchive log : logs.values()) {
            try {
                log.close();
            } catch (IOException e) {
                LOG.warn("Cannot close the log in {}: {}", folder.path(), e.toString());
            }
        }
        FolderLock.release(lock);
    }
}
