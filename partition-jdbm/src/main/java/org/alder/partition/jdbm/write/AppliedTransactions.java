package org.alder.partition.jdbm.write;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.CommitFollowers;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.state.StoreState;
import org.alder.partition.store.SystemRecords;

/**
 * Transactions of one group that are applied to the active memory layer, unseen by readers until they are published together. Used by the
 * writer's thread; holds a reference to the layers until it is closed.
 */
final class AppliedTransactions implements AutoCloseable {
    private final LiveState live;
    private final EntryIds ids;
    private final StoreState first;
    private final LayerSet layers;
    private final LayerStack newest;
    private final long timeMillis;
    private final List<Applied> applied = new ArrayList<>();
    private BoundedDnMemo dnMemo;
    private SystemRecords records;
    private long entries;

    /** @param heapBytes what the transaction added to the memory layer */
    private record Applied(List<Operation> operations, StoreState after, long heapBytes) {
    }

    /** @param timeMillis when the group is written, or was, since 1970 */
    AppliedTransactions(LiveState live, EntryIds ids, long timeMillis) {
        this.live = live;
        this.ids = ids;
        this.first = live.acquire();
        this.layers = first.layers();
        this.newest = layers.at(Long.MAX_VALUE);
        this.timeMillis = timeMillis;
        this.dnMemo = first.dnMemo();
        this.entries = first.entries();
        this.records = first.records();
    }

    LayerSet layers() {
        return layers;
    }

    /** The state with everything that was applied. */
    LayerStack newest() {
        return newest;
    }

    BoundedDnMemo dnMemo() {
        return dnMemo;
    }

    /** Those of the state with everything that was applied. */
    SystemRecords records() {
        return records;
    }

    long timeMillis() {
        return timeMillis;
    }

    int size() {
        return applied.size();
    }

    long firstSequence() {
        return first.sequence() + 1;
    }

    /** Of the last transaction; of the one before the group where there is none. */
    long lastSequence() {
        return first.sequence() + applied.size();
    }

    /** @param operations as they are, or will be, in the log */
    void apply(List<Operation> operations, ChangeSet changes) {
        long sequence = lastSequence() + 1;
        long heapBytes = layers.active().sizeBytes();
        layers.active().apply(sequence, changes);
        heapBytes = layers.active().sizeBytes() - heapBytes;
        entries += changes.netEntries();
        ids.seen(operations);
        if (ids.beginsBlock(operations) || changes.renames()) {
            dnMemo = dnMemo.fresh();
        }
        records = Operation.applied(records, operations);
        applied.add(new Applied(operations, new StoreState(sequence, timeMillis, entries, layers, dnMemo, records), heapBytes));
    }

    List<List<Operation>> operations() {
        return applied.stream().map(Applied::operations).toList();
    }

    void publish() {
        live.publish(lastSequence(), timeMillis, entries, dnMemo, records);
    }

    /** Tells what each transaction changed. */
    void tell(CommitFollowers followers) {
        StoreState before = first;
        for (Applied each : applied) {
            followers.tell(before, each.after, each.operations, each.heapBytes);
            before = each.after;
        }
    }

    @Override
    public void close() {
        layers.release();
    }
}
