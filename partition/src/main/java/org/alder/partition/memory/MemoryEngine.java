package org.alder.partition.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.EntryIndexer.IndexSpec;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;

/**
 * The engine {@code memory}: stores that are known by their folder and live as long as this object, in memory alone. For trials
 * and tests. Thread safe.
 */
public final class MemoryEngine implements StoreEngine {
    private final Map<Path, Kept> stores = new HashMap<>();

    /** A store between two times it is open, or while it is. */
    private static final class Kept {
        private MemoryState state;
        private String fingerprint;
        private List<String> indexes;
        private long generation = 1;
        private boolean held;
        private MemoryStore store;
    }

    private static List<String> names(EntryIndexer indexer) {
        return indexer.indexes().stream().map(IndexSpec::name).toList();
    }

    private static Path key(Path folder) {
        return folder.toAbsolutePath().normalize();
    }

    @Override
    public synchronized boolean hasStore(Path folder) {
        return stores.containsKey(key(folder));
    }

    @Override
    public synchronized Store open(Path folder, EntryIndexer indexer) {
        Kept kept = hold(folder, indexer);
        if (indexer.whyDeriveAnew(kept.fingerprint) != null || !names(indexer).equals(kept.indexes)) {
            deriveAnew(kept, indexer);
        }
        kept.store = new MemoryStore(kept.state.under(indexer), 1, null, last -> {
            kept.fingerprint = last.indexer().fingerprintFollowing(kept.fingerprint, false);
            kept.indexes = names(last.indexer());
            release(kept, last);
        });
        return kept.store;
    }

    private synchronized Kept hold(Path folder, EntryIndexer indexer) {
        Kept kept = stores.computeIfAbsent(key(folder), made -> {
            Kept empty = new Kept();
            empty.state = new MemoryState(indexer);
            empty.fingerprint = indexer.fingerprint();
            empty.indexes = names(indexer);
            return empty;
        });
        if (kept.held) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store of " + folder + " is in use");
        }
        kept.held = true;
        return kept;
    }

    private synchronized void release(Kept kept, MemoryState last) {
        kept.state = last;
        kept.store = null;
        kept.held = false;
    }

    @Override
    public synchronized Store openReadOnly(Path folder, EntryIndexer indexer) {
        Kept kept = known(folder);
        String why = names(indexer).equals(kept.indexes) ? indexer.whyDeriveAnew(kept.fingerprint)
                : "it has " + String.join(", ", kept.indexes);
        if (why != null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store of " + folder + " needs other indexes: " + why);
        }
        MemoryState state = kept.store == null ? kept.state.under(indexer) : kept.store.newest();
        return new MemoryStore(state, 1, "it was opened for reading only", last -> { });
    }

    private Kept known(Path folder) {
        Kept kept = stores.get(key(folder));
        if (kept == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no store in memory for " + folder);
        }
        return kept;
    }

    private static void deriveAnew(Kept kept, EntryIndexer indexer) {
        kept.state = kept.state.derivedAnew(indexer);
        kept.fingerprint = indexer.fingerprintFollowing(kept.fingerprint, true);
        kept.indexes = names(indexer);
        kept.generation++;
    }

    @Override
    public BulkLoad bulkLoad(Path folder, EntryIndexer indexer, long memoryBytes) {
        Kept kept = hold(folder, indexer);
        try {
            Path work = Files.createTempDirectory("alder-load");
            return new MemoryLoad(indexer, kept.state, work, loaded -> replace(kept, loaded, indexer),
                    () -> release(kept, kept.state));
        } catch (IOException e) {
            release(kept, kept.state);
            throw new StoreException(StoreException.Kind.IO, "cannot make a folder for temporary files: " + e, e);
        }
    }

    private synchronized void replace(Kept kept, MemoryState loaded, EntryIndexer indexer) {
        kept.state = loaded;
        kept.fingerprint = indexer.fingerprintFollowing(kept.fingerprint, true);
        kept.indexes = names(indexer);
        kept.generation++;
    }

    /** Nothing is written anywhere. */
    @Override
    public synchronized List<String> check(Path folder) {
        known(folder);
        return List.of();
    }

    @Override
    public synchronized RepairReport repair(Path folder, EntryIndexer indexer) {
        known(folder);
        Kept kept = hold(folder, indexer);
        try {
            deriveAnew(kept, indexer);
            return new RepairReport(kept.generation, kept.state.entries().size(),
                    names(indexer), List.of());
        } finally {
            release(kept, kept.state);
        }
    }
}
