package org.alder.partition.jdbm.recovery;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.folder.Leftovers;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.segment.BulkBuilder;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyedRecord;
import org.alder.partition.store.SystemRecords;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A bulk load into a folder that it holds until it is closed. One thread, but for {@link #prepare}. */
public final class StoreBulkLoad implements BulkLoad {
    private static final Logger LOG = LoggerFactory.getLogger(StoreBulkLoad.class);

    private final StoreFolder folder;
    private final FolderLock lock;
    private final NextGeneration next;
    private final BulkBuilder builder;

    private StoreBulkLoad(StoreFolder folder, FolderLock lock, NextGeneration next, BulkBuilder builder) {
        this.folder = folder;
        this.lock = lock;
        this.next = next;
        this.builder = builder;
    }

    public static BulkLoad start(StoreFolder folder, EntryCodec entryCodec, EntryIndexer indexer, long memoryBytes) {
        FolderLock lock = null;
        try {
            folder.create();
            lock = FolderLock.acquire(folder.disk(), folder.path());
            Manifest manifest = folder.readOrCreate(indexer);
            Leftovers leftovers = Leftovers.setAside(folder, manifest);
            if (opens(folder, manifest)) {
                leftovers.remove();
            }
            long sequence = NextGeneration.sequenceBeyond(folder, manifest);
            NextGeneration next = new NextGeneration(folder, folder.shared(), manifest, sequence, System::currentTimeMillis, 0, SystemRecords.NONE,
                    indexer);
            return new StoreBulkLoad(folder, lock, next, next.builder(entryCodec, memoryBytes));
        } catch (IOException e) {
            FolderLock.release(lock);
            throw new StoreException(StoreException.Kind.IO, "cannot start a bulk load into " + folder.path() + ": " + e, e);
        } catch (RuntimeException e) {
            FolderLock.release(lock);
            throw e;
        }
    }

    /** Whether the entries that are there now can be read: their leftovers then are of no use to anybody. */
    private static boolean opens(StoreFolder folder, Manifest manifest) {
        try {
            manifest.segments().forEach(segment ->
                    Segment.openEntries(folder.segment(segment.number()), SegmentOptions.uncached()).release());
            return true;
        } catch (StoreException e) {
            LOG.warn("What lies in {} beside its data stays until the load is published, because they cannot be opened: {}",
                    folder.path(), e.getMessage());
            return false;
        }
    }

    @Override
    public KeyedRecord prepare(EntryRecord record) {
        return builder.prepare(record);
    }

    @Override
    public void add(long id, KeyedRecord entry) {
        builder.add(id, entry);
    }

    @Override
    public Path workFolder() {
        return builder.workFolder();
    }

    @Override
    public void build(BuildProgress progress) {
        builder.build(progress);
    }

    @Override
    public void publish(BuildProgress progress) {
        builder.publish(progress);
        next.replaceLog();
        Leftovers.removeOld(folder, next.published());
    }

    @Override
    public void close() {
        try {
            builder.close();
        } finally {
            FolderLock.release(lock);
        }
    }
}
