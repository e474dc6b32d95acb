package org.alder.partition.testing;

import java.util.List;
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
