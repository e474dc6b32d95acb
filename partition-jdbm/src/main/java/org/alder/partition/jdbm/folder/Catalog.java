package org.alder.partition.jdbm.folder;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.store.EntryIndexer;

/** The current manifest, in memory and on the disk, changed by one at a time. Thread safe. */
public final class Catalog {
    private final StoreFolder folder;
    private EntryIndexer indexer;
    private Manifest manifest;

    public Catalog(StoreFolder folder, Manifest manifest, EntryIndexer indexer) {
        this.folder = folder;
        this.indexer = indexer;
        this.manifest = manifest;
    }

    public synchronized Manifest manifest() {
        return manifest;
    }

    /** Whether the manifest on the disk names the segment, or cannot be asked. */
    public synchronized boolean mayName(long number) {
        try {
            Manifest stored = ManifestFile.read(folder.path());
            return stored != null && stored.segments().stream().anyMatch(segment -> segment.number() == number);
        } catch (IOException | StoreException e) {
            return true;
        }
    }

    /** A number for a segment's folder, never used before by a published segment. */
    public synchronized long takeSegmentNumber() {
        long number = manifest.nextSegment();
        manifest = manifest.withNextSegment(number + 1);
        return number;
    }

    /** Replaces the manifest by one with other indexes, as {@link #update} does. */
    public synchronized void reindex(IndexTables tables, Manifest.SegmentEntry built) {
        EntryIndexer before = indexer;
        indexer = tables.indexer();
        try {
            update(now -> now.indexed(built, tables));
        } catch (StoreException e) {
            indexer = before;
            throw e;
        }
    }

    /**
     * Replaces the manifest; durable when this returns.
     *
     * @throws StoreException of kind IO; which of the two manifests a restart will find is then open, both are right
     */
    public synchronized void update(UnaryOperator<Manifest> change) {
        Manifest changed = change.apply(manifest).indexedBy(indexer);
        try {
            ManifestFile.write(folder.disk(), folder.path(), changed);
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot replace " + folder.path().resolve(ManifestFile.NAME) + ": "
                    + e, e);
        }
        manifest = changed;
    }
}
