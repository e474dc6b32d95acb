package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.SystemDisk;
import org.alder.partition.jdbm.segment.SegmentChecker;

/**
 * Checks the files of a store one by one: manifest, descriptors, every checksum and the structure of every table. Whether what they
 * say makes sense together is the business of {@code org.alder.partition.check.Checker}; the commit log is checked by opening the store.
 */
public final class StoreFiles {
    private StoreFiles() {
    }

    /**
     * May run while a server holds the store: segments that were merged away meanwhile are passed over.
     *
     * @return what is wrong, naming file and place; empty if nothing is
     * @throws StoreException of kind IO where a file cannot be read
     */
    public static List<String> check(Path path) {
        StoreFolder folder = new StoreFolder(SystemDisk.INSTANCE, path);
        try {
            Manifest manifest = ManifestFile.read(path);
            List<String> problems = new ArrayList<>();
            for (Manifest.SegmentEntry segment : manifest.segments()) {
                List<SegmentChecker.Problem> found = checkSegment(folder.segment(segment.number()));
                if (!found.isEmpty() && ManifestFile.read(path).segments().contains(segment)) {
                    found.forEach(problem -> problems.add(problem.toString()));
                }
            }
            return problems;
        } catch (StoreException e) {
            return List.of(e.getMessage());
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot check " + path + ": " + e, e);
        }
    }

    private static List<SegmentChecker.Problem> checkSegment(Path segment) {
        try {
            return SegmentChecker.check(segment);
        } catch (StoreException e) {
            return List.of(new SegmentChecker.Problem(segment, -1, null, e.getMessage()));
        }
    }
}
