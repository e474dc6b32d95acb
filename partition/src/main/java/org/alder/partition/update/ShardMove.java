package org.alder.partition.update;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Host;
import org.alder.partition.Partition;
import org.alder.partition.ShardGroup;
import org.alder.partition.commit.LocalPart;
import org.alder.partition.commit.ShardedCommit;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Transaction;
import org.alder.partition.tree.EntryView;

/**
 * Gives an entry a name that another shard holds: it, and what is below it, is added there and deleted where it was, in one transaction of both shards. It
 * keeps its entryUUID, and has another ID. What was changed meanwhile is looked at once more. Thread safe; holds no thread.
 */
public final class ShardMove {
    private static final int PAUSE_MILLIS = 20;

    private final Side source;
    private final Side target;
    private final Renaming renaming;
    private final ShardGroup group;
    private final Host host;
    private final long beganNanos;
    private final CompletableFuture<Void> result = new CompletableFuture<>();

    /**
     * One of the two shards.
     *
     * @param options who sees and checks what there: at the source the entry as it is, at the target its place and what it becomes. Of the target's, only the
     *                witness counts
     */
    public record Side(Partition partition, Updates updates, UpdateOptions options) {
    }

    private ShardMove(Side source, Side target, Renaming renaming) {
        this.source = source;
        this.target = target;
        this.renaming = renaming;
        this.group = source.partition.shards();
        this.host = group.host();
        this.beganNanos = host.nanoTime();
    }

    /**
     * Makes it.
     *
     * @return completes when it is shown. Fails as {@link Updates#rename}; with affectsMultipleDSAs for too much below the entry, and busy where what is moved
     *     does not stand still, or who writes the other shard cannot be asked
     */
    public static CompletableFuture<Void> run(Side source, Side target, Renaming renaming) {
        ShardMove move = new ShardMove(source, target, renaming);
        try {
            source.updates.check(renaming);
            move.look();
        } catch (DirectoryException e) {
            move.result.completeExceptionally(e);
        }
        return move.result;
    }

    private void look() {
        source.updates.take(renaming, source.options).whenComplete((moved, fault) -> {
            if (fault == null) {
                move(moved);
            } else {
                end(Cause.of(fault));
            }
        });
    }

    private void move(MovedEntries moved) {
        try {
            Transaction<EntryView> departure = source.updates.departure(moved, renaming, source.options);
            if (group.isAlone()) {
                LocalPart arrival = new LocalPart(target.partition, target.updates.arrival(moved, renaming, target.options));
                ShardedCommit.run(source.partition, departure, List.of(arrival)).whenComplete((none, fault) -> end(moved, fault));
            } else {
                ArrivingPart arrival = new ArrivingPart(target, new Arrival(renaming, moved));
                ShardedCommit.run(source.partition, departure, List.of(arrival)).thenCompose(none -> arrival.show()).whenComplete((none, fault) -> end(moved, fault));
            }
        } catch (DirectoryException e) {
            end(e);
        }
    }

    /** What the target has said of it counts as long as it is what is to be moved: else another rename may have been faster, and have brought it there. */
    private void end(MovedEntries moved, Throwable fault) {
        Throwable cause = Cause.of(fault);
        if (cause instanceof DirectoryException && !(cause instanceof ChangedException)) {
            source.updates.take(renaming, source.options).whenComplete((now, gone) ->
                    end(gone != null ? Cause.of(gone) : now.isSame(moved) ? cause : new ChangedException(renaming.dn().text())));
        } else {
            end(cause);
        }
    }

    private void end(Throwable cause) {
        if (cause == null) {
            result.complete(null);
        } else if (cause instanceof ChangedException && host.millisSince(beganNanos) < group.mostMillis()) {
            host.pause(host.random(PAUSE_MILLIS)).whenComplete((none, never) -> look());
        } else {
            result.completeExceptionally(cause);
        }
    }
}
