package org.alder.partition.store;

import java.util.List;
import org.alder.partition.entry.EntryRecord;

/**
 * Derives the index keys of an entry: the one place where an engine learns what to index. Pure: the same record gives the same
 * keys for ever (recovery and merges depend on it). Thread safe.
 *
 * <p>Index 0 is always the hierarchy, with the keys of {@link HierarchyKeys}; the engine itself maintains its
 * {@link HierarchyKeys#nonLeaf} key. The others are attribute indexes.
 */
public interface EntryIndexer {
    /**
     * What distinguishes one index.
     *
     * @param name               also its file's
     * @param duplicateThreshold the size up to which a set stays in the key's own tuple
     * @param primaryKey         whether most of its keys are looked up one by one and have one entry, so that a structure that
     *                           finds single keys faster is worth its memory
     */
    record IndexSpec(String name, int duplicateThreshold, boolean primaryKey) {
        /** One that is no primary key. */
        public IndexSpec(String name, int duplicateThreshold) {
            this(name, duplicateThreshold, false);
        }
    }

    /** Position = index number. Fixed for the life of the store that was opened with it. */
    List<IndexSpec> indexes();

    /**
     * What decides which keys an entry gets, as one line of text: index names, kinds and the version of the key formats. An
     * engine keeps it with the data and rebuilds all indexes when it is opened with another one.
     */
    default String fingerprint() {
        return String.join(" ", indexes().stream().map(IndexSpec::name).toList());
    }

    /** Calls the consumer once for each distinct (index, key) of the entry. */
    void forEachKey(EntryRecord record, KeyConsumer consumer);

    /** Receives a key; it may keep the array. */
    @FunctionalInterface
    interface KeyConsumer {
        void accept(int index, byte[] key);
    }
}
