package org.alder.partition.jdbm.state;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.store.Commit;
import org.alder.partition.store.Snapshot;

/** A commit with a reference to the layers it was written to, in which both states can be read. Thread safe. */
final class PublishedCommit implements Commit {
    private final LayerSet layers;
    private final StoreState before;
    private final StoreState after;
    private final List<Change> changes;
    private final long heapBytes;
    private final AtomicBoolean closed = new AtomicBoolean();

    /** @param layers the reference becomes this object's */
    PublishedCommit(LayerSet layers, StoreState before, StoreState after, List<Change> changes, long heapBytes) {
        this.layers = layers;
        this.before = before;
        this.after = after;
        this.changes = changes;
        this.heapBytes = heapBytes;
    }

    @Override
    public long sequence() {
        return after.sequence();
    }

    @Override
    public List<Change> changes() {
        return changes;
    }

    @Override
    public long heapBytes() {
        return heapBytes;
    }

    @Override
    public Snapshot before() {
        return snapshot(before);
    }

    @Override
    public Snapshot after() {
        return snapshot(after);
    }

    private Snapshot snapshot(StoreState state) {
        return new StoreSnapshot(state.sequence(), state.timeMillis(), layers.at(state.sequence()), state.dnMemo(),
                System.nanoTime(), ended -> { });
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            layers.release();
        }
    }
}
