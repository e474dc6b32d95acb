package org.alder.partition.memory;

import java.util.List;
import java.util.Objects;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.Commit;
import org.alder.partition.store.Snapshot;

/**
 * A commit of a {@link MemoryStore}. Immutable.
 *
 * @param deleted identities of entries that went away
 */
record MemoryCommit(List<Change> changes, List<byte[]> deleted, MemoryState stateBefore, MemoryState stateAfter)
        implements Commit {
    MemoryCommit {
        changes = List.copyOf(changes);
        deleted = List.copyOf(deleted);
    }

    @Override
    public long sequence() {
        return stateAfter.sequence();
    }

    @Override
    public long heapBytes() {
        return changes.stream().map(change -> stateAfter.entries().get(change.id())).filter(Objects::nonNull)
                .mapToLong(EntryRecord::length).sum();
    }

    @Override
    public Snapshot before() {
        return new MemorySnapshot(stateBefore);
    }

    @Override
    public Snapshot after() {
        return new MemorySnapshot(stateAfter);
    }

    @Override
    public void close() {
        // Nothing is held but memory.
    }
}
