package org.alder.partition.prepared;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.Shortened;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.WriteContext;
import org.alder.partition.store.WriteContextFilter;

/**
 * Lets a shard's part of a transaction of several shards run as if it were made, and keeps what it writes instead of making it ({@link #keep}). One thread,
 * inside the transaction.
 */
public final class PreparingWrites extends WriteContextFilter {
    private final TransactionId id;
    private final WriteContext inner;
    private final List<PreparedChange> changes = new ArrayList<>();
    private final List<Shown> shown = new ArrayList<>();

    /** What somebody wants to see of an entry when it is made. */
    private record Shown(long id, EntryRecord entry, Outcome outcome) {
    }

    public PreparingWrites(TransactionId id, WriteContext inner) {
        super(inner);
        this.id = id;
        this.inner = inner;
    }

    @Override
    public void add(long entry, EntryRecord record) {
        inner.add(entry, record);
        changes.add(new PreparedChange.Add(entry, record));
    }

    @Override
    public void modify(long entry, List<AttributeDelta> deltas) {
        inner.modify(entry, deltas);
        changes.add(new PreparedChange.Modify(entry, deltas));
    }

    @Override
    public void rename(long entry, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
        inner.rename(entry, newParentId, rdn, deltas);
        changes.add(new PreparedChange.Rename(entry, newParentId, rdn, deltas));
    }

    @Override
    public void delete(long entry) {
        inner.delete(entry);
        changes.add(new PreparedChange.Delete(entry));
    }

    @Override
    public void show(long entry, EntryRecord record, Outcome outcome) throws DirectoryException {
        super.show(entry, record, outcome);
        shown.add(new Shown(entry, record, outcome));
    }

    /**
     * Keeps what was written in a system record, and takes it back.
     *
     * @param locks what nobody else may change until it is made or given up
     * @throws DirectoryException affectsMultipleDSAs where it is too much, busy where too much is kept already
     */
    public void keep(String what, Set<Lock> locks) throws DirectoryException {
        PreparedTransaction prepared = new PreparedTransaction(id, Shortened.of(what), inner.csn().bytes(), locks, changes);
        byte[] record = prepared.encode();
        if (record.length > PreparedTransaction.MOST_BYTES) {
            throw new DirectoryException(ResultCode.AFFECTS_MULTIPLE_DSAS, "what is to be changed in one of several shards takes " + record.length
                    + " bytes, and " + PreparedTransaction.MOST_BYTES + " may be changed at once together with other shards: change less, or in one shard alone");
        }
        SystemRecords before = inner.state().systemRecords();
        if (before.bytes() + record.length > SystemRecords.MOST_BYTES - PreparedTransaction.MOST_BYTES / 2) {
            throw new DirectoryException(ResultCode.BUSY, "transactions of several shards that are not ended yet take " + before.bytes()
                    + " bytes in one of these, nearly as many as may be kept: nothing was changed");
        }
        inner.takeBack();
        inner.putSystemRecord(PreparedTransaction.key(id.uuid()), record);
    }

    /**
     * What is to be shown when the transaction is made, by another context, in its transaction. What was seen before was as it would have been then.
     *
     * @param before the number that changed entries had here
     */
    public void showIn(WriteContext context, byte[] before) throws DirectoryException {
        for (Shown each : shown) {
            context.show(each.id, PreparedChange.stamped(each.entry, before, context.csn().bytes()), each.outcome);
        }
    }
}
