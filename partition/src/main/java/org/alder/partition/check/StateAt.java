package org.alder.partition.check;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Commit;
import org.alder.partition.store.CommitFeed;
import org.alder.partition.store.CommitFollower;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;

/**
 * The state that a store has behind a certain transaction, so that stores can be compared that never stand still: who compares names a
 * transaction that is about to come, and each store gives its state when it comes. Thread safe; its owner closes it.
 */
public final class StateAt implements AutoCloseable {
    private final Snapshot snapshot;
    private final AutoCloseable kept;

    private StateAt(Snapshot snapshot, AutoCloseable kept) {
        this.snapshot = snapshot;
        this.kept = kept;
    }

    /**
     * Waits for the transaction. Whoever gives up cancels the future.
     *
     * @return completes with the state, on the writer's thread: what is done with it is to be done on another; exceptionally with a {@link
     *         StoreException} of kind SNAPSHOT_EXPIRED where the store is beyond it, CLOSED where nothing comes any more
     */
    public static CompletableFuture<StateAt> of(Store store, long sequence) {
        CompletableFuture<StateAt> state = new CompletableFuture<>();
        CommitFeed.Following following = store.feed().follow(new CommitFollower() {
            @Override
            public void committed(Commit commit) {
                if (commit.sequence() != sequence || !state.complete(new StateAt(commit.after(), commit))) {
                    commit.close();
                }
                if (commit.sequence() > sequence) {
                    state.completeExceptionally(passed(sequence, commit.sequence()));
                }
            }

            @Override
            public void ended() {
                state.completeExceptionally(new StoreException(StoreException.Kind.CLOSED, "the store is closed"));
            }
        });
        state.whenComplete((done, failure) -> following.close());
        Snapshot now = store.snapshot();
        if (now.sequence() != sequence || !state.complete(new StateAt(now, now))) {
            now.close();
        }
        if (now.sequence() > sequence) {
            state.completeExceptionally(passed(sequence, now.sequence()));
        }
        return state;
    }

    private static StoreException passed(long sequence, long now) {
        return new StoreException(StoreException.Kind.SNAPSHOT_EXPIRED, "the store is at sequence " + now + " already, beyond " + sequence);
    }

    public Snapshot snapshot() {
        return snapshot;
    }

    @Override
    public void close() {
        try {
            kept.close();
        } catch (Exception e) {
            throw new IllegalStateException("a commit or a snapshot cannot be closed", e);
        }
    }
}
