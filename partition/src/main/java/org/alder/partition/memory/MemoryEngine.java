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
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Snapshot;
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
        private long generation = 1;
        private boolean held;
        private MemoryStore store;
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
        if (indexer.whyDeriveAnew(kept.fingerprint) != null) {
            deriveAnew(kept, indexer);
        }
        kept.store = new MemoryStore(indexer, kept.state, 1, null, last -> {
            kept.fingerprint = indexer.fingerprintFollowing(kept.fingerprint, false);
            release(kept, last);
        });
        return kept.store;
    }

    private synchronized Kept hold(Path folder, EntryIndexer indexer) {
        Kept kept = stores.computeIfAbsent(key(folder), made -> {
            Kept empty = new Kept();
            empty.state = new MemoryState(indexer.indexes().size());
            empty.fingerprint = indexer.fingerprint();
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
        String why = indexer.whyDeriveAnew(kept.fingerprint);
        if (why != null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store of " + folder + " needs other indexes: " + why);
        }
        MemoryState state = kept.store == null ? kept.state : kept.store.newest();
        return new MemoryStore(indexer, state, 1, "it was opened for reading only", last -> { });
    }

    private Kept known(Path folder) {
        Kept kept = stores.get(key(folder));
        if (kept == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no store in memory for " + folder);
        }
        return kept;
    }

    private static void deriveAnew(Kept kept, EntryIndexer indexer) {
        MemoryState old = kept.state;
        MemoryState fresh = new MemoryState(indexer.indexes().size());
        fresh.setLastId(old.lastId());
        try (Snapshot snapshot = new MemorySnapshot(old); Snapshot.EntryCursor entries = snapshot.entries(1)) {
            while (entries.next()) {
                fresh.add(indexer, entries.id(), new LargeValues(snapshot, entries.id()).whole(entries.entry()));
            }
        }
        fresh.commit(old.sequence(), old.timeMillis());
        kept.state = fresh;
        kept.fingerprint = indexer.fingerprintFollowing(kept.fingerprint, true);
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
                    indexer.indexes().stream().map(IndexSpec::name).toList(), List.of());
        } finally {
            release(kept, kept.state);
        }
    }
}
