package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.segment.BulkBuilder;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.KeyedRecord;

/** A bulk load into a folder that it holds until it is closed. One thread, but for {@link #prepare}. */
final class StoreBulkLoad implements BulkLoad {
    private final FolderLock lock;
    private final BulkBuilder builder;

    private StoreBulkLoad(FolderLock lock, BulkBuilder builder) {
        this.lock = lock;
        this.builder = builder;
    }

    static BulkLoad start(StoreFolder folder, StoreSettings settings, EntryIndexer indexer, long memoryBytes) {
        FolderLock lock = null;
        try {
            folder.create();
            lock = FolderLock.acquire(folder.disk(), folder.path());
            Manifest manifest = folder.readOrCreate(indexer);
            folder.removeLeftovers(manifest);
            long sequence = NextGeneration.sequenceBeyond(folder, manifest);
            NextGeneration next = new NextGeneration(folder, manifest, sequence, System::currentTimeMillis, 0, indexer);
            return new StoreBulkLoad(lock, next.builder(settings,
                    memoryBytes));
        } catch (IOException e) {
            JdbmStore.unlock(lock);
            throw new StoreException(StoreException.Kind.IO, "cannot start a bulk load into " + folder.path() + ": " + e, e);
        } catch (RuntimeException e) {
            JdbmStore.unlock(lock);
            throw e;
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
    public void publish(BuildProgress progress) {
        builder.publish(progress);
    }

    @Override
    public void close() {
        try {
            builder.close();
        } finally {
            JdbmStore.unlock(lock);
        }
    }
}
