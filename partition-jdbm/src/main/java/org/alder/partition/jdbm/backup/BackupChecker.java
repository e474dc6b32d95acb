package org.alder.partition.jdbm.backup;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.BackupPoint.SavedSegment;
import org.alder.partition.jdbm.backup.BackupPoint.SavedStore;
import org.alder.partition.jdbm.block.RegionChecksums;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.segment.DescriptorFile;
import org.alder.partition.jdbm.segment.SegmentDescriptor;
import org.alder.partition.store.BulkLoad.BuildProgress;

/** Reads all that points name, and holds it to its checksums. Changes nothing. Used by one thread, once. */
public final class BackupChecker {
    private final BackupFolder folder;
    private final BuildProgress progress;
    private final List<String> problems = new ArrayList<>();
    private final Set<String> contents = new HashSet<>();
    private final Map<String, SegmentDescriptor> segments = new HashMap<>();
    private long done;
    private long total;

    private BackupChecker(BackupFolder folder, BuildProgress progress) {
        this.folder = folder;
        this.progress = progress;
    }

    /**
     * Checks points.
     *
     * @param names those of the points
     * @return what is wrong, naming the file; empty if nothing is
     * @throws IOException where something that is there cannot be read
     */
    public static List<String> check(BackupFolder folder, List<String> names, BuildProgress progress) throws IOException {
        List<String> there = names;
        while (true) {
            List<String> problems = new BackupChecker(folder, progress).check(there);
            Set<String> left = new HashSet<>(folder.pointNames());
            List<String> stayed = there.stream().filter(left::contains).toList();
            if (problems.isEmpty() || stayed.isEmpty() || stayed.equals(there)) {
                return problems;
            }
            // A backup beside that keeps so many points has removed some, and what they alone needed.
            there = stayed;
        }
    }

    private List<String> check(List<String> names) throws IOException {
        List<BackupPoint> points = new ArrayList<>();
        for (String name : names) {
            note(() -> points.add(folder.read(name)));
        }
        total = points.stream().flatMap(point -> point.stores().stream()).flatMap(store -> store.segments().stream())
                .distinct().mapToLong(SavedSegment::bytes).sum();
        for (BackupPoint point : points) {
            check(point);
        }
        return List.copyOf(problems);
    }

    @FunctionalInterface
    private interface Check {
        void run() throws IOException;
    }

    private void note(Check check) throws IOException {
        try {
            check.run();
        } catch (StoreException e) {
            problems.add(e.getMessage());
        } catch (NoSuchFileException e) {
            problems.add(e.getFile() + " is missing");
        }
    }

    private void check(BackupPoint point) throws IOException {
        for (String content : point.contents()) {
            if (contents.add(content)) {
                note(() -> folder.readContent(content));
            }
        }
        for (SavedStore store : point.stores()) {
            for (SavedSegment segment : store.segments()) {
                if (!segments.containsKey(segment.sha256())) {
                    segments.put(segment.sha256(), null);
                    note(() -> checkSegment(segment));
                }
            }
            note(() -> checkManifest(folder, store));
            note(() -> checkLog(folder, store));
        }
    }

    private void checkSegment(SavedSegment segment) throws IOException {
        Path path = folder.segment(segment.sha256());
        SegmentDescriptor descriptor = descriptor(folder, segment);
        segments.put(segment.sha256(), descriptor);
        for (SegmentDescriptor.TableFile file : descriptor.files()) {
            Path table = path.resolve(file.fileName());
            SegmentCopy.requireLength(table, Files.size(table), file.summary());
            try (RegionChecksums checksums = new RegionChecksums(table, file.summary())) {
                for (int region = 0; region < checksums.regionCount(); region++) {
                    String mismatch = checksums.mismatch(region);
                    if (mismatch != null) {
                        problems.add(table + " at offset " + checksums.offset(region) + ": " + mismatch);
                    }
                    done += Math.min(file.summary().regionBytes(), file.summary().fileBytes() - checksums.offset(region));
                    progress.update("verifying", done, total);
                }
            }
        }
    }

    /** That of a saved segment, as it was saved. */
    static SegmentDescriptor descriptor(BackupFolder folder, SavedSegment segment) throws IOException {
        Path path = folder.segment(segment.sha256());
        SegmentDescriptor descriptor = DescriptorFile.read(path);
        String found = Digest.sha256(Files.readAllBytes(path.resolve(SegmentDescriptor.FILE_NAME)));
        if (!found.equals(segment.sha256())) {
            throw new StoreException(StoreException.Kind.CORRUPT, path.resolve(SegmentDescriptor.FILE_NAME) + " has the SHA-256 " + found
                    + ", expected that of its folder's name");
        }
        return descriptor;
    }

    /** That of a saved store; what it says agrees with the point. */
    static Manifest checkManifest(BackupFolder folder, SavedStore store) throws IOException {
        Path file = folder.content(store.manifestSha256());
        Manifest manifest = ManifestFile.decode(file, folder.readContent(store.manifestSha256()));
        List<Long> numbers = manifest.segments().stream().map(Manifest.SegmentEntry::number).toList();
        List<Long> saved = store.segments().stream().map(SavedSegment::number).toList();
        if (!manifest.storeId().equals(store.storeId()) || manifest.lastFlushed() != store.baseSequence() || !numbers.equals(saved)) {
            throw new StoreException(StoreException.Kind.CORRUPT, file + " is the manifest of the store " + manifest.storeId() + " with"
                    + " the segments " + numbers + " up to change " + manifest.lastFlushed() + ", expected " + store.storeId() + " with "
                    + saved + " up to " + store.baseSequence());
        }
        return manifest;
    }

    /** To the ends of its files, also beyond the point. */
    private static void checkLog(BackupFolder folder, SavedStore store) throws IOException {
        LogSource.Since read = null;
        String problem = null;
        while (read == null) {
            try {
                read = folder.log(store).read(store.baseSequence(), Long.MAX_VALUE, group -> { });
            } catch (StoreException e) {
                // A backup beside may have added to it while it was read: damage is found again at the same place.
                if (e.getMessage().equals(problem)) {
                    throw e;
                }
                problem = e.getMessage();
            }
        }
        if (read.lastSequence() < store.sequence() || read.timeMillis() != store.baseTimeMillis()) {
            throw new StoreException(StoreException.Kind.CORRUPT, folder.log(store.storeId()) + " does not hold the log from change "
                    + (store.baseSequence() + 1) + " to " + store.sequence() + ": it ends with " + read.lastSequence());
        }
    }
}
