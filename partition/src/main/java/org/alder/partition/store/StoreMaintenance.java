package org.alder.partition.store;

/**
 * Looks after a store that is open. Nothing here changes what it holds; all of it may be done beside searches and updates.
 * Where an engine has nothing to do for a method, it does nothing. Thread safe.
 *
 * <p>Every method may throw a {@link org.alder.partition.error.StoreException}.
 */
public interface StoreMaintenance {
    /** A consistent set of figures for status, metrics and benchmarks. */
    StoreStatus status();

    /** Hits, misses and sizes of the caches; a store without caches has none. */
    CacheStatus cacheStatus();

    /**
     * Brings everything acknowledged so far into the form in which it stays, so that the next start has nothing to make up for,
     * and returns when that is done.
     */
    void flush();

    /**
     * Does at once all that the store would do in the background to be read faster and take less room, {@link #flush} included,
     * and returns when it is done. While there are searches and updates, it leaves them most of the processors and takes
     * longer.
     */
    void compact();

    /** Empties the caches (entry, index, DN): for measurements that start cold. */
    void clearCaches();

    /**
     * Keeps the present {@link EntryIndexer#fingerprint} with the data. For whoever has changed what keys depend on in such a way
     * that no stored key is another one: without it, all keys may be derived anew at the next start.
     */
    void keepFingerprint();
}
