package org.alder.partition.jdbm.write;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.block.TableLimits;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.jdbm.memory.ChangeBuilder;
import org.alder.partition.jdbm.memory.ChangeSet;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.state.BoundedDnMemo;
import org.alder.partition.jdbm.state.EntryIds;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.StoreSnapshot;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.WriteContext;

/** Collects the writes of one transaction, and shows it them when it asks. One thread; close it. */
final class WriteBatch implements WriteContext, AutoCloseable {
    /** Kind, IDs, lengths and counts of an operation, and the identity of an entry that is deleted. */
    private static final int OPERATION_BYTES = 64;
    /** Lengths and counts of a delta, without its description. */
    private static final int DELTA_BYTES = 16;
    private static final long MAX_TRANSACTION_BYTES = 128L << 20;
    /** The length of a value. */
    private static final int VALUE_BYTES = 5;

    private final LayerSet layers;
    private final LayerStack firstState;
    private final EntryIndexer indexer;
    private final EntryIds ids;
    private final long timeMillis;
    private final long heapLimitBytes;
    private final List<Operation> operations = new ArrayList<>();
    private final BoundedDnMemo firstDnMemo;
    private final SystemRecords firstRecords;
    private StoreSnapshot state;
    private BoundedDnMemo dnMemo;
    private SystemRecords records;
    private long sizeBytes;
    /** The last that it was given. */
    private long lastId;
    /** What the state shows of the operations; null for nothing. */
    private MemoryLayer shown;
    private LayerStack shownState;
    private int shownOperations;

    /**
     * @param sequence of the newest state, with its memo and its system records
     * @param timeMillis of the commit, since 1970
     * @param heapLimitBytes what the store lets its changes take
     */
    WriteBatch(LayerSet layers, long sequence, long timeMillis, BoundedDnMemo dnMemo, SystemRecords records, EntryIndexer indexer, EntryIds ids,
            long heapLimitBytes) {
        this.layers = layers;
        this.indexer = indexer;
        this.ids = ids;
        this.timeMillis = timeMillis;
        this.heapLimitBytes = heapLimitBytes;
        this.firstDnMemo = dnMemo;
        this.firstRecords = records;
        this.records = records;
        this.dnMemo = dnMemo;
        this.firstState = layers.at(Long.MAX_VALUE).remembering();
        this.shownState = firstState;
        this.state = snapshot(sequence);
    }

    private StoreSnapshot snapshot(long sequence) {
        return new StoreSnapshot(sequence, new Object(), timeMillis, shownState, indexer, dnMemo, records, ended -> { });
    }

    /**
     * What all operations come to.
     *
     * @throws StoreException of kind TOO_LARGE where the store does not keep that
     */
    ChangeSet changes() {
        ChangeSet changes = ChangeBuilder.build(operations, firstState, indexer, heapLimitBytes);
        long bytes = sizeBytes + changes.outsideBytes();
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
        return changes;
    }

    private static StoreException tooLarge(String what, long bytes, long limitBytes) {
        return new StoreException(StoreException.Kind.TOO_LARGE, what + " has " + bytes + " bytes; allowed are up to "
                + limitBytes);
    }

    List<Operation> operations() {
        return operations;
    }

    /** What the operations take in the log, at most. */
    long sizeBytes() {
        return sizeBytes;
    }

    @Override
    public Snapshot state() {
        return state;
    }

    @Override
    public long sequence() {
        return state.sequence() + 1;
    }

    @Override
    public long timeMillis() {
        return timeMillis;
    }

    @Override
    public long heapLimitBytes() {
        return heapLimitBytes;
    }

    @Override
    public void advance() {
        if (shownOperations == operations.size()) {
            return;
        }
        if (shown == null) {
            shown = new MemoryLayer(indexer.indexes().size(), 0);
        }
        List<Operation> unshown = operations.subList(shownOperations, operations.size());
        ChangeSet changes = ChangeBuilder.build(unshown, shownState, indexer, heapLimitBytes);
        shown.apply(shown.lastSequence() + 1, changes);
        if (shown.sizeBytes() > heapLimitBytes) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "the parts of a transaction take " + shown.sizeBytes()
                    + " bytes of memory; allowed are up to " + heapLimitBytes);
        }
        shownState = layers.below(shown);
        shownOperations = operations.size();
        records = Operation.applied(records, unshown);
        if (changes.renames() || ids.givesAgain() && unshown.stream().anyMatch(operation -> operation instanceof Operation.Add)) {
            dnMemo = dnMemo.fresh();
        }
        state.close();
        state = snapshot(state.sequence());
    }

    @Override
    public void takeBack() {
        changes();
        operations.clear();
        sizeBytes = 0;
        shown = null;
        shownOperations = 0;
        shownState = firstState;
        dnMemo = firstDnMemo;
        records = firstRecords;
        state.close();
        state = snapshot(state.sequence());
    }

    /** Ends the state. */
    @Override
    public void close() {
        state.close();
    }

    @Override
    public long allocateId() {
        lastId = ids.next(layers);
        return lastId;
    }

    @Override
    public void add(long id, EntryRecord record) {
        put(new Operation.Add(id, record), record.bytes().length, List.of());
    }

    @Override
    public void modify(long id, List<AttributeDelta> deltas) {
        put(new Operation.Modify(id, deltas), 0, deltas);
    }

    @Override
    public void rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
        put(new Operation.Rename(id, newParentId, rdn, deltas), rdn.length, deltas);
    }

    @Override
    public void delete(long id) {
        put(new Operation.Delete(id), 0, List.of());
    }

    @Override
    public void putSystemRecord(String key, byte[] record) {
        SystemRecords after = Operation.applied(records, operations.subList(shownOperations, operations.size())).with(key, record);
        if (after.bytes() > SystemRecords.MOST_BYTES) {
            throw tooLarge("what is kept beside the entries", after.bytes(), SystemRecords.MOST_BYTES);
        }
        put(new Operation.Keep(lastId, key, record), key.length() + (record == null ? 0 : record.length), List.of());
    }

    private void put(Operation operation, int bytes, List<AttributeDelta> deltas) {
        operations.add(operation);
        sizeBytes += OPERATION_BYTES + bytes;
        for (AttributeDelta delta : deltas) {
            sizeBytes += DELTA_BYTES + 3L * delta.description().length();
            delta.removed().forEach(value -> sizeBytes += VALUE_BYTES + value.length);
            delta.added().forEach(value -> sizeBytes += VALUE_BYTES + value.length);
        }
    }
}
