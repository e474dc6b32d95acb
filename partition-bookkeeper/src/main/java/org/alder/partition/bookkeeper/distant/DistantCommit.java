package org.alder.partition.bookkeeper.distant;

import java.util.List;
import org.alder.partition.store.Commit;
import org.alder.partition.store.MergedChanges;
import org.alder.partition.store.Snapshot;

/**
 * What commits that followed each other have changed together in a store that another member holds, between two states that it keeps open for this
 * one. Thread safe, but for {@link #goOn}.
 */
final class DistantCommit implements Commit {
    /** What a change takes here, with its place in a list. */
    private static final long CHANGE_BYTES = 48;

    private final DistantStore store;
    private final DistantSnapshot before;
    private final MergedChanges merged = new MergedChanges();
    private final Runnable onClose;
    private DistantSnapshot after;
    private boolean isClosed;

    /**
     * @param before  which is read at least until that returns
     * @param onClose called once
     */
    DistantCommit(DistantStore store, DistantState before, Runnable onClose) {
        this.store = store;
        this.before = entered(before);
        this.onClose = onClose;
    }

    private DistantSnapshot entered(DistantState state) {
        if (!state.enter()) {
            throw new IllegalStateException("state " + state.sequence() + " is read no more");
        }
        return new DistantSnapshot(store, state);
    }

    /** Has it end with a later state. To be called at least once, and not when others have it. */
    void goOn(DistantState next, List<Change> changes) {
        changes.forEach(merged::add);
        DistantSnapshot last = after;
        after = entered(next);
        if (last != null) {
            last.close();
        }
    }

    int size() {
        return merged.size();
    }

    @Override
    public long sequence() {
        return after.sequence();
    }

    @Override
    public List<Change> changes() {
        return merged.list();
    }

    @Override
    public long heapBytes() {
        return merged.size() * CHANGE_BYTES;
    }

    @Override
    public Snapshot before() {
        return before;
    }

    @Override
    public Snapshot after() {
        return after;
    }

    @Override
    public void close() {
        synchronized (this) {
            if (isClosed) {
                return;
            }
            isClosed = true;
        }
        before.close();
        if (after != null) {
            after.close();
        }
        onClose.run();
    }
}
