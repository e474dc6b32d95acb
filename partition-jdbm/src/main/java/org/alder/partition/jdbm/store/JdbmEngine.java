package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.FolderChecker;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.recovery.StoreRepair;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;

/**
 * The engine of this module, {@code jdbm}: {@link JdbmStore}. Immutable, thread safe.
 *
 * @param settings of every store it opens
 */
public record JdbmEngine(StoreSettings settings) implements StoreEngine {
    @Override
    public boolean hasStore(Path folder) {
        return Files.exists(folder.resolve(ManifestFile.NAME));
    }

    @Override
    public Store open(Path folder, EntryIndexer indexer) {
        return JdbmStore.open(folder, settings, indexer);
    }

    @Override
    public Set<String> unfinishedIndexes(Path folder, EntryIndexer indexer) {
        try {
            Manifest manifest = ManifestFile.read(folder);
            if (manifest == null) {
                return Set.of();
            }
            Set<String> names = new TreeSet<>(indexer.indexesOfOtherSchema(manifest.fingerprint()));
            names.addAll(manifest.unfinished());
            return names;
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the store in " + folder + ": " + e, e);
        }
    }

    @Override
    public void retune(Store store) {
        ((TunedStore) store).goBy(this);
    }

    @Override
    public Store openReadOnly(Path folder, EntryIndexer indexer) {
        return JdbmStore.openReadOnly(folder, settings, indexer);
    }

    @Override
    public boolean goOn(Store store, long millis) {
        return ((ReadOnlyStore) store).goOn(millis);
    }

    @Override
    public BulkLoad bulkLoad(Path folder, EntryIndexer indexer, long memoryBytes) {
        return JdbmStore.bulkLoad(folder, settings, indexer, memoryBytes);
    }

    @Override
    public List<String> check(Path folder) {
        return FolderChecker.check(folder);
    }

    @Override
    public RepairReport repair(Path folder, EntryIndexer indexer) {
        return StoreRepair.run(folder, settings.segments().entryCodec(), indexer);
    }
}
