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
    /** How often it looks again while a server beside goes on. */
    private static final int ATTEMPTS = 5;

    private final Path path;
    private final StoreFolder folder;
    /** By the numbers of the segments, each checked once. */
    private final Map<Long, List<String>> checkedSegments = new HashMap<>();

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
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.CORRUPT) {
                return List.of(e.getMessage());
            }
            throw e;
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot check " + folder + ": " + e, e);
        }
    }

    private List<String> check() throws IOException {
        Manifest manifest = manifest();
        String logProblem = null;
        for (int attempt = 1; true; attempt++) {
            checkSegments(manifest);
            String before = logProblem;
            logProblem = checkLogs(manifest);
            Manifest now = manifest();
            // A server beside may have removed files, or appended to a log, while they were read: a problem stays then only
            // if it is found again.
            boolean settled = now.equals(manifest) && (logProblem == null || logProblem.equals(before));
            if (settled || attempt == ATTEMPTS) {
                return problems(now, logProblem);
            }
            manifest = now;
        }
    }

    private Manifest manifest() throws IOException {
        Manifest manifest = ManifestFile.read(path);
        if (manifest == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no store in " + path);
        }
        return manifest;
    }

    private void checkSegments(Manifest manifest) throws IOException {
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            long number = segment.number();
            if (!checkedSegments.containsKey(number)) {
                try {
                    checkedSegments.put(number, SegmentChecker.check(folder.segment(number)).stream()
                            .map(SegmentChecker.Problem::toString).toList());
                } catch (StoreException e) {
                    if (isNamed(manifest(), number)) {
                        throw e;
                    }
                }
            }
        }
    }

    private static boolean isNamed(Manifest manifest, long number) {
        return manifest.segments().stream().anyMatch(segment -> segment.number() == number);
    }

    /** What is wrong with the logs, or null. A log that is shared is not in the folder. */
    private String checkLogs(Manifest manifest) {
        if (manifest.shared() != null) {
            return null;
        }
        StoredLog log = folder.log(manifest.storeId());
        try {
            log.checkBefore(manifest.firstLog());
            log.replay(manifest.firstLog(), false, group -> { });
            return null;
        } catch (StoreException e) {
            return e.getMessage();
        } catch (IOException e) {
            return "cannot read the logs in " + path + ": " + e;
        }
    }

    private List<String> problems(Manifest manifest, String logProblem) {
        List<String> problems = new ArrayList<>();
        manifest.segments().forEach(segment -> problems.addAll(checkedSegments.getOrDefault(segment.number(), List.of())));
        if (logProblem != null) {
            problems.add(logProblem);
        }
        return problems;
    }
}
