package org.alder.partition.prepared;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.WriteContext;
import org.alder.partition.store.WriteContextFilter;
import org.alder.partition.text.Utf8;

/**
 * Keeps a transaction of a shard from changing anything in a branch that an undecided transaction of several shards is about to change: it ends with a {@link
 * LockedException}. One thread, inside the transaction.
 */
public final class GuardedWrites extends WriteContextFilter {
    private final ShardLocks.Memo locks;
    private final UUID own;
    private final Function<TransactionId, CompletableFuture<Void>> ends;
    private final Consumer<Lock> touched;
    private final Branches branches;

    /**
     * @param own     of which transaction of several shards it is a part; null for none
     * @param ends    when another one ends
     * @param touched told each branch in which it changes something; null for nobody: then nothing is looked up where nothing is locked
     */
    public GuardedWrites(WriteContext inner, Schema schema, ShardLocks.Memo locks, UUID own, Function<TransactionId, CompletableFuture<Void>> ends,
            Consumer<Lock> touched) {
        super(inner);
        this.locks = locks;
        this.own = own;
        this.ends = ends;
        this.touched = touched;
        this.branches = new Branches(schema);
    }

    /**
     * Ends the transaction where another one holds the lock in its state.
     *
     * @throws LockedException then
     */
    public void requireFree(Lock lock) {
        PreparedTransaction holder = locks.of(state().systemRecords()).holder(lock);
        if (holder != null && !holder.id().uuid().equals(own)) {
            throw locked(holder, ends.apply(holder.id()));
        }
    }

    /** What a transaction ends with that needs what another one is about to change. @param free when that has ended */
    public static LockedException locked(PreparedTransaction holder, CompletableFuture<Void> free) {
        return new LockedException("a transaction of several shards is about to change the same entries or values, and is not decided yet: " + holder.what()
                + " (" + holder.id() + "). Nothing was changed. Where it stays so for longer, shard " + holder.id().coordinator() + " cannot be asked", free);
    }

    /** @param branch null for the suffix entry, which no such transaction changes */
    private void touch(Lock branch) {
        if (branch != null) {
            requireFree(branch);
            if (touched != null) {
                touched.accept(branch);
            }
        }
    }

    private boolean isFree(Snapshot state) {
        return touched == null && locks.of(state.systemRecords()).isEmpty();
    }

    private void change(long id) {
        Snapshot state = state();
        if (!isFree(state)) {
            touch(branches.of(state, id));
        }
    }

    private void put(long id, long parentId, String rdn) {
        Snapshot state = state();
        if (!isFree(state)) {
            touch(branches.put(state, id, parentId, rdn));
        }
    }

    @Override
    public void add(long id, EntryRecord record) {
        put(id, record.parentId(), record.rdn());
        super.add(id, record);
    }

    @Override
    public void modify(long id, List<AttributeDelta> deltas) {
        change(id);
        super.modify(id, deltas);
    }

    @Override
    public void rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas) {
        change(id);
        put(id, newParentId, Utf8.stored(rdn));
        super.rename(id, newParentId, rdn, deltas);
    }

    @Override
    public void delete(long id) {
        change(id);
        super.delete(id);
    }

    @Override
    public void takeBack() {
        branches.forget();
        super.takeBack();
    }
}
