package org.alder.partition.store;

import java.util.concurrent.CompletableFuture;

/**
 * What a storage engine offers the partition: entry records by ID, and exact ID sets by index key, read at one point in time
 * and changed by transactions that are durable when acknowledged. The core stands on this interface and its two companions alone:
 * {@link #feed} tells what was committed, {@link #maintenance} is for whoever looks after the store. A {@link StoreEngine}
 * opens it.
 *
 * <p>An engine knows nothing of LDAP. It derives index keys with the {@link EntryIndexer} it was opened with, for transactions,
 * after a crash and in a bulk load alike. Thread safe; its owner closes it.
 *
 * <p>What every engine promises, and {@code StoreConformance} tests:
 * <ul>
 * <li>Transactions take effect one after another, each whole or not at all, and each against the newest state.
 * <li>A snapshot shows exactly what was committed before it, however long it is kept and whatever is committed meanwhile.
 * <li>Commits are numbered without gaps from 1 on, in the order in which they take effect, also across restarts; their times
 *     never go back. Transactions that write nothing, or fail, take no number. A bulk load goes on at a number above all
 *     before.
 * <li>Entry IDs are given in ascending order, also across restarts. When all are given, an engine may give those again of whose entries it keeps nothing; until
 *     then none is given twice.
 * </ul>
 */
public interface Store extends AutoCloseable {
    /**
     * The newest acknowledged state. Never blocks on writers. The caller must close it; one left open past the store's time
     * limit is taken back, and reading it then throws a {@link org.alder.partition.error.StoreException} of kind
     * SNAPSHOT_EXPIRED.
     */
    Snapshot snapshot();

    /** That of a snapshot which is opened now, without opening one: whoever has read it knows whether anything was committed since. */
    long sequence();

    /** {@link Snapshot#systemRecords} of a snapshot which is opened now, without opening one. */
    default SystemRecords systemRecords() {
        try (Snapshot now = snapshot()) {
            return now.systemRecords();
        }
    }

    /** {@link Snapshot#indexer} of a snapshot which is opened now, without opening one: who looks after the store asks for nothing in it. */
    EntryIndexer indexer();

    /**
     * Queues a transaction. The future completes when every effect is durable as the durability setting promises and visible to
     * new snapshots, perhaps on a thread that other transactions wait for: continuations must be short and must not block. It
     * completes exceptionally with what {@link Transaction#run} threw (nothing of it is applied), or with a {@code
     * StoreException}.
     */
    <T> CompletableFuture<T> submit(Transaction<T> transaction);

    /**
     * Waits until snapshots show a transaction, as who wrote it elsewhere needs, without holding a thread. Whoever calls this bounds how many
     * wait.
     *
     * @return completes with true when it is shown, with false when the time is over or the store is closed
     */
    default CompletableFuture<Boolean> awaitSequence(long sequence, long timeoutMillis) {
        return CompletableFuture.completedFuture(sequence() >= sequence);
    }

    /** What it is among the stores that hold the same data; null where it is the only one. Shared; lives as long as the store. */
    default Replica replica() {
        return null;
    }

    /** What was committed, and is being committed. Shared; lives as long as the store. */
    CommitFeed feed();

    /** The figures of the store, and what keeps it in shape. Shared; lives as long as the store. */
    StoreMaintenance maintenance();

    /** Waits for queued transactions, ends work in the background and releases what the store holds. Idempotent. */
    @Override
    void close();

    /**
     * The same while there may be readers: those that follow commits are told the end, snapshots that are open are taken back as those
     * are that are open too long, and the heap that the store had is given back.
     */
    default void retire() {
        close();
    }
}
