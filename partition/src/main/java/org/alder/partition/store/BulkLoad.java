package org.alder.partition.store;

import java.nio.file.Path;
import org.alder.partition.entry.EntryRecord;

/**
 * Builds a new generation of a store from entries in any order of values but with ascending IDs, beside the old generation, which
 * serves on until {@link #publish}. One thread, but for {@link #prepare}. An engine on disk takes memory that does not grow with
 * the number of entries.
 */
public interface BulkLoad extends AutoCloseable {
    /** Does for an entry what does not depend on its ID and parent, which is most of the work. Thread safe. */
    KeyedRecord prepare(EntryRecord record);

    /**
     * @param id    greater than all IDs given before
     * @param entry with its parent set; the load may keep it
     * @throws org.alder.partition.error.StoreException on an I/O error; the load is then dead, the old generation untouched
     */
    void add(long id, KeyedRecord entry);

    /** As {@link #add(long, KeyedRecord)} for a record that was not prepared. */
    default void add(long id, EntryRecord record) {
        add(id, prepare(record));
    }

    /** An existing folder for temporary files of whoever feeds the load; it goes with the load, also after a crash. */
    Path workFolder();

    /** Sorts and builds what is left, and syncs: {@link #publish} takes a moment then. Nothing can be added any more; a second call does nothing. */
    void build(BuildProgress progress);

    /** Builds what is not built yet, and replaces the old generation by one atomic step. */
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
