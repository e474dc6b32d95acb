package org.alder.partition.jdbm.write;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.jdbm.background.WritePressure;
import org.alder.partition.jdbm.log.LogGroup;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.memory.EntryChange;
import org.alder.partition.jdbm.settings.WriteSettings;
import org.alder.partition.jdbm.state.CommitFollowers;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.RetryException;

/**
 * The transactions that share one log record and one sync: runs each against the newest state and applies what it wrote to the
 * active memory layer, unseen by readers as long as it is not published. Used by the writer's thread; holds a reference to the
 * layers until it is closed.
 */
final class TransactionGroup implements AutoCloseable {
    private static final int MAX_TRANSACTIONS = 1024;
    /** A group that has grown to this is closed; one transaction may be larger. */
    private static final long MAX_BYTES = 16L << 20;

    private final EntryIndexer indexer;
    private final LiveState live;
    private final EntryIds ids;
    private final WriteSettings settings;
    private final AppliedTransactions applied;
    private final List<PendingTransaction<?>> members = new ArrayList<>();
    private long sizeBytes;
    private int lastEntries;
    private long lastBytes;

    TransactionGroup(LiveState live, EntryIds ids, WriteSettings settings) {
        this.ids = ids;
        this.settings = settings;
        this.live = live;
        this.applied = new AppliedTransactions(live, ids, Math.max(live.current().timeMillis(), System.currentTimeMillis()));
        this.indexer = applied.layers().indexer();
    }

    boolean isFull() {
        return members.size() >= MAX_TRANSACTIONS || sizeBytes >= MAX_BYTES;
    }

    /** Without those that are made again. */
    List<PendingTransaction<?>> members() {
        return members;
    }

    /** Whether a member is to be on the disk, whatever holds for others. */
    boolean isSynced() {
        return members.stream().anyMatch(PendingTransaction::isSynced);
    }

    /** How many transactions changed anything. */
    int size() {
        return applied.size();
    }

    long sizeBytes() {
        return sizeBytes;
    }

    /** How many entries the last transaction changes. */
    int lastEntries() {
        return lastEntries;
    }

    /** Of the last transaction's changes. */
    long lastBytes() {
        return lastBytes;
    }

    /** Of the last transaction that changed anything; of the one before the group where none did. */
    long lastSequence() {
        return applied.lastSequence();
    }

    LogGroup logGroup() {
        return new LogGroup(applied.firstSequence(), applied.timeMillis(), applied.operations());
    }

    void publish() {
        applied.publish();
    }

    void run(PendingTransaction<?> pending) {
        members.add(pending);
        lastEntries = 0;
        lastBytes = 0;
        long transactionBytes = WritePressure.transactionBytes(applied.layers(), live.heldBytes(), settings.memoryLayerBytes(),
                settings.transactionBytes());
        WriteBatch batch = new WriteBatch(applied.layers(), lastSequence(), applied.timeMillis(), applied.dnMemo(), applied.records(), indexer,
                ids, transactionBytes);
        ChangeSet changes;
        try {
            pending.run(batch);
            lastEntries = batch.operations().size();
            lastBytes = batch.sizeBytes();
            changes = batch.changes();
        } catch (RetryException e) {
            members.remove(members.size() - 1);
            pending.leave(e);
            return;
        } catch (DirectoryException | RuntimeException | Error e) {
            // Also without memory or stack left: up to here nothing is changed that others see.
            pending.failAlone(e);
            return;
        } finally {
            batch.close();
        }
        apply(batch, changes);
    }

    private void apply(WriteBatch batch, ChangeSet changes) {
        if (batch.operations().isEmpty()) {
            return;
        }
        applied.apply(identified(changes.operations(), changes), changes);
        sizeBytes += batch.sizeBytes() + changes.outsideBytes();
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

    /** Tells what each transaction changed. */
    void tell(CommitFollowers followers) {
        applied.tell(followers);
    }

    @Override
    public void close() {
        applied.close();
    }
}
