package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.entry.Csn;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.KeptIndexes;
import org.alder.partition.jdbm.folder.Manifest;
import org.alder.partition.jdbm.folder.ManifestFile;
import org.alder.partition.jdbm.folder.RepeatedLook;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.recovery.Recovery;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.OpenSnapshots;
import org.alder.partition.jdbm.state.StoreCaches;
import org.alder.partition.store.BackgroundStatus;
import org.alder.partition.store.CacheStatus;
import org.alder.partition.store.ChangeHistory;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreMaintenance;
import org.alder.partition.store.StoreStatus;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A store as it was at one moment, read beside whoever holds its folder. Thread safe. */
final class ReadOnlyStore implements Store, CommitFeed, StoreMaintenance {
    private static final Logger LOG = LoggerFactory.getLogger(ReadOnlyStore.class);
    private static final String REASON = "it was opened for reading only";

    private final StoreFolder folder;
    private final UUID storeId;
    private final Recovery recovery;
    private final LiveState live;
    private final StoreCaches caches;
    private final OpenSnapshots snapshots;

    private ReadOnlyStore(StoreFolder folder, UUID storeId, Recovery recovery, StoreCaches caches) {
        this.folder = folder;
        this.storeId = storeId;
        this.recovery = recovery;
        this.live = recovery.live();
        this.caches = caches;
        this.snapshots = new OpenSnapshots(live, () -> 0, () -> Long.MAX_VALUE);
    }

    static Store open(StoreFolder folder, StoreSettings settings, EntryIndexer indexer) {
        try {
            return RepeatedLook.at(folder.path(), () -> openOnce(folder, settings, indexer));
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "cannot read the store in " + folder.path() + ": " + e, e);
        }
    }

    private static Store openOnce(StoreFolder folder, StoreSettings settings, EntryIndexer indexer) throws IOException {
        LiveState live = null;
        boolean complete = false;
        try {
            Manifest manifest = ManifestFile.read(folder.path());
            IndexTables tables = suitable(folder, manifest, indexer);
            StoreCaches caches = new StoreCaches(settings.reading());
            Recovery recovery = new Recovery(folder, manifest, tables, Segment::open,
                    caches.segmentOptions(folder.disk()), new BoundedDnMemo(settings.reading().dnCacheBytes()));
            live = recovery.live();
            recovery.replay(false, (state, givenIds) -> { });
            complete = true;
            return new ReadOnlyStore(folder, manifest.storeId(), recovery, caches);
        } finally {
            if (!complete && live != null) {
                live.close();
            }
        }
    }

    /** As {@link org.alder.partition.store.StoreEngine#goOn}. */
    boolean goOn(long millis) {
        try {
            return folder.log(storeId).readAsFarAs(live.current().sequence(), Long.MAX_VALUE, group -> {
                if (group.timeMillis() <= millis) {
                    recovery.applyBehind(group);
                }
            }) != LogSource.Since.MISSING;
        } catch (IOException | StoreException e) {
            LOG.debug("What is read of {} does not go on", folder.path(), e);
            return false;
        }
    }

    private static IndexTables suitable(StoreFolder folder, Manifest manifest, EntryIndexer indexer) {
        if (manifest == null) {
            throw new StoreException(StoreException.Kind.REFUSED, "there is no store in " + folder.path());
        }
        StoreFolder.requireOwnLog(folder.path(), manifest);
        KeptIndexes kept = KeptIndexes.of(manifest, indexer);
        if (kept.why() != null && kept.isMissingBuilt(manifest)) {
            return kept.tables().changedTo(indexer.without(kept.missing()), -1);
        } else if (kept.why() != null) {
            throw new StoreException(StoreException.Kind.REFUSED, "the store in " + folder.path()
                    + " needs other indexes: " + kept.why() + ": start the server once, which builds them");
        }
        return kept.tables();
    }

    private static StoreException readOnly() {
        return new StoreException(StoreException.Kind.READ_ONLY, "the store is read-only: " + REASON);
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
    public EntryIndexer indexer() {
        return live.current().layers().indexer();
    }

    @Override
    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return CompletableFuture.failedFuture(readOnly());
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
        return () -> LOG.debug("Nothing is committed to what was opened for reading only");
    }

    @Override
    public ChangeHistory changes(Csn since, Snapshot upTo) {
        return ChangeHistory.without(ChangeHistory.Answer.FORGOTTEN);
    }

    @Override
    public StoreStatus status() {
        return live.status(recovery.givenIds(), folder.logs(), folder.freeBytes(), 0, 0, REASON, BackgroundStatus.NONE);
    }

    @Override
    public CacheStatus cacheStatus() {
        return caches.status(live.current().dnMemo());
    }

    @Override
    public void flush() {
        throw readOnly();
    }

    @Override
    public void compact() {
        throw readOnly();
    }

    @Override
    public void keepFingerprint() {
        throw readOnly();
    }

    @Override
    public void clearCaches() {
        caches.clear();
        live.current().dnMemo().clear();
    }

    @Override
    public void close() {
        live.close();
    }
}
