package org.alder.partition.store;

import java.util.List;
import org.alder.partition.entry.AttributeDelta;
import org.alder.partition.entry.Csn;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;

/**
 * What a {@link Transaction} may read and write. Valid only inside {@link Transaction#run}, on that thread.
 *
 * <p>{@link #state()} is the newest state: all that earlier transactions wrote, also those of the same group that are not
 * durable yet. The transaction's own writes are not visible in it before {@link #advance()}; for all others they take effect
 * together when {@code run} returns.
 */
public interface WriteContext {
    /** The newest state. Owned by the store: do not close it, do not keep it, not even beyond the next {@link #advance()}. */
    Snapshot state();

    /** The commit sequence number of this transaction, if it writes anything. */
    long sequence();

    /** The time of its commit, in milliseconds since 1970-01-01 UTC. */
    long timeMillis();

    /** Names that commit. */
    default Csn csn() {
        return new Csn(timeMillis(), sequence());
    }

    /** Heap that this transaction's changes may take, about: the store refuses it beyond, and a caller can stop before. */
    long heapLimitBytes();

    /**
     * From now on {@link #state()} shows, under the same sequence number, but with another
     * {@link Snapshot#identity}, also what this transaction wrote so far. For
     * transactions of several parts that build on one another; it costs about what a transaction of its own would.
     */
    void advance();

    /** A new ID, greater than all before. IDs of transactions that fail are lost, which does no harm. */
    long allocateId();

    /** Adds an entry under an ID from {@link #allocateId}; the record names its parent. */
    void add(long id, EntryRecord record);

    /** Changes attributes of an existing entry. */
    void modify(long id, List<AttributeDelta> deltas);

    /**
     * Gives an existing entry (with all below it, whose cost is nil) a new parent and RDN, and changes attributes with it.
     *
     * @param rdn the new RDN as RFC 4514 text in UTF-8
     */
    void rename(long id, long newParentId, byte[] rdn, List<AttributeDelta> deltas);

    /** Removes an existing entry that has no children, or none that this transaction did not remove before. */
    void delete(long id);

    /**
     * Keeps a record beside the entries, in the place of the one with this key ({@link Snapshot#systemRecords}). IDs that the transaction was given by
     * then are given to no other one, also where nothing but the record speaks of them.
     *
     * @param record not to be changed any more; null for none
     */
    void putSystemRecord(String key, byte[] record);

    /**
     * Forgets all that this transaction has written, but for the IDs that it was given, when the store has held it to all that it demands of
     * changes that are made: it may be made later, if what it is about stays as it is until then. {@link #state()} is that of the beginning again.
     *
     * @throws org.alder.partition.error.StoreException where it cannot be made, which ends the transaction
     */
    void takeBack();

    /** Given an entry as a transaction leaves it. */
    @FunctionalInterface
    interface Outcome {
        /** @param state with all that the transaction wrote up to then */
        void see(Snapshot state, long id, EntryRecord entry) throws DirectoryException;
    }

    /**
     * Has somebody see what an entry has become, who sees it once more where the transaction is made later than it was checked. It costs what
     * {@link #advance()} does.
     *
     * @param entry as it is to be seen, perhaps with values that are not in its record
     */
    default void show(long id, EntryRecord entry, Outcome outcome) throws DirectoryException {
        advance();
        outcome.see(state(), id, entry);
    }
}
