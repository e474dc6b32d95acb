package org.alder.partition.store;

import java.util.concurrent.CompletableFuture;

/**
 * What a storage engine offers the partition: entry records by ID, and exact ID sets by index key, read at one point in time
 * and changed by transactions that are durable when acknowledged. The engine-neutral core stands on this interface alone;
 * engines live in {@code partition-*} modules.
 *
 * <p>An engine knows nothing of LDAP. It derives index keys with the {@link EntryIndexer} it was opened with, in normal
 * operation, in recovery and in a bulk load alike. Thread safe.
 */
public interface Store extends AutoCloseable {
    /**
     * The newest acknowledged state. Never blocks on writers. The caller must close it; one left open past the store's time
     * limit is taken back, and reading it then throws a {@link org.alder.partition.error.StoreException} of kind
     * SNAPSHOT_EXPIRED.
     */
    Snapshot snapshot();

    /**
     * Queues a transaction. The future completes, on the store's writer thread (continuations must be short and must not
     * block), when every effect is durable as the durability setting promises and visible to new snapshots. It completes
     * exceptionally with what {@link Transaction#run} threw (nothing of it is applied), or with a {@code StoreException}.
     */
    <T> CompletableFuture<T> submit(Transaction<T> transaction);

    /**
     * Tells a follower all commits that no snapshot opened before this call shows; it may be told a few that one shows, too.
     *
     * @return ends it; the follower may be told one more commit meanwhile
     */
    Following follow(CommitFollower follower);

    /** See {@link #follow}. Idempotent, thread safe. */
    @FunctionalInterface
    interface Following extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * What was changed after a state up to a snapshot. May read as much as the store keeps of its changes.
     *
     * @param since names the state
     * @throws org.alder.partition.error.StoreException on an I/O error
     */
    ChangeHistory changes(Csn since, Snapshot upTo);

    /** A consistent set of figures for status, metrics and benchmarks. */
    StoreStatus status();

    /** Hits, misses and sizes of the caches; a store without caches has none. */
    CacheStatus cacheStatus();

    /** Writes everything acknowledged so far into segments and returns when they are published. For tools and tests. */
    void flush();

    /**
     * Merges all segments into one and returns when it is published. Searches and writes go on meanwhile; while there are any,
     * the merge leaves them most of the processors and takes longer.
     */
    void compact();

    /**
     * Keeps the present {@link EntryIndexer#fingerprint} with the data. For whoever has changed what keys depend on in such a way
     * that no stored key is another one: without it, and before the next flush, all keys would be derived anew at the next start.
     */
    default void keepFingerprint() {
    }

    /** Empties the caches (entry, index, DN): for measurements that start cold. */
    void clearCaches();

    /** Waits for queued transactions, stops background work and releases the folder. Idempotent. */
    @Override
    void close();
}
