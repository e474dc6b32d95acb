package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.segment.SegmentChecker;

/**
 * Proves that a store's files are what was written: the manifest, every segment ({@link SegmentChecker}) and the logs. Reads
 * everything, changes nothing, takes no lock. Whether the indexes agree with the entries is checked above the engine, on a
 * snapshot. Stateless.
 */
public final class FolderChecker {
    private static final int ATTEMPTS = 5;

    private FolderChecker() {
    }

    /**
     * Checks the store in a folder, also beside a running server.
     *
     * @return what is wrong, naming the file; empty if nothing is
     * @throws StoreException of kind REFUSED where there is no store, IO where a file cannot be read
     */
    public static List<String> check(Path folder) {
        for (int attempt = 1; true; attempt++) {
            try {
                Manifest manifest = ManifestFile.read(folder);
                if (manifest == null) {
                    throw new StoreException(StoreException.Kind.REFUSED, "there is no store in " + folder);
                }
                List<String> problems = check(new StoreFolder(SystemDisk.INSTANCE, folder), manifest);
                // A server beside may have removed files, or appended to a log, while they were read.
                if (problems.isEmpty() || attempt == ATTEMPTS) {
                    return problems;
                }
            } catch (IOException e) {
                if (attempt == ATTEMPTS) {
                    throw new StoreException(StoreException.Kind.IO, "cannot check " + folder + ": " + e, e);
                }
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.CORRUPT) {
                    return List.of(e.getMessage());
                }
                if (e.kind() == StoreException.Kind.REFUSED || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private static List<String> check(StoreFolder folder, Manifest manifest) throws IOException {
        List<String> problems = new ArrayList<>();
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            SegmentChecker.check(folder.segment(segment.number())).forEach(problem -> problems.add(problem.toString()));
        }
        try {
            folder.logs().checkBefore(manifest.storeId(), manifest.firstLog());
            folder.logs().replay(manifest.storeId(), manifest.firstLog(), false, group -> { });
        } catch (StoreException e) {
            problems.add(e.getMessage());
        }
        return problems;
    }
}
