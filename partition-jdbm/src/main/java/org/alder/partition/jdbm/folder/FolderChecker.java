package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.log.StoredLog;
import org.alder.partition.jdbm.segment.SegmentChecker;

/**
 * Proves that a store's files are what was written: the manifest, every segment ({@link SegmentChecker}) and the logs. Reads
 * everything, changes nothing, takes no lock. Whether the indexes agree with the entries is checked above the engine, on a
 * snapshot. Used by one thread, once.
 */
public final class FolderChecker {
    private final Path path;
    private final StoreFolder folder;
    /** By the numbers of the segments, each checked once. */
    private final Map<Long, List<String>> checkedSegments = new HashMap<>();
    private Manifest manifest;

    private FolderChecker(Path path) {
        this.path = path;
        this.folder = new StoreFolder(SystemDisk.INSTANCE, path);
    }

    /**
     * Checks the store in a folder, also beside a running server.
     *
     * @return what is wrong, naming the file; empty if nothing is
     * @throws StoreException of kind REFUSED where there is no store, IO where a file cannot be read
     */
    public static List<String> check(Path folder) {
        try {
            return new FolderChecker(folder).check();
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot check " + folder + ": " + e, e);
        }
    }

    private List<String> check() throws IOException {
        String problem = null;
        try {
            RepeatedLook.at(path, this::look);
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.CORRUPT) {
                throw e;
            }
            problem = e.getMessage();
        }
        List<String> problems = new ArrayList<>();
        if (manifest != null) {
            manifest.segments().forEach(segment -> problems.addAll(checkedSegments.getOrDefault(segment.number(), List.of())));
        }
        if (problem != null) {
            problems.add(problem);
        }
        return problems;
    }

    private boolean look() throws IOException {
        manifest = manifest();
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            if (!checkedSegments.containsKey(segment.number())) {
                checkedSegments.put(segment.number(), checkSegment(segment.number()));
            }
        }
        checkLogs();
        return true;
    }

    private Manifest manifest() throws IOException {
        Manifest manifest = ManifestFile.read(path);
        if (manifest == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no store in " + path);
        }
        return manifest;
    }

    /** What is missing of a segment that was merged while it was read is no problem of the store. */
    private List<String> checkSegment(long number) throws IOException {
        List<String> problems = SegmentChecker.check(folder.segment(number)).stream().map(SegmentChecker.Problem::toString).toList();
        if (!problems.isEmpty() && manifest().segments().stream().noneMatch(segment -> segment.number() == number)) {
            throw new IOException("segment " + number + " was merged while it was checked");
        }
        return problems;
    }

    /** A log that is shared is not in the folder. */
    private void checkLogs() throws IOException {
        if (manifest.shared() == null) {
            StoredLog log = folder.log(manifest.storeId());
            try {
                log.checkBefore(manifest.firstLog());
                log.replay(manifest.firstLog(), false, group -> { });
            } catch (IOException e) {
                throw new StoreException(StoreException.Kind.CORRUPT, "cannot read the logs in " + path + ": " + e, e);
            }
        }
    }
}
