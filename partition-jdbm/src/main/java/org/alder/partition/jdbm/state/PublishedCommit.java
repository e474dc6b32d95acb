package org.alder.partition.jdbm.state;

import java.util.List;
import java.util.function.Consumer;
import org.alder.partition.store.Commit;
import org.alder.partition.store.Snapshot;

/** A commit with a reference to the layers it was written to, in which both states can be read. Thread safe. */
final class PublishedCommit implements Commit, StateReader {
    private final long sequence;
    private final List<Change> changes;
    private final long heapBytes;
    private final long openedNanos = System.nanoTime();
    private final Consumer<? super PublishedCommit> onEnd;
    /** Both null when it has ended. */
    private StoreState before;
    private StoreState after;
    /** Null until somebody asks. */
    private StoreSnapshot shownBefore;
    private StoreSnapshot shownAfter;
    /** Null where it is open, or was closed. */
    private String takenBack;

    /** @param onEnd called once, when it is closed or expires: gives the layers back */
    PublishedCommit(StoreState before, StoreState after, List<Change> changes, long heapBytes,
            Consumer<? super PublishedCommit> onEnd) {
        this.sequence = after.sequence();
        this.before = before;
        this.after = after;
        this.changes = changes;
        this.heapBytes = heapBytes;
        this.onEnd = onEnd;
    }

    @Override
    public long sequence() {
        return sequence;
    }

    @Override
    public long openedNanos() {
        return openedNanos;
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
    public synchronized Snapshot before() {
        if (shownBefore == null) {
            shownBefore = snapshot(before);
        }
        return shownBefore;
    }

    @Override
    public synchronized Snapshot after() {
        if (shownAfter == null) {
            shownAfter = snapshot(after);
        }
        return shownAfter;
    }

    private StoreSnapshot snapshot(StoreState state) {
        if (state == null) {
            throw StoreSnapshot.ended(sequence, takenBack);
        }
        return new StoreSnapshot(state, ended -> { });
    }

    @Override
    public void close() {
        end(null);
    }

    @Override
    public void expire(String why) {
        end(why);
    }

    private void end(String why) {
        synchronized (this) {
            if (after == null) {
                return;
            }
            takenBack = why;
            before = null;
            after = null;
            end(shownBefore, why);
            end(shownAfter, why);
        }
        onEnd.accept(this);
    }

    private static void end(StoreSnapshot shown, String why) {
        if (shown != null) {
            shown.end(why);
        }
    }
}
