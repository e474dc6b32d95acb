package org.alder.partition.jdbm.recovery;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Leftovers;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.segment.SegmentChecker;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.RepairReport;

/**
 * Mends a store whose indexes are damaged, or do not agree with the entries: builds all of them, the hierarchy among them, anew
 * from the entries, as a new generation, and removes the old one. Needs room for both. Stateless.
 */
public final class StoreRepair {
    private StoreRepair() {
    }

    /**
     * Mends the store in a folder, which it holds meanwhile.
     *
     * @throws StoreException of kind REFUSED where there is no store or a server holds it; CORRUPT, naming the file, where what
     *         the indexes are built from is damaged itself (a master table, a descriptor, the manifest, a log): the old
     *         generation stays then, restore a backup; IO
     */
    public static RepairReport run(Path path, EntryCodec entryCodec, EntryIndexer indexer) {
        StoreFolder folder = new StoreFolder(SystemDisk.INSTANCE, path);
        FolderLock lock = null;
        try {
            requireStore(path, ManifestFile.read(path));
            lock = FolderLock.acquire(folder.disk(), path);
            return run(folder, ManifestFile.read(path), entryCodec, indexer);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot repair the store in " + path + ": " + e, e);
        } finally {
            FolderLock.release(lock);
        }
    }

    private static void requireStore(Path path, Manifest manifest) {
        if (manifest == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no store in " + path);
        }
        StoreFolder.requireOwnLog(path, manifest);
    }

    private static RepairReport run(StoreFolder folder, Manifest manifest, EntryCodec entryCodec, EntryIndexer indexer)
            throws IOException {
        List<String> replaced = new ArrayList<>();
        for (Manifest.SegmentEntry segment : manifest.segments()) {
            for (SegmentChecker.Problem problem : SegmentChecker.check(folder.segment(segment.number()))) {
                if (!problem.isOfIndex()) {
                    throw new StoreException(StoreException.Kind.CORRUPT, "this cannot be repaired, because it is not an index "
                            + "but what the indexes are built from; restore a backup: " + problem);
                }
                replaced.add(problem.toString());
            }
        }
        Leftovers.setAside(folder, manifest);
        Manifest mended = new IndexRebuild(folder, manifest, entryCodec, indexer).run("a repair was asked for");
        Leftovers.removeOld(folder, mended);
        return new RepairReport(mended.generation(), mended.entries(), mended.indexNames(), replaced);
    }
}
