package org.alder.partition.update;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import org.alder.partition.DaemonThreads;
import org.alder.partition.ShardGroup;
import org.alder.partition.ShardWriters;
import org.alder.partition.commit.ShardPart;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;

/**
 * What an entry becomes in a shard that whoever leads it writes, perhaps another process. That one checks it and keeps it; whether the client may have it there is
 * looked at here, in the state that it was checked against, which nobody changes before the transaction has ended. Thread safe.
 */
final class ArrivingPart implements ShardPart {
    private static final int READING_THREADS = 8;
    /** What is read of a shard that another machine holds waits for that. */
    private static final Executor READING = DaemonThreads.upTo(READING_THREADS, "arriving");
    /** Where nobody can be asked. */
    private static final long PAUSE_MILLIS = 100;

    private final ShardMove.Side target;
    private final Arrival arrival;
    private final ShardGroup group;
    private final ShardWriters writers;

    ArrivingPart(ShardMove.Side target, Arrival arrival) {
        this.target = target;
        this.arrival = arrival;
        this.group = target.partition().shards();
        this.writers = group.writers();
    }

    @Override
    public int shard() {
        return target.partition().shard().number();
    }

    @Override
    public CompletableFuture<Void> prepare(TransactionId id) {
        return writers.prepare(shard(), id, arrival.encode()).exceptionally(fault -> {
            Throwable cause = Cause.of(fault);
            if (cause instanceof DirectoryException) {
                throw new CompletionException(cause);
            }
            // Whatever came of it, it is given up, and tried anew.
            throw new LockedException("who writes " + target.partition().label() + " cannot be asked now (" + cause.getMessage() + "): nothing was changed",
                    group.host().pause(PAUSE_MILLIS));
        }).thenCompose(this::seen);
    }

    /** What is said of it tells nothing that the client may not know. */
    private CompletableFuture<Void> seen(ShardWriters.Prepared prepared) {
        if (prepared.refusal() instanceof LockedException) {
            return CompletableFuture.failedFuture(prepared.refusal());
        }
        return target.partition().store().awaitSequence(prepared.sequence(), group.mostMillis()).thenComposeAsync(isShown -> {
            Exception refusal = prepared.refusal();
            try {
                if (isShown) {
                    requirePlace();
                } else {
                    throw new DirectoryException(ResultCode.BUSY, target.partition().label() + " is not shown here as it is: nothing was changed");
                }
            } catch (DirectoryException | StoreException e) {
                refusal = e;
            }
            return refusal == null ? CompletableFuture.completedFuture(null) : CompletableFuture.failedFuture(refusal);
        }, READING);
    }

    private void requirePlace() throws DirectoryException {
        if (target.options().witness() != null) {
            try (Snapshot now = target.partition().snapshot()) {
                target.updates().requirePlace(now, arrival.moved(), arrival.renaming(), target.options().witness());
            }
        }
    }

    @Override
    public CompletableFuture<Void> end(TransactionId id, boolean isMade) {
        return writers.end(shard(), id, isMade);
    }

    /**
     * Shows it to who wants to see what it has become, when it is made.
     *
     * @return completes exceptionally with a {@link StoreException} of kind OUTCOME_UNKNOWN where it cannot be read now
     */
    CompletableFuture<Void> show() {
        UpdateWitness witness = target.options().witness();
        return witness == null || !witness.wantsOutcome() ? CompletableFuture.completedFuture(null) : CompletableFuture.runAsync(() -> show(witness), READING);
    }

    private void show(UpdateWitness witness) {
        try (Snapshot now = target.partition().snapshot()) {
            EntryView entry = target.partition().read(now, arrival.renaming().newName());
            if (entry != null) {
                witness.changed(now, entry);
            }
        } catch (DirectoryException | StoreException e) {
            throw new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "the entry is renamed, but cannot be shown now", e);
        }
    }
}
