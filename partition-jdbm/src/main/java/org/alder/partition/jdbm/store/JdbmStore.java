package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.background.Compactor;
import org.alder.partition.jdbm.background.Flusher;
import org.alder.partition.jdbm.background.IndexBuilder;
import org.alder.partition.jdbm.background.SegmentStock;
import org.alder.partition.jdbm.background.Tiers;
import org.alder.partition.jdbm.background.WorkPace;
import org.alder.partition.jdbm.background.WorkShare;
import org.alder.partition.jdbm.background.WritePressure;
import org.alder.partition.jdbm.disk.Disk;
import org.alder.partition.jdbm.disk.FolderLock;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.jdbm.folder.Catalog;
import org.alder.partition.jdbm.folder.DiskSpace;
import org.alder.partition.jdbm.folder.KeptIndexes;
import org.alder.partition.jdbm.folder.Leftovers;
import org.alder.partition.jdbm.folder.LocalLog;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.folder.StoreHistory;
import org.alder.partition.jdbm.folder.UnfinishedStore;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.ReplicaLog;
import org.alder.partition.jdbm.log.SharedLog;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.recovery.IndexAddition;
import org.alder.partition.jdbm.recovery.IndexRebuild;
import org.alder.partition.jdbm.recovery.LogReplacement;
import org.alder.partition.jdbm.recovery.Recovery;
import org.alder.partition.jdbm.recovery.StoreBulkLoad;
import org.alder.partition.jdbm.segment.BulkSettings;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.segment.SegmentOptions;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.entry.EntryCodec;
import org.alder.partition.jdbm.settings.ReadSettings;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.CommitFollowers;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.OpenSnapshots;
import org.alder.partition.jdbm.state.StoreCaches;
import org.alder.partition.jdbm.state.StoreState;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.jdbm.task.Threads;
import org.alder.partition.jdbm.write.GroupWriter;
import org.alder.partition.jdbm.write.LogReplica;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.IndexBuild;
import org.alder.partition.store.IndexSize;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The embedded store: a commit log and memory layers over write-once segments of JDBM2 tables, in one folder that one process
 * holds. {@code kill -9} is a supported way to stop it. Thread safe; its owner closes it.
 *
 * <p>The folder holds {@code LOCK}, {@code MANIFEST}, {@code log-*} and {@code segment-*}, and for a while {@code leftovers}
 * (docs/format/).
 */
public final class JdbmStore implements TunedStore, CommitFeed, StoreMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(JdbmStore.class);
    private static final long EXPIRY_CHECK_MILLIS = 1000;

    private final Tasks tasks;
    private final StoreFolder folder;
    private final FolderLock lock;
    private final LiveState live;
    private final StoreCaches caches;
    private final EntryIds ids;
    private final Catalog catalog;
    private final OpenSnapshots snapshots;
    private final GroupWriter writer;
    /** Null where the log is the store's own. */
    private final LogReplica replica;
    private final Flusher flusher;
    private final Compactor compactor;
    private final WorkPace mergePace;
    private final WorkPace flushPace;
    private final IndexBuilder indexBuilder;
    /** Held by who changes the indexes. */
    private final Object changingIndexes = new Object();
    private final ScheduledExecutorService timer;
    private final CommitFollowers followers;
    private final StoreHistory history;
    private volatile StoreSettings settings;
    private boolean closed;

    private JdbmStore(Disk disk, Path path, FolderLock lock, Manifest manifest, StoreSettings settings, IndexTables tables,
            Tasks tasks, SharedLog shared) throws IOException {
        this.tasks = tasks;
        this.settings = settings;
        this.folder = new StoreFolder(disk, path, () -> this.settings.disk().changeHistoryBytes(), shared);
        this.lock = lock;
        this.caches = new StoreCaches(settings.reading());
        SegmentOptions options = caches.segmentOptions(folder.disk());
        Recovery recovery = new Recovery(folder, manifest, tables, Segment::open, options,
                new BoundedDnMemo(settings.reading().dnCacheBytes()));
        this.live = recovery.live();
        try {
            this.catalog = new Catalog(folder, manifest.withIndexes(tables.specs()), tables.indexer());
            DiskSpace space = new DiskSpace(folder.disk(), folder.path(), () -> this.settings.disk());
            SegmentStock stock = new SegmentStock(folder, catalog, live, () -> this.settings.segments(), options, space,
                    caches);
            this.snapshots = new OpenSnapshots(live, () -> this.settings.reading().snapshotTimeLimitMillis(),
                    () -> this.settings.writing().heldLayerBytes());
            this.followers = new CommitFollowers(snapshots);
            recovery.replay(true, (state, id) -> flushIfFull(settings.writing().memoryLayerBytes(), stock, id));
            GroupLog log = shared == null ? new LocalLog(folder, manifest.storeId(), space) : new ReplicaLog(shared.source());
            this.ids = new EntryIds(recovery.givenIds());
            String name = "store-" + folder.path().getFileName();
            this.writer = new GroupWriter(name, folder, log, () -> this.settings.writing(), live, ids,
                    space, followers, tasks);
            this.replica = shared == null ? null : new LogReplica(name, shared, writer, live, ids, tasks);
            this.history = new StoreHistory(folder, writer::logSource);
            WorkShare share = new WorkShare(() -> snapshots.opened() + writer.transactions(),
                    Runtime.getRuntime().availableProcessors(), tasks::nanoTime);
            this.mergePace = new WorkPace(() -> this.settings.segments().mergeBytesPerSecond(),
                    () -> share.of(WritePressure.mergeHurry(live.current().layers().segments().size())), tasks);
            this.flushPace = new WorkPace(0, () -> share.of(WritePressure.flushHurry(WritePressure.fill(live.current().layers(),
                    this.settings.writing().memoryLayerBytes()))), tasks);
            this.indexBuilder = new IndexBuilder(name, stock,
                    () -> new WorkPace(() -> this.settings.segments().mergeBytesPerSecond(), share::patient, tasks),
                    writer::readOnlyReason, settings.disk().checkMillis(), tasks);
            this.compactor = new Compactor(name, live, stock, mergePace, tasks);
            Runnable afterFlush = () -> {
                snapshots.boundHeldLayers();
                indexBuilder.flushed();
                if (settings.segments().compaction()) {
                    compactor.wake();
                }
            };
            this.flusher = new Flusher(name, live, stock, flushPace, ids::count, afterFlush, writer::refuseWrites,
                    settings.disk().checkMillis(), tasks);
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
        writer.start(flusher, replica);
        if (replica != null) {
            replica.start();
        }
        afterFlush.run();
        timer.scheduleWithFixedDelay(() -> {
            snapshots.expire(System.nanoTime());
            snapshots.boundHeldLayers();
        }, EXPIRY_CHECK_MILLIS, EXPIRY_CHECK_MILLIS, TimeUnit.MILLISECONDS);
    }

    /** What gives entries their IDs. */
    EntryIds ids() {
        return ids;
    }

    private void flushIfFull(long memoryLayerBytes, SegmentStock stock, long givenIds) {
        IndexTables tables = live.current().layers().tables();
        MemoryLayer active = live.current().layers().active();
        if (active.sizeBytes() >= memoryLayerBytes) {
            live.freeze(new MemoryLayer(tables.specs().size(), active.lastSequence()), null);
            flushFrozen(stock, givenIds);
        }
    }

    /** Without room on the disk the layers stay in memory, as they were before the store was closed. */
    private void flushFrozen(SegmentStock stock, long givenIds) {
        try {
            while (!live.current().layers().frozen().isEmpty()) {
                stock.flush(live.current().layers().frozen().get(0), givenIds, WorkPace.unlimited(), (phase, done, total) -> { });
            }
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DISK_FULL) {
                throw e;
            }
            LOG.warn("What is read from the log of {} stays in memory: {}", folder.path(), e.getMessage());
        }
    }

    /**
     * Opens the store in a folder, which is made where it is not there, and recovers what was acknowledged. Indexes of the indexer
     * that the data have not are built first.
     *
     * @throws StoreException of kind REFUSED where another process holds the folder, CORRUPT (naming file and offset) where
     *         data are damaged, IO; where a new store cannot be made, nothing of it stays
     */
    public static JdbmStore open(Path folder, StoreSettings settings, EntryIndexer indexer) {
        return open(folder, settings, indexer, SystemDisk.INSTANCE);
    }

    /** @param disk what the store changes files through */
    public static JdbmStore open(Path path, StoreSettings settings, EntryIndexer indexer, Disk disk) {
        return open(path, settings, indexer, disk, Threads.INSTANCE);
    }

    /**
     * @param disk  what the store changes files through
     * @param tasks where its own work runs
     */
    public static JdbmStore open(Path path, StoreSettings settings, EntryIndexer indexer, Disk disk, Tasks tasks) {
        return open(path, settings, indexer, disk, tasks, null);
    }

    /**
     * Opens a store whose log others share, as a {@link #replica}, when it has applied what the log shows by now.
     *
     * @param shared the log, which the caller closes after the store; null for a log of its own
     * @throws StoreException as above; of kind OUTDATED where the log does not reach back to what the store has
     */
    public static JdbmStore open(Path path, StoreSettings settings, EntryIndexer indexer, Disk disk, Tasks tasks, SharedLog shared) {
        StoreFolder folder = new StoreFolder(disk, path, () -> settings.disk().changeHistoryBytes(), shared);
        UnfinishedStore unfinished = null;
        FolderLock lock = null;
        try {
            unfinished = UnfinishedStore.before(folder);
            folder.create();
            lock = FolderLock.acquire(disk, path);
            Manifest manifest = folder.readOrCreate(indexer);
            Leftovers leftovers = Leftovers.setAside(folder, manifest);
            KeptIndexes kept = KeptIndexes.of(manifest, indexer);
            if (kept.why() != null) {
                manifest = build(folder, manifest, settings.segments().entryCodec(), kept);
                leftovers = Leftovers.setAside(folder, manifest);
            }
            JdbmStore store = new JdbmStore(disk, path, lock, manifest, settings, KeptIndexes.of(manifest, indexer).tables(), tasks,
                    shared);
            leftovers.remove();
            return store;
        } catch (IOException e) {
            giveUp(unfinished, lock);
            throw new StoreException(StoreException.Kind.IO, "cannot open the store in " + path + ": " + e, e);
        } catch (RuntimeException e) {
            giveUp(unfinished, lock);
            throw e;
        }
    }

    private static void giveUp(UnfinishedStore unfinished, FolderLock lock) {
        if (unfinished != null) {
            unfinished.remove(lock != null);
        }
        FolderLock.release(lock);
    }

    /** Builds the indexes that are missing; all of them where that is not enough. */
    private static Manifest build(StoreFolder folder, Manifest manifest, EntryCodec entryCodec, KeptIndexes first) throws IOException {
        KeptIndexes kept = IndexAddition.byData(folder, manifest, first);
        IndexAddition addition = kept.isAllMissing() ? null : new IndexAddition(folder, manifest, entryCodec, kept);
        return addition == null || addition.changesEntries()
                ? new IndexRebuild(folder, manifest, entryCodec, kept.tables().indexer()).run(kept.why()) : addition.run();
    }

    /**
     * Starts a bulk load that replaces everything in a folder by what it is given, beside the old data, which stay until it is
     * published. The folder is made where it is not there, and held until the load is closed.
     *
     * @throws StoreException of kind REFUSED where a running store or another load holds the folder
     */
    public static BulkLoad bulkLoad(Path folder, StoreSettings settings, EntryIndexer indexer) {
        return bulkLoad(folder, settings, indexer, defaultBulkLoadMemoryBytes());
    }

    /** A quarter of the heap, at most 256 MiB. */
    public static long defaultBulkLoadMemoryBytes() {
        return BulkSettings.defaultMemoryBytes();
    }

    /** @param memoryBytes the heap the load may take, about, at least 1 MiB; it does not grow with the number of entries */
    public static BulkLoad bulkLoad(Path folder, StoreSettings settings, EntryIndexer indexer, long memoryBytes) {
        return StoreBulkLoad.start(new StoreFolder(SystemDisk.INSTANCE, folder), settings.segments().entryCodec(), indexer,
                memoryBytes);
    }

    /**
     * The same for all stores that share a log. They serve on until it is published: then whoever leads is fenced, the log goes on behind
     * what was loaded, and all other replicas are OUTDATED.
     */
    public static BulkLoad bulkLoad(Path folder, StoreSettings settings, EntryIndexer indexer, long memoryBytes, SharedLog shared) {
        return StoreBulkLoad.start(new StoreFolder(SystemDisk.INSTANCE, folder, () -> 0, shared), settings.segments().entryCodec(), indexer,
                memoryBytes);
    }

    /** Whether there is a store in the folder whose log others share. */
    public static boolean isShared(Path folder) {
        try {
            Manifest manifest = ManifestFile.read(folder);
            return manifest != null && manifest.shared() != null;
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the store in " + folder + ": " + e, e);
        }
    }

    /**
     * Makes a store with a log of its own the first replica of a log that nobody has written: from then on it is opened with that. It can be
     * done again where it was ended at any point; where it is done already nothing is.
     *
     * @return false where nothing is to be done, or others have written the log: then the store stays as it is
     * @throws StoreException of kind REFUSED where the store is empty, or is held by a running server
     */
    public static boolean share(Path folder, StoreSettings settings, EntryIndexer indexer, SharedLog shared) {
        if (isShared(folder)) {
            return LogReplacement.goOn(new StoreFolder(SystemDisk.INSTANCE, folder, () -> 0, shared), System.currentTimeMillis());
        }
        long timeMillis;
        try (JdbmStore store = open(folder, settings, indexer)) {
            store.flush();
            timeMillis = store.live.current().timeMillis();
        }
        return LogReplacement.share(new StoreFolder(SystemDisk.INSTANCE, folder, () -> 0, shared), timeMillis);
    }

    static BulkLoad bulkLoad(Path folder, StoreSettings settings, EntryIndexer indexer, Disk disk) {
        return StoreBulkLoad.start(new StoreFolder(disk, folder), settings.segments().entryCodec(), indexer,
                defaultBulkLoadMemoryBytes());
    }

    /**
     * Opens the store as of now for reading only, also beside a running server: takes no lock, changes nothing, does not follow
     * later changes. Writing to it fails with READ_ONLY.
     *
     * @throws StoreException of kind REFUSED where there is no store, or one with other indexes than the indexer's
     */
    public static Store openReadOnly(Path folder, StoreSettings settings, EntryIndexer indexer) {
        return ReadOnlyStore.open(new StoreFolder(SystemDisk.INSTANCE, folder), settings, indexer);
    }

    /**
     * Goes by other settings from now on, without those that only a start can take: {@link ReadSettings#keyTables} and
     * {@link org.alder.partition.jdbm.settings.SegmentMaking#compaction}. Caches give at once what is too much; changes in memory are
     * written to a segment when the next one comes.
     */
    @Override
    public void goBy(JdbmEngine engine) {
        take(engine.settings());
    }

    private synchronized void take(StoreSettings other) {
        Durability before = settings.writing().durability();
        settings = other;
        caches.limit(other.reading());
        live.limitDnMemo(other.reading().dnCacheBytes());
        mergePace.askAgain();
        if (before != other.writing().durability() && before != Durability.SYNC) {
            // What was acknowledged may not be on the disk, and nobody would come back to it: ending its log puts it there.
            writer.freeze();
        }
    }

    @Override
    public Snapshot snapshot() {
        return snapshots.open();
    }

    @Override
    public long sequence() {
        return live.current().sequence();
    }

    @Override
    public SystemRecords systemRecords() {
        return live.current().records();
    }

    @Override
    public EntryIndexer indexer() {
        return live.current().layers().indexer();
    }

    @Override
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return writer.submit(transaction);
    }

    @Override
    public CompletableFuture<Boolean> awaitSequence(long sequence, long timeoutMillis) {
        return writer.awaitSequence(sequence, timeoutMillis);
    }

    @Override
    public Replica replica() {
        return replica;
    }

    @Override
    public CommitFeed feed() {
        return this;
    }

    @Override
    public StoreMaintenance maintenance() {
        return this;
    }

    @Override
    public Following follow(CommitFollower follower) {
        return followers.add(follower);
    }

    @Override
    public ChangeHistory changes(Csn since, Snapshot upTo) {
        return history.changes(since, upTo);
    }

    @Override
    public StoreStatus status() {
        LayerSet layers = live.current().layers();
        BackgroundStatus background = new BackgroundStatus(layers.frozen().size(),
                Math.max(0, layers.segments().size() - Tiers.MAX_SEGMENTS), compactor.isRunning(), writer.delayNanos(),
                writer.stallNanos(), flusher.flushes(), flushPace.pauseNanos(), compactor.merges(), mergePace.bytes(),
                mergePace.pauseNanos(), writer.longTransactions(), writer.longestTransactionNanos());
        return live.status(ids.count(), folder.logs(), folder.freeBytes(), writer.logSyncs(), writer.transactions(), writer.readOnlyReason(), background);
    }

    @Override
    public CacheStatus cacheStatus() {
        return caches.status(live.current().dnMemo());
    }

    @Override
    public void flush() {
        try {
            tasks.join(writer.freeze());
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

    /**
     * The manifest says it first, so that after a crash no index counts as complete that is not; then the writer goes on with
     * another memory layer. So the entries up to there are those that a new index is built from.
     */
    @Override
    public void changeIndexes(EntryIndexer target) {
        synchronized (changingIndexes) {
            try (Snapshot snapshot = snapshot()) {
                if (!LargeValues.mayStay(snapshot, target)) {
                    throw new StoreException(StoreException.Kind.REFUSED, LargeValues.IN_THE_WAY);
                }
            }
            requireWritable();
            boolean done = false;
            try {
                indexBuilder.cancel();
                IndexTables tables = live.current().layers().tables().changedTo(target, catalog.takeSegmentNumber());
                catalog.reindex(tables, null);
                StoreState at = tasks.join(writer.changeIndexes(tables));
                if (target.building().isEmpty()) {
                    at.layers().release();
                } else {
                    indexBuilder.build(at);
                }
                done = true;
            } catch (CompletionException e) {
                throw e.getCause() instanceof StoreException cause ? cause : e;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new StoreException(StoreException.Kind.IO, "interrupted while the indexes were changed", e);
            } finally {
                if (!done) {
                    indexBuilder.lost(live.current().layers().tables().building());
                }
            }
        }
    }

    /** Before a build is ended for a change that would be refused. */
    private void requireWritable() {
        String reason = writer.readOnlyReason();
        if (reason != null) {
            throw new StoreException(StoreException.Kind.READ_ONLY, reason);
        }
    }

    @Override
    public IndexBuild indexBuild() {
        return indexBuilder.status();
    }

    @Override
    public Map<String, IndexSize> indexSizes() {
        return live.indexSizes();
    }

    @Override
    public void keepFingerprint() {
        catalog.update(manifest -> manifest);
    }

    @Override
    public void clearCaches() {
        caches.clear();
        live.current().dnMemo().clear();
    }

    @Override
    public void close() {
        close(false);
    }

    @Override
    public void retire() {
        close(true);
    }

    /** Without an end of the readers, open snapshots can be read on until they are closed. */
    private synchronized void close(boolean endReaders) {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (replica != null) {
                replica.close();
            }
            writer.close();
            flusher.close();
            compactor.close();
            indexBuilder.close();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.warn("Interrupted while the store {} was being closed: its folder stays locked until the process ends",
                    folder.path());
            return;
        }
        timer.shutdown();
        live.close();
        if (endReaders) {
            followers.ended();
            snapshots.expireAll("was of a store that was closed meanwhile");
            clearCaches();
        }
        FolderLock.release(lock);
    }
}
