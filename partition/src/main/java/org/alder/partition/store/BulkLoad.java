package org.alder.partition.store;

import org.alder.partition.entry.EntryRecord;

/**
 * Builds a new generation of a store from entries in any order of values but with ascending IDs, beside the old generation, which
 * serves on until {@link #publish()}. One thread. Memory use is bounded and independent of the number of entries.
 */
public interface BulkLoad extends AutoCloseable {
    /**
     * @param id greater than all IDs given before
     * @throws org.alder.partition.error.StoreException on an I/O error; the load is then dead, the old generation untouched
     */
    void add(long id, EntryRecord record);

    /** Sorts and builds what is left, syncs, and replaces the old generation by one atomic step. */
    void publish(BuildProgress progress);

    /** Without a {@link #publish()} before, removes everything the load wrote. */
    @Override
    void close();

    /** Told how far a build phase is. */
    @FunctionalInterface
    interface BuildProgress {
        void update(String phase, long done, long total);
    }
}
