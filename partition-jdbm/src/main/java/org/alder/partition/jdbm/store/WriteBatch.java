package org.alder.partition.jdbm.store;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.jdbm.log.Operation;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;

/** Collects the writes of one transaction. One thread. */
final class WriteBatch implements WriteContext {
    private static final int OPERATION_BYTES = 16;

    private final Snapshot state;
    private final LongSupplier ids;
    private final long timeMillis;
    private final long heapLimitBytes;
    private final List<Operation> operations = new ArrayList<>();
    private long sizeBytes;

    /**
     * @param timeMillis of the commit, since 1970
     * @param heapLimitBytes what the store lets its changes take
     */
    WriteBatch(Snapshot state, long timeMillis, LongSupplier ids, long heapLimitBytes) {
        this.state = state;
        this.ids = ids;
        this.timeMillis = timeMillis;
        this.heapLimitBytes = heapLimitBytes;
    }

    List<Operation> operations() {
        return operations;
    }

    /** What the operations take in the log, about. */
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
    public long allocateId() {
        return ids.getAsLong();
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

    private void put(Operation operation, int bytes, List<AttributeDelta> deltas) {
        operations.add(operation);
        sizeBytes += OPERATION_BYTES + bytes;
        for (AttributeDelta delta : deltas) {
            delta.removed().forEach(value -> sizeBytes += value.length);
            delta.added().forEach(value -> sizeBytes += value.length);
        }
    }
}
