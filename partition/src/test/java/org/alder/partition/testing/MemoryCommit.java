package org.alder.partition.testing;

import java.util.List;
import java.util.Objects;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.store.Commit;
import org.alder.partition.store.Snapshot;

/** A commit of a {@link MemoryStore}, between two states that are not changed any more. */
record MemoryCommit(List<Change> changes, MemoryState stateBefore, MemoryState stateAfter) implements Commit {
    MemoryCommit {
        changes = List.copyOf(changes);
    }

    @Override
    public long sequence() {
        return stateAfter.sequence();
    }

    @Override
    public long heapBytes() {
        return changes.stream().map(change -> after().entry(change.id())).filter(Objects::nonNull)
                .mapToLong(EntryRecord::length).sum();
    }

    @Override
    public Snapshot before() {
        return new MemorySnapshot(stateBefore, () -> { });
    }

    @Override
    public Snapshot after() {
        return new MemorySnapshot(stateAfter, () -> { });
    }

    @Override
    public void close() {
        stateAfter.sequence();
    }
}
