package org.alder.partition.memory;

import org.alder.partition.entry.EntryRecord;
import org.alder.partition.id.IdSet;

/** Damages stores in memory, so that it can be seen whether that is found. Stateless. */
public final class StoreDamage {
    private StoreDamage() {
    }

    /** Makes an index key's set what it should not be. */
    public static void index(MemoryStore store, int index, byte[] key, IdSet ids) {
        store.alter(state -> state.putIds(index, key, ids));
    }

    /** Replaces or, with null, removes a record and leaves the indexes as they are. */
    public static void record(MemoryStore store, long id, EntryRecord record) {
        store.alter(state -> state.putRecord(id, record));
    }
}
