package org.alder.partition.jdbm.write;

import java.io.IOException;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.background.Flusher;
import org.alder.partition.jdbm.background.WritePressure;
import org.alder.partition.jdbm.folder.DiskSpace;
import org.alder.partition.jdbm.folder.StoreFolder;
import org.alder.partition.jdbm.log.GroupLog;
import org.alder.partition.jdbm.log.GroupLog.Ending;
import org.alder.partition.jdbm.log.GroupLog.Outcome;
import org.alder.partition.jdbm.log.LogSource;
import org.alder.partition.jdbm.log.ReplicaLog;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.WriteSettings;
import org.alder.partition.jdbm.state.CommitFollowers;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.SequenceWaiters;
import org.alder.partition.jdbm.state.StoreState;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The store's only writer thread. It takes all transactions that wait, runs each against the newest state, appends what they
 * wrote to the log as one group, syncs once, shows the group to new snapshots and then acknowledges all. A transaction that
 * throws fails alone. Until its sync has returned a group may fail as a whole; from then on it only goes forward: it is shown and
 * acknowledged, whatever else happens. What the log refuses for now can be tried again when it takes groups; where it takes none any
 * more ({@link Ending#isOver}), the store is read-only from then on; a replica leads no more, and {@link LogReplica} says what comes
 * then. Where it cannot tell whether a group is in it, or another writer has
 * taken it over, the members are told so: they got neither a promise nor a refusal.
 */
public final class GroupWriter {
    private static final Logger LOG = LoggerFactory.getLogger(GroupWriter.class);
    /** A group is closed when running its transactions has taken so long. */
    private static final long MOST_GROUP_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

    private final StoreFolder folder;
    private final Supplier<WriteSettings> settings;
    private final LiveState live;
    private final EntryIds ids;
    private final Tasks tasks;
    private final String name;
    private Tasks.Task task;
    private final WriterQueue queue;
    private final Gathering gathering;
    private final DiskSpace space;
    private final CommitFollowers followers;
    private final SequenceWaiters waiters;
    private volatile GroupLog log;
    /** Null where the log is the store's own. */
    private LogReplica replica;
    /** Why the log is not open, where it is not. */
    private StoreException noLog;
    private final LayerReplay layerReplay;
    private long lastSyncNanos;
    private final LongTransactions longTransactions;
    private Flusher flusher;
    private volatile String readOnlyReason;
    private volatile long transactions;
    private volatile long stallNanos;
    private volatile long delayNanos;

    /** @param settings asked for at each group */
    public GroupWriter(String name, StoreFolder folder, GroupLog log, Supplier<WriteSettings> settings, LiveState live,
            EntryIds ids, DiskSpace space, CommitFollowers followers, Tasks tasks) throws IOException {
        this.folder = folder;
        this.log = log;
        this.settings = settings;
        this.live = live;
        this.ids = ids;
        this.space = space;
        this.followers = followers;
        this.layerReplay = new LayerReplay(live);
        this.waiters = new SequenceWaiters(live);
        this.longTransactions = new LongTransactions(folder.path());
        this.tasks = tasks;
        this.queue = new WriterQueue(tasks);
        this.gathering = new Gathering(tasks);
        this.name = name;
        this.lastSyncNanos = tasks.nanoTime();
        startLog();
    }

    /** @param logReplica decides who writes the log; null where that is the store's own */
    public void start(Flusher layerFlusher, LogReplica logReplica) {
        flusher = layerFlusher;
        replica = logReplica;
        task = tasks.start(name + "-writer", this::run);
    }

    /** Starts the part of the log of the transactions behind the last one. */
    private void startLog() throws IOException {
        noLog = log.begin(live.current().sequence() + 1, live.current().timeMillis());
    }

    public <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        return submit(new PendingTransaction<>(transaction));
    }

    <T> CompletableFuture<T> submit(PendingTransaction<T> pending) {
        queue.add(pending);
        return pending.future();
    }

    /** Does something on the writer's thread, behind all that was submitted before. */
    <T> CompletableFuture<T> call(Callable<T> work) {
        WriterCall<T> call = new WriterCall<>(work, new CompletableFuture<>());
        queue.add(call);
        return call.done();
    }

    /** Completes with true when the transaction is shown, with false when the time is over or the store is closed. */
    public CompletableFuture<Boolean> awaitSequence(long sequence, long timeoutMillis) {
        return waiters.await(sequence, timeoutMillis);
    }

    /** Freezes the layer that takes transactions, behind all transactions submitted before; completes when that is done. */
    public CompletableFuture<StoreState> freeze() {
        return freeze(null);
    }

    /**
     * Has the keys of other indexes derived from now on, behind all transactions submitted before. Gives the state up to then, in whose
     * newest layer is nothing yet; whoever asks releases its layers.
     */
    public CompletableFuture<StoreState> changeIndexes(IndexTables tables) {
        return freeze(tables);
    }

    private CompletableFuture<StoreState> freeze(IndexTables tables) {
        Freeze freeze = new Freeze(tables, new CompletableFuture<>());
        queue.add(freeze);
        return freeze.done();
    }

    /** Why writes are refused now, or null. */
    public String readOnlyReason() {
        return readOnlyReason == null ? shortage() : readOnlyReason;
    }

    private String shortage() {
        String shortage = space.shortage();
        return shortage == null ? flusher.shortage() : shortage;
    }

    /** What to refuse writes with, or null. Goes on writing after a shortage that is over. */
    private StoreException refusal() {
        if (readOnlyReason == null) {
            String shortage = shortage();
            if (shortage != null) {
                return DiskSpace.exception(shortage);
            }
            if (!log.isOpen()) {
                goOn();
            }
        }
        if (readOnlyReason != null) {
            return readOnly();
        }
        return log.isOpen() || isReplica() && !layerReplay.isNeeded() ? null : noLog;
    }

    private boolean isReplica() {
        return replica != null && !replica.leads();
    }

    /** Puts memory and log where the last acknowledged transaction left them. */
    private void goOn() {
        try {
            layerReplay.runIfNeeded(log.source(), isReplica() ? StoreException.Kind.IO : StoreException.Kind.CORRUPT);
            if (!isReplica()) {
                startLog();
            }
        } catch (IOException | RuntimeException e) {
            if (isReplica()) {
                noLog = new StoreException(StoreException.Kind.IO, "the log cannot be read now: " + e, e);
            } else if (space.mayPass(e)) {
                noLog = space.lacking(e);
            } else {
                giveUp("the writer cannot go on after a shortage: " + e, e);
            }
        }
    }

    /** @throws StoreException where nothing can be written, neither what was read nor what is sent */
    void requireRoom() {
        String reason = readOnlyReason();
        if (reason != null) {
            throw readOnlyReason == null ? DiskSpace.exception(reason) : readOnly();
        }
    }

    /** A replica could not apply all that it began to. */
    void spoilActive() {
        layerReplay.need();
    }

    /** Before a replica applies what it read. @throws StoreException of kind IO, IOException where the log does not show yet what it needs */
    void makeActiveAnew() throws IOException {
        layerReplay.runIfNeeded(log.source(), StoreException.Kind.IO);
    }

    /** Goes on with a log that takes groups behind what is shown. */
    void lead(GroupLog written) throws IOException {
        StoreException refused = written.begin(live.current().sequence() + 1, live.current().timeMillis());
        if (refused != null) {
            throw refused;
        }
        log = written;
    }

    /** Ends the log that was written, and takes no groups any more. */
    void leadNoMore(GroupLog read) {
        GroupLog ended = log;
        log = read;
        noLog = ReplicaLog.notLeader();
        try {
            if (ended.isOpen()) {
                ended.end();
            }
            ended.close();
        } catch (IOException e) {
            LOG.warn("The log of {} could not be ended: whoever takes it over ends it", folder.path(), e);
        }
    }

    /** Tells what a replica applied and published. */
    void applied(AppliedTransactions group, long heapBytes) {
        transactions += group.size();
        space.wrote(heapBytes);
        followers.tell(group::tell, group.lastSequence());
        waiters.published();
        freezeIfFull();
        slowDown();
    }

    /** The log takes nothing any more. Where it is shared, somebody else may lead, or this store again. */
    private void giveUp(String reason, Throwable cause) {
        if (replica == null) {
            refuseWrites(reason, cause);
        } else {
            replica.lost(new StoreException(StoreException.Kind.IO, reason, cause));
        }
    }

    public void refuseWrites(String reason, Throwable cause) {
        if (readOnlyReason == null) {
            readOnlyReason = reason;
            LOG.error("The store {} is read-only until a restart, which recovers all that was acknowledged: {}", folder.path(), reason, cause);
            if (replica != null) {
                // Somebody else may lead.
                replica.fail(readOnly());
            }
        }
    }

    /** As who writes the log knows it, or else as who reads it. */
    public LogSource logSource() {
        return log.source();
    }

    public long logSyncs() {
        return log.syncs();
    }

    public long transactions() {
        return transactions;
    }

    /** Of transactions that kept others waiting for long. */
    public long longTransactions() {
        return longTransactions.count();
    }

    public long longestTransactionNanos() {
        return longTransactions.longestNanos();
    }

    /** How long writers were delayed in all. */
    public long stallNanos() {
        return stallNanos;
    }

    /** How long each group is delayed now. */
    public long delayNanos() {
        return delayNanos;
    }

    private void run() {
        try {
            WriterQueue.Queued work = null;
            while (work != WriterQueue.STOP) {
                work = workOnce();
            }
            finishLog();
        } finally {
            waiters.close();
            queue.failAll();
        }
    }

    /** Does the next piece of work, or the sync that is due before it. */
    private WriterQueue.Queued workOnce() {
        WriterQueue.Queued work = null;
        try {
            work = next();
            if (work instanceof Freeze freeze) {
                freezeOnDemand(freeze);
            } else if (work instanceof PendingTransaction<?> first) {
                writeGroup(first);
            } else if (work instanceof WriterCall<?> call) {
                call.run();
            }
        } catch (RuntimeException | Error e) {
            try {
                refuseWrites("the writer failed: " + e, e);
            } finally {
                if (work != null) {
                    work.fail(readOnly());
                }
            }
        }
        return work;
    }

    /** The next piece of work; null where a sync is due first. */
    private WriterQueue.Queued next() {
        try {
            if (settings.get().durability() != Durability.INTERVAL || !log.isOpen() || log.isSynced()) {
                return queue.take();
            }
            long waitNanos = lastSyncNanos + TimeUnit.MILLISECONDS.toNanos(settings.get().intervalMillis()) - tasks.nanoTime();
            WriterQueue.Queued work = waitNanos > 0 ? queue.poll(waitNanos) : null;
            if (work == null) {
                syncOnInterval();
            }
            return work;
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private static IllegalStateException interrupted(InterruptedException e) {
        return new IllegalStateException("the store's writer thread must not be interrupted", e);
    }

    private void syncOnInterval() {
        try {
            if (readOnlyReason == null) {
                log.sync();
            }
        } catch (IOException e) {
            refuseWrites("the log of " + folder.path() + " could not be synced: " + e, e);
        }
        lastSyncNanos = tasks.nanoTime();
    }

    /** Writes a group that begins with the given transaction, of all that wait up to something else than a transaction. */
    private void writeGroup(PendingTransaction<?> first) {
        StoreException refusal = isReplica() ? null : refusal();
        refusal = isReplica() ? replica.notLeader() : refusal;
        if (refusal != null) {
            first.fail(refusal);
            return;
        }
        try (TransactionGroup group = new TransactionGroup(live, ids, settings.get())) {
            write(group, first);
        }
        if (readOnlyReason == null && log.isOpen()) {
            freezeIfFull();
            slowDown();
        }
    }

    /** From here every member gets its answer. */
    private void write(TransactionGroup group, PendingTransaction<?> first) {
        try {
            long started = tasks.nanoTime();
            for (PendingTransaction<?> next = first; next != null; next = nextTransaction(group, started)) {
                run(group, next);
            }
        } catch (RuntimeException | Error e) {
            refuseWrites("the writer failed: " + e, e);
            group.members().forEach(member -> member.fail(readOnly()));
            return;
        }
        int members = group.members().size();
        if (members == 0) {
            return;
        }
        gathering.closed(members);
        long appended = tasks.nanoTime();
        Ending ending = append(group);
        if (ending.outcome() != Outcome.DONE) {
            fail(group, ending);
            return;
        }
        gathering.answered(members, queue.size(), tasks.nanoTime() - appended);
        try {
            publish(group);
        } catch (RuntimeException | Error e) {
            refuseWrites("what is durable up to sequence " + group.lastSequence() + " could not be shown: " + e, e);
        } finally {
            acknowledge(group);
        }
    }

    private void run(TransactionGroup group, PendingTransaction<?> next) {
        long started = tasks.nanoTime();
        group.run(next);
        longTransactions.ran(next, started, tasks.nanoTime(), group.lastEntries(), group.lastBytes());
    }

    /**
     * The next transaction, if that is what comes next, or comes while the group waits for more. Anything else stays in the queue until its own turn; so does
     * what comes when the group has taken long, whose members wait for their answers, and what may take long itself.
     */
    private PendingTransaction<?> nextTransaction(TransactionGroup group, long started) {
        boolean full = group.isFull() || tasks.nanoTime() - started > MOST_GROUP_NANOS
                || live.current().layers().active().sizeBytes() >= settings.get().memoryLayerBytes();
        if (full) {
            return null;
        }
        try {
            PendingTransaction<?> next = queue.pollTransaction(0);
            return next != null || queue.hasOther() || group.members().isEmpty() ? next : queue.pollTransaction(gathering.nanos(group.members().size()));
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** When this is done the group cannot be taken back any more. */
    private Ending append(TransactionGroup group) {
        if (group.size() == 0) {
            // What was refused rests on a state that is the newest one only as long as nobody else writes.
            StoreException lost = log.lost();
            return lost == null ? Ending.DONE : Ending.fenced(lost.getMessage(), lost);
        }
        try {
            return log.append(group.logGroup(), replica != null || settings.get().durability() == Durability.SYNC || group.isSynced());
        } catch (RuntimeException | Error e) {
            return Ending.unknown("the log of " + folder.path() + " failed: " + e, e);
        }
    }

    private void publish(TransactionGroup group) {
        if (group.size() > 0) {
            group.publish();
            transactions += group.size();
            space.wrote(group.sizeBytes());
            followers.tell(group::tell, group.lastSequence());
            waiters.published();
        }
    }

    /** One whose answer cannot be given keeps no other from its own. */
    private void acknowledge(TransactionGroup group) {
        Throwable failure = null;
        for (PendingTransaction<?> member : group.members()) {
            try {
                member.complete();
            } catch (RuntimeException | Error e) {
                failure = e;
            }
        }
        if (failure != null) {
            LOG.error("What was committed up to sequence {} of {} could not be answered", group.lastSequence(), folder.path(),
                    failure);
        }
    }

    /** Nothing of the group is shown. What was applied to the active layer is not taken for written, whatever is tried next. */
    private void fail(TransactionGroup group, Ending ending) {
        layerReplay.need();
        if (replica != null && ending.isOver()) {
            replica.lost(group, ending);
            return;
        }
        noLog = ending.reason();
        try {
            if (ending.isOver()) {
                refuseWrites(ending.reason().getMessage(), ending.reason());
            }
        } finally {
            StoreException reason = ending.isOver() && ending.outcome() == Outcome.REFUSED ? readOnly() : ending.reason();
            group.members().forEach(member -> member.fail(reason));
        }
    }

    private StoreException readOnly() {
        return new StoreException(StoreException.Kind.READ_ONLY, "the store is read-only until the server is restarted: "
                + readOnlyReason);
    }

    private void freezeOnDemand(Freeze freeze) {
        StoreException refusal = refusal();
        if (refusal == null && !live.current().layers().active().isEmpty()) {
            freezeActive(freeze.tables());
            refusal = refusal();
        } else if (refusal == null && freeze.tables() != null) {
            live.replaceActive(new MemoryLayer(freeze.tables().specs().size(), live.current().sequence()), freeze.tables());
        }
        if (refusal == null && freeze.tables() != null && live.current().layers().tables() != freeze.tables()) {
            refusal = new StoreException(StoreException.Kind.IO, "no new log could be started: " + folder.path());
        }
        if (refusal != null) {
            freeze.fail(refusal);
        } else {
            freeze.done().complete(freeze.tables() == null ? null : live.acquire());
        }
    }

    private void freezeIfFull() {
        if (live.current().layers().active().sizeBytes() >= settings.get().memoryLayerBytes()) {
            freezeActive(null);
        }
    }

    /** What is applied is published here, so the frozen layer holds nothing refused. @param tables null for those there are */
    private void freezeActive(IndexTables tables) {
        long sequence = live.current().sequence();
        IndexTables next = tables == null ? live.current().layers().tables() : tables;
        try {
            if (!isReplica()) {
                log.end();
                startLog();
            }
            if (log.isOpen() || isReplica()) {
                live.freeze(new MemoryLayer(next.specs().size(), sequence), tables);
                flusher.wake();
            }
        } catch (IOException | StoreException e) {
            giveUp("no new log could be started: " + e, e);
        }
    }

    private void slowDown() {
        LayerSet layers = live.current().layers();
        int mostFrozen = WritePressure.mostFrozen(layers, settings.get().memoryLayerBytes(),
                settings.get().heldLayerBytes() - live.heldBytes());
        boolean full = layers.frozen().size() > mostFrozen;
        delayNanos = WritePressure.delayNanos(WritePressure.fill(layers, settings.get().memoryLayerBytes()), layers.segments().size());
        if (!full && delayNanos == 0) {
            return;
        }
        long start = tasks.nanoTime();
        if (full) {
            awaitFlush(mostFrozen);
        } else {
            tasks.pause(delayNanos);
        }
        stallNanos += tasks.nanoTime() - start;
    }

    private void awaitFlush(int mostFrozen) {
        try {
            flusher.awaitFrozenAtMost(mostFrozen);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void finishLog() {
        try {
            if (readOnlyReason == null && log.isOpen()) {
                log.end();
            }
            log.close();
        } catch (IOException e) {
            LOG.error("Cannot finish the log of {}; it is recovered at the next start", folder.path(), e);
        }
    }

    /** Writes what is queued, then ends. Later transactions fail. */
    public void close() throws InterruptedException {
        queue.end();
        task.join();
    }
}
