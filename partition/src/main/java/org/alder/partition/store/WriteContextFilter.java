package org.alder.partition.store;

import java.util.List;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;

/** Passes on what a transaction reads and writes; who extends it says what is otherwise. One thread, inside the transaction. */
public abstract class WriteContextFilter implements WriteContext {
    private final WriteContext inner;

    protected WriteContextFilter(WriteContext inner) {
        this.inner = inner;
    }

    @Override
    public Snapshot state() {
        return inner.state();
    }

    @Override
    public long sequence() {
        return inner.sequence();
    }

    @Override
    public long timeMillis() {
        return inner.timeMillis();
    }

    @Override
    public long heapLimitBytes() {
        return inner.heapLimitBytes();
    }

    @Override
    public void advance() {
        inner.advance();
    }

    @Override
    public long allocateId() {
        return inner.allocateId();
    }

    @Override
    public void add(long id, EntryRecord record) {
        inner.add(id, record);
    }

    @Override
    public void modify(long id, List<AttributeDelta> deltas) {
        inner.modify(id, deltas);
    }

    @Override
    public void rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
        inner.rename(id, newParentId, rdn, deltas);
    }

    @Override
    public void delete(long id) {
        inner.delete(id);
    }

    @Override
    public void putSystemRecord(String key, byte[] record) {
        inner.putSystemRecord(key, record);
    }

    @Override
    public void takeBack() {
        inner.takeBack();
    }

    @Override
    public void show(long id, EntryRecord entry, Outcome outcome) throws DirectoryException {
        inner.show(id, entry, outcome);
    }
}
