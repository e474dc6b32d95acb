package org.alder.partition.jdbm.store;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.id.IdSet;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.log.CommitLog;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.memory.ChangeBuilder;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.memory.EntryChange;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.table.TableLimits;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's only writer thread. It takes all transactions that wait, runs each against the newest state, appends what they
 * wrote to the log as one group, syncs once, shows the group to new snapshots and then acknowledges all. A transaction that
 * throws fails alone. If the log cannot be written, the whole group fails and the store is read-only from then on; for lack of
 * room on the disk, only until there is room again. It does not try a failed sync again: the operating system may have dropped
 * the pages it could not write and would report success for them (Rebello et al., Can Applications Recover from fsync Failures?,
 * USENIX ATC 2020), so only a restart, which reads the log back, knows what is on the disk.
 */
final class GroupWriter {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);
    private static final int MAX_GROUP_TRANSACTIONS = 1024;
    /** A group that has grown to this is closed; one transaction may be larger. */
    private static final long MAX_GROUP_BYTES = 16L << 20;
    private static final long MAX_TRANSACTION_BYTES = 128L << 20;
    private static final PendingTransaction<Void> STOP = new PendingTransaction<>(context -> null);

    private final StoreFolder folder;
    private final UUID storeId;
    private final EntryIndexer indexer;
    private final StoreSettings settings;
    private final LiveState live;
    private final AtomicLong lastId;
    private final Thread thread;
    private final LinkedBlockingQueue<PendingTransaction<?>> queue = new LinkedBlockingQueue<>();
    /** Layers to freeze on demand wait here; the queue carries a mark for each. */
    private final LinkedBlockingQueue<CompletableFuture<Void>> freezes = new LinkedBlockingQueue<>();
    private final PendingTransaction<Void> freezeMark = new PendingTransaction<>(context -> null);

    private final DiskSpace space;
    private final CommitFollowers followers;
    /** Null where there was no room for one. */
    private CommitLog log;
    /** Whether the active memory layer holds a group that could not be written. */
    private boolean activeSpoilt;
    private long lastSyncNanos = System.nanoTime();
    private Flusher flusher;
    private boolean closed;
    private volatile String readOnlyReason;
    private volatile long logSyncs;
    private volatile long transactions;
    private volatile long stallNanos;
    private volatile long delayNanos;

    GroupWriter(String name, StoreFolder folder, UUID storeId, EntryIndexer indexer, StoreSettings settings, LiveState live,
            AtomicLong lastId, DiskSpace space, CommitFollowers followers) throws IOException {
        this.folder = folder;
        this.storeId = storeId;
        this.indexer = indexer;
        this.settings = settings;
        this.live = live;
        this.lastId = lastId;
        this.space = space;
        this.followers = followers;
        startLog();
        this.thread = new Thread(this::run, name + "-writer");
        this.thread.setDaemon(true);
    }

    void start(Flusher layerFlusher) {
        flusher = layerFlusher;
        thread.start();
    }

    /** Starts the log of the transactions behind the last one; without room on the disk there is none for now. */
    private void startLog() throws IOException {
        log = null;
        try {
            log = CommitLog.create(folder.disk(), folder.path(), storeId, live.current().sequence() + 1,
                    live.current().timeMillis());
        } catch (IOException e) {
            if (!space.isCauseOf(e)) {
                throw e;
            }
            space.full(e);
        }
    }

    <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        PendingTransaction<T> pending = new PendingTransaction<>(transaction);
        enqueue(pending);
        return pending.future();
    }

    private synchronized void enqueue(PendingTransaction<?> pending) {
        if (closed) {
            pending.fail(new StoreException(StoreException.Kind.CLOSED, "the store is closed"));
        } else {
            queue.add(pending);
        }
    }

    /** Freezes the layer that takes transactions, behind all transactions submitted before; completes when that is done. */
    synchronized CompletableFuture<Void> freeze() {
        CompletableFuture<Void> done = new CompletableFuture<>();
        if (closed) {
            done.completeExceptionally(new StoreException(StoreException.Kind.CLOSED, "the store is closed"));
        } else {
            freezes.add(done);
            queue.add(freezeMark);
        }
        return done;
    }

    /** Why writes are refused now, or null. */
    String readOnlyReason() {
        return readOnlyReason == null ? shortage() : readOnlyReason;
    }

    private String shortage() {
        String shortage = space.shortage();
        return shortage == null ? flusher.shortage() : shortage;
    }

    /** What to refuse writes with, or null. Goes on writing after a lack of room that is over. */
    private StoreException refusal() {
        if (readOnlyReason == null) {
            String shortage = shortage();
            if (shortage != null) {
                return DiskSpace.exception(shortage);
            }
            if (log == null) {
                goOn();
            }
        }
        if (readOnlyReason != null) {
            return readOnly();
        }
        return log == null ? DiskSpace.exception("the disk of " + folder.path() + " is full") : null;
    }

    /** Puts memory and log where the last acknowledged transaction left them. */
    private void goOn() {
        try {
            if (activeSpoilt) {
                live.replaceActive(new LayerReplay(folder, storeId, indexer).run(live));
                activeSpoilt = false;
            }
            startLog();
        } catch (IOException | RuntimeException e) {
            LOG.error("Cannot go on writing to {} after its disk was full", folder.path(), e);
            refuseWrites("the writer cannot go on after the disk was full: " + e);
        }
    }

    void refuseWrites(String reason) {
        if (readOnlyReason == null) {
            LOG.error("The store {} is read-only until a restart, which recovers all that was acknowledged: {}", folder.path(),
                    reason);
            readOnlyReason = reason;
        }
    }

    long logSyncs() {
        return logSyncs;
    }

    long transactions() {
        return transactions;
    }

    /** How long writers were delayed in all. */
    long stallNanos() {
        return stallNanos;
    }

    /** How long each group is delayed now. */
    long delayNanos() {
        return delayNanos;
    }

    private void run() {
        PendingTransaction<?> first = null;
        while (first != STOP) {
            first = next();
            try {
                if (first == freezeMark) {
                    freezeOnDemand();
                } else if (first != null && first != STOP) {
                    first = writeGroup(first);
                }
            } catch (RuntimeException | Error e) {
                LOG.error("The writer of {} failed", folder.path(), e);
                refuseWrites("the writer failed: " + e);
                if (first != null) {
                    first.fail(readOnly());
                }
            }
        }
        finishLog();
    }

    /** The next transaction; null where a sync is due first. */
    private PendingTransaction<?> next() {
        try {
            if (settings.durability() != Durability.INTERVAL || log == null || log.isSynced()) {
                return queue.take();
            }
            long waitNanos = lastSyncNanos + TimeUnit.MILLISECONDS.toNanos(settings.intervalMillis()) - System.nanoTime();
            PendingTransaction<?> pending = waitNanos > 0 ? queue.poll(waitNanos, TimeUnit.NANOSECONDS) : null;
            if (pending == null) {
                syncOnInterval();
            }
            return pending;
        } catch (InterruptedException e) {
            throw new IllegalStateException("the store's writer thread must not be interrupted", e);
        }
    }

    private void syncOnInterval() {
        try {
            if (readOnlyReason == null) {
                sync();
            }
        } catch (IOException e) {
            refuseWrites("the log " + log.path() + " could not be synced: " + e);
        }
        lastSyncNanos = System.nanoTime();
    }

    private void sync() throws IOException {
        log.sync();
        logSyncs++;
    }

    /** Writes a group that begins with the given transaction; returns the mark that ended it, if one did. */
    private PendingTransaction<?> writeGroup(PendingTransaction<?> first) {
        StoreException refusal = refusal();
        if (refusal != null) {
            first.fail(refusal);
            return first;
        }
        Group group = new Group();
        PendingTransaction<?> pending = first;
        try {
            while (pending != null && pending != STOP && pending != freezeMark) {
                group.run(pending);
                pending = group.isFull() ? null : queue.poll();
            }
            group.commit();
        } catch (IOException | RuntimeException | Error e) {
            group.fail(e);
        } finally {
            group.layers.release();
        }
        if (readOnlyReason == null && log != null) {
            freezeIfFull();
            slowDown();
        }
        if (pending == freezeMark) {
            freezeOnDemand();
        }
        return pending;
    }

    private StoreException readOnly() {
        return new StoreException(StoreException.Kind.READ_ONLY, "the store is read-only until the server is restarted: "
                + readOnlyReason);
    }

    private void freezeOnDemand() {
        CompletableFuture<Void> done = freezes.remove();
        try {
            freezeOnDemand(done);
        } catch (RuntimeException | Error e) {
            refuseWrites("the writer failed: " + e);
            done.completeExceptionally(readOnly());
            throw e;
        }
    }

    private void freezeOnDemand(CompletableFuture<Void> done) {
        StoreException refusal = refusal();
        if (refusal == null && !live.current().layers().active().isEmpty()) {
            freezeActive();
            refusal = refusal();
        }
        if (refusal == null) {
            done.complete(null);
        } else {
            done.completeExceptionally(refusal);
        }
    }

    private void freezeIfFull() {
        if (live.current().layers().active().sizeBytes() >= settings.memoryLayerBytes()) {
            freezeActive();
        }
    }

    /** Everything applied is published at this point, so that the frozen layer holds nothing that was refused. */
    private void freezeActive() {
        long sequence = live.current().sequence();
        try {
            log.finish();
            startLog();
            if (log != null) {
                live.freeze(new MemoryLayer(indexer.indexes().size(), sequence));
                flusher.wake();
            }
        } catch (IOException e) {
            refuseWrites("no new log could be started: " + e);
        }
    }

    private void slowDown() {
        LayerSet layers = live.current().layers();
        int mostFrozen = WritePressure.mostFrozen(layers, settings.memoryLayerBytes());
        boolean full = layers.frozen().size() > mostFrozen;
        delayNanos = WritePressure.delayNanos(WritePressure.fill(layers, settings.memoryLayerBytes()), layers.segments().size());
        if (!full && delayNanos == 0) {
            return;
        }
        long start = System.nanoTime();
        if (full) {
            awaitFlush(mostFrozen);
        } else {
            LockSupport.parkNanos(delayNanos);
        }
        stallNanos += System.nanoTime() - start;
    }

    private void awaitFlush(int mostFrozen) {
        try {
            flusher.awaitFrozenAtMost(mostFrozen);
        } catch (InterruptedException e) {
            throw new IllegalStateException("the store's writer thread must not be interrupted", e);
        }
    }

    private void finishLog() {
        if (log == null) {
            return;
        }
        try {
            if (readOnlyReason == null) {
                log.finish();
            } else {
                log.close();
            }
        } catch (IOException e) {
            LOG.error("Cannot finish the log {}; it is recovered at the next start", log.path(), e);
        }
    }

    /** Writes what is queued, then ends. Later transactions fail. */
    void close() throws InterruptedException {
        synchronized (this) {
            if (!closed) {
                closed = true;
                queue.add(STOP);
            }
        }
        thread.join();
    }

    /** @param heapBytes what the transaction added to the memory layer */
    private record Applied(StoreState after, long heapBytes) {
    }

    /** The transactions that share one log record and one sync. */
    private final class Group {
        private final LayerSet layers = live.acquire().layers();
        private final LayerStack newest = layers.at(Long.MAX_VALUE);
        private final List<PendingTransaction<?>> members = new ArrayList<>();
        private final List<List<Operation>> written = new ArrayList<>();
        private final long firstSequence = live.current().sequence() + 1;
        private final long timeMillis = Math.max(live.current().timeMillis(), System.currentTimeMillis());
        private final StoreState first = live.current();
        private final List<Applied> applied = new ArrayList<>();
        private BoundedDnMemo dnMemo = first.dnMemo();
        private long entries = live.current().entries();
        private final long logStart = log.sizeBytes();
        private long sizeBytes;

        boolean isFull() {
            return members.size() >= MAX_GROUP_TRANSACTIONS || sizeBytes >= MAX_GROUP_BYTES
                    || layers.active().sizeBytes() >= settings.memoryLayerBytes();
        }

        void run(PendingTransaction<?> pending) {
            members.add(pending);
            WriteBatch batch = new WriteBatch(layers, firstSequence + written.size() - 1, timeMillis, dnMemo, indexer,
                    this::allocateId, settings.transactionBytes());
            ChangeSet changes;
            try {
                pending.run(batch);
                changes = ChangeBuilder.build(batch.operations(), newest, indexer, settings.transactionBytes());
                requireStorable(batch, changes);
            } catch (DirectoryException | RuntimeException | Error e) {
                // Also without memory or stack left: up to here nothing is changed that others see.
                pending.failAlone(e);
                return;
            } finally {
                batch.close();
            }
            apply(batch, changes);
        }

        private long allocateId() {
            if (lastId.get() >= IdSet.MAX_ID) {
                throw new StoreException(StoreException.Kind.REFUSED, "all " + IdSet.MAX_ID
                        + " entry IDs of the store are used up");
            }
            return lastId.incrementAndGet();
        }

        private void requireStorable(WriteBatch batch, ChangeSet changes) {
            long bytes = batch.sizeBytes() + changes.outsideBytes();
            if (bytes > MAX_TRANSACTION_BYTES) {
                throw tooLarge("a transaction", bytes, MAX_TRANSACTION_BYTES);
            }
            changes.entries().forEach(change -> {
                if (change.after() != null && change.after().bytes().length > EntryRecord.MAX_BYTES) {
                    throw tooLarge("entry " + change.id(), change.after().bytes().length, EntryRecord.MAX_BYTES);
                }
            });
            changes.keys().forEach(change -> {
                if (change.key().length == 0 || change.key().length > TableLimits.MAX_KEY_BYTES) {
                    throw tooLarge("a key of index " + indexer.indexes().get(change.index()).name() + " of entry " + change.id(),
                            change.key().length, TableLimits.MAX_KEY_BYTES);
                }
            });
        }

        private StoreException tooLarge(String what, long bytes, long limitBytes) {
            return new StoreException(StoreException.Kind.TOO_LARGE, what + " has " + bytes + " bytes; allowed are up to "
                    + limitBytes);
        }

        private void apply(WriteBatch batch, ChangeSet changes) {
            if (batch.operations().isEmpty()) {
                return;
            }
            long heapBytes = layers.active().sizeBytes();
            layers.active().apply(firstSequence + written.size(), changes);
            heapBytes = layers.active().sizeBytes() - heapBytes;
            written.add(identified(changes.operations(), changes));
            sizeBytes += batch.sizeBytes() + changes.outsideBytes();
            entries += changes.netEntries();
            if (changes.renames()) {
                dnMemo = dnMemo.fresh();
            }
            applied.add(new Applied(new StoreState(firstSequence + applied.size(), timeMillis, entries, layers, dnMemo),
                    heapBytes));
        }

        /** With the identities of the entries that are deleted, which nobody can look up any more. */
        private List<Operation> identified(List<Operation> operations, ChangeSet changes) {
            if (operations.stream().noneMatch(operation -> operation instanceof Operation.Delete)) {
                return operations;
            }
            Map<Long, byte[]> identities = new HashMap<>();
            for (EntryChange change : changes.entries()) {
                if (change.after() == null && change.before() != null) {
                    identities.put(change.id(), indexer.identity(change.before()));
                }
            }
            return operations.stream().map(operation ->
                    operation instanceof Operation.Delete && identities.containsKey(operation.id())
                            ? new Operation.Delete(operation.id(), identities.get(operation.id())) : operation).toList();
        }

        void commit() throws IOException {
            if (!written.isEmpty()) {
                log.append(new LogGroup(firstSequence, timeMillis, written));
                if (settings.durability() == Durability.SYNC) {
                    sync();
                }
                live.publish(firstSequence + written.size() - 1, timeMillis, entries, dnMemo);
                transactions += written.size();
                space.wrote(sizeBytes);
                tellFollowers();
            }
            members.forEach(PendingTransaction::complete);
        }

        private void tellFollowers() {
            if (followers.isEmpty()) {
                return;
            }
            try {
                StoreState before = first;
                for (int i = 0; i < written.size(); i++) {
                    StoreState after = applied.get(i).after;
                    followers.tell(layers, before, after, written.get(i), applied.get(i).heapBytes);
                    before = after;
                }
            } catch (RuntimeException | Error e) {
                // The group is durable, and readers see it: it must not be taken back because of this.
                LOG.error("What was committed up to sequence {} of {} could not be told", live.current().sequence(),
                        folder.path(), e);
                followers.missed();
            }
        }

        void fail(Throwable cause) {
            StoreException refusal = space.isCauseOf(cause) ? pause(cause) : null;
            if (refusal == null) {
                refuseWrites("the log " + log.path() + " could not be written: " + cause);
                takeBack();
                refusal = readOnly();
            }
            StoreException reason = refusal;
            members.forEach(member -> member.fail(reason));
        }

        /** Ends the log before the group; null where that fails too. */
        private StoreException pause(Throwable cause) {
            try {
                log.takeBack(logStart);
                log.finish();
                log = null;
                activeSpoilt = true;
                return space.full(cause);
            } catch (IOException e) {
                LOG.error("Cannot end the log {} before the group there was no room for", log.path(), e);
                return null;
            }
        }

        private void takeBack() {
            try {
                log.takeBack(logStart);
            } catch (IOException e) {
                LOG.error("Cannot take the failed group back from {}; a restart may find it there, whole, or cut it", log.path(),
                        e);
            }
        }
    }
}
