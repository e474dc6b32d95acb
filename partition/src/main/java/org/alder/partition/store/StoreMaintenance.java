package org.alder.partition.store;

import java.util.Map;
import org.alder.partition.error.StoreException;

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
     * Has another indexer derive the keys from now on. Its new indexes ({@link EntryIndexer#building}) are built in the background,
     * and snapshots that are opened then may read them; the indexes it has not are gone for snapshots that are opened when this
     * returns, and those that are open stay as they are. A build that is under way ends, and what it built is not used. Whoever
     * opens the store again brings the indexes it is to have: those that are not complete by then are built before.
     *
     * @param target made of the newest snapshot's indexer, so that a number stands for the same index in both
     * @throws org.alder.partition.error.StoreException REFUSED where an entry has a large attribute that could not be large with
     *     these indexes; nothing is changed then
     */
    default void changeIndexes(EntryIndexer target) {
        throw new StoreException(StoreException.Kind.REFUSED, "the indexes of this store cannot be changed while it is open");
    }

    /** The build of indexes that is under way, or that failed; null if there is none. */
    default IndexBuild indexBuild() {
        return null;
    }

    /** What the complete indexes take, by their names; none is there of which nothing is on the disk. Costs nothing: no key is looked at. */
    default Map<String, IndexSize> indexSizes() {
        return Map.of();
    }

    /**
     * Keeps the present {@link EntryIndexer#fingerprint} with the data. For whoever has changed what keys depend on in such a way
     * that no stored key is another one: without it, all keys may be derived anew at the next start.
     */
    void keepFingerprint();
}
