package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.Disk;
import org.alder.partition.jdbm.log.SystemDisk;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.segment.SegmentSettings;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: a commit log and memory layers over write-once segments of JDBM2 tables, in one folder that one process holds.
 * {@code kill -9} is a supported way to stop it. Thread safe; its owner closes it.
 *
 * <p>The folder holds {@code LOCK}, {@code MANIFEST}, {@code log-*} and {@code segment-*} (docs/format/).
 */
public final class JdbmStore implements Store {
    private static final Logger LOG = LoggerFactory.getLogger(JdbmStore.class);
    private static final long EXPIRY_CHECK_MILLIS = 1000;

    private final StoreFolder folder;
    private final FolderLock lock;
    private final LiveState live;
    private final StoreCaches caches;
    private final OpenSnapshots snapshots;
    private final GroupWriter writer;
    private final Flusher flusher;
    private final Compactor compactor;
    private final ScheduledExecutorService timer;
    private boolean closed;

    private JdbmStore(StoreFolder folder, FolderLock lock, Manifest manifest, StoreSettings settings, EntryIndexer indexer)
            throws IOException {
        this.folder = folder;
        this.lock = lock;
        this.caches = new StoreCaches(settings);
        SegmentOptions options = caches.segmentOptions();
        Recovery recovery = new Recovery(folder, manifest, indexer, options, new BoundedDnMemo(settings.dnCacheBytes()));
        this.live = recovery.live();
        try {
            Catalog catalog = new Catalog(folder, manifest);
            SegmentStock stock = new SegmentStock(folder, catalog, live, indexer.indexes(),
                    SegmentSettings.defaults().withMasterCodec(settings.entryCodec()), options);
            recovery.replay(true, (state, id) -> flushIfFull(settings, indexer, stock, id));
            AtomicLong lastId = new AtomicLong(recovery.lastId());
            String name = "store-" + folder.path().getFileName();
            this.snapshots = new OpenSnapshots(live, settings.snapshotTimeLimitMillis());
            this.writer = new GroupWriter(name, folder, manifest.storeId(), indexer, settings, live, lastId);
            this.compactor = new Compactor(name, live, stock);
            Runnable afterFlush = settings.backgroundCompaction() ? compactor::wake : () -> { };
            this.flusher = new Flusher(name, live, stock, lastId::get, afterFlush, writer::refuseWrites);
            this.timer = Executors.newSingleThreadScheduledExecutor(task -> daemon(task, name + "-timer"));
            start(afterFlush);
        } catch (IOException | RuntimeException e) {
            live.close();
            throw e;
        }
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    private void start(Runnable afterFlush) {
        flusher.start();
        compactor.start();
        writer.start(flusher);
        afterFlush.run();
        timer.scheduleWithFixedDelay(() -> snapshots.expire(System.nanoTime()), EXPIRY_CHECK_MILLIS, EXPIRY_CHECK_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private void flushIfFull(StoreSettings settings, EntryIndexer indexer, SegmentStock stock, long lastId) {
        MemoryLayer active = live.current().layers().active();
        if (active.sizeBytes() >= settings.memoryLayerBytes()) {
            live.freeze(new MemoryLayer(indexer.indexes().size(), active.lastSequence()));
            stock.flush(active, lastId, (phase, done, total) -> { });
        }
    }

    /**
     * Opens the store in a folder, which is made where it is not there, and recovers what was acknowledged. Where the data are indexed by
     * other indexes than the indexer's, all indexes are rebuilt first.
     *
     * @throws StoreException of kind REFUSED where another process holds the folder, CORRUPT (naming file and offset) where data are
     *         damaged, IO
     */
    public static JdbmStore open(Path folder, StoreSettings settings, EntryIndexer indexer) {
        return open(folder, settings, indexer, SystemDisk.INSTANCE);
    }

    static JdbmStore open(Path path, StoreSettings settings, EntryIndexer indexer, Disk disk) {
        StoreFolder folder = new StoreFolder(disk, path);
        FolderLock lock = null;
        try {
            folder.create();
            lock = FolderLock.acquire(path);
            Manifest manifest = readOrCreate(folder, indexer);
            folder.removeLeftovers(manifest);
            return new JdbmStore(folder, lock, manifest, settings, indexer);
        } catch (IOException e) {
            unlock(lock);
            throw new StoreException(StoreException.Kind.IO, "cannot open the store in " + path + ": " + e, e);
        } catch (RuntimeException e) {
            unlock(lock);
            throw e;
        }
    }

    private static void unlock(FolderLock lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            LOG.warn("Cannot release the lock of the data folder: {}", e.toString(), e);
        }
    }

    private static Manifest readOrCreate(StoreFolder folder, EntryIndexer indexer) throws IOException {
        Manifest manifest = ManifestFile.read(folder.path());
        if (manifest != null) {
            return manifest;
        }
        folder.requireNoData();
        manifest = Manifest.empty(UUID.randomUUID(), indexer.indexes());
        CommitLog.create(folder.disk(), folder.path(), manifest.storeId(), manifest.firstLog()).finish();
        ManifestFile.write(folder.disk(), folder.path(), manifest);
        LOG.info("Made a new store in {}", folder.path());
        return manifest;
    }

    @Override
    public Snapshot snapshot() {
        return snapshots.open();
    }

    @Override
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return writer.submit(transaction);
    }

    @Override
    public StoreStatus status() {
        StoreState state = live.acquire();
        try {
            LayerSet layers = state.layers();
            long diskBytes = layers.segments().stream().mapToLong(segment -> segment.descriptor().diskBytes()).sum();
            long memoryBytes = layers.memory().stream().mapToLong(MemoryLayer::sizeBytes).sum();
            return new StoreStatus(state.entries(), state.sequence(), layers.segments().size(), diskBytes + folder.logs().sizeBytes(),
                    memoryBytes, writer.logSyncs(), writer.transactions(), writer.stallNanos(), writer.readOnlyReason());
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot list " + folder.path() + ": " + e, e);
        } finally {
            state.layers().release();
        }
    }

    /** Hits, misses and sizes of the caches. */
    public CacheStatus cacheStatus() {
        return caches.status(live.current().dnMemo());
    }

    @Override
    public void flush() {
        try {
            writer.freeze().join();
            flusher.awaitFrozenAtMost(0);
            flusher.requireNoFailure();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException cause ? cause : e;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.IO, "interrupted while changes were written into a segment", e);
        }
    }

    @Override
    public void compact() {
        flush();
        compactor.mergeAll();
    }

    @Override
    public void clearCaches() {
        caches.clear();
        live.current().dnMemo().clear();
    }

    /** Open snapshots can be read on until they are closed. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            writer.close();
            flusher.close();
            compactor.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("Interrupted while the store {} was being closed: its folder stays locked until the process ends", folder.path());
            return;
        }
        timer.shutdown();
        live.close();
        unlock(lock);
    }
}
