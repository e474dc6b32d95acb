package org.alder.partition.commit;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Host;
import org.alder.partition.LedEpoch;
import org.alder.partition.Partition;
import org.alder.partition.ShardGroup;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.Decision;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a transaction of several shards, all of it or nothing (docs/replication-design.md, "Transactions of several shards"). The others prepare their parts,
 * one after the other; then the coordinator makes its own, with the {@link Decision} in the same commit, by which the transaction is made; then the
 * others make theirs. Whatever ends in between, {@link Settling} finishes it: where the coordinator's store has no decision, nothing was made.
 *
 * <p>One that needs what another transaction is about to change gives up all that it has prepared, and is tried anew when that one has ended: so none
 * waits for another one while it has something itself. Thread safe; holds no thread.
 */
public final class ShardedCommit {
    private static final Logger LOG = LoggerFactory.getLogger(ShardedCommit.class);
    /** Two that are in each other's way wait for different times. */
    private static final int MOST_PAUSE_MILLIS = 20;
    private static final long RETRY_MILLIS = 100;

    private final Partition coordinator;
    private final ShardGroup group;
    private final Host host;
    private final Transaction<?> own;
    private final List<ShardPart> others;
    private final CompletableFuture<Void> result = new CompletableFuture<>();
    private final long beganNanos;

    private ShardedCommit(Partition coordinator, Transaction<?> own, List<ShardPart> others) {
        this.coordinator = coordinator;
        this.group = coordinator.shards();
        this.host = group.host();
        this.own = own;
        this.others = List.copyOf(others);
        this.beganNanos = host.nanoTime();
    }

    /**
     * Makes it.
     *
     * @param coordinator which this process writes
     * @param own         its part, checked and made when the others are prepared
     * @param others      of different shards, at least one
     * @return completes when all shards show it; exceptionally with what one of the parts ends with, and then nothing was made; busy, too; or with a {@link
     *     StoreException}, which is of kind OUTCOME_UNKNOWN where it may be made, or where it is made and a shard does not show it yet, as its message says
     */
    public static CompletableFuture<Void> run(Partition coordinator, Transaction<?> own, List<ShardPart> others) {
        ShardedCommit commit = new ShardedCommit(coordinator, own, others);
        commit.begin();
        return commit.result;
    }

    private void begin() {
        TransactionId id = new TransactionId(host.newId(), coordinator.shard().number());
        group.enter(id.uuid()).whenComplete((none, fault) -> new Attempt(id).prepare(0));
    }

    /** Under an ID of its own, so that nothing that comes late is taken for a part of another one. */
    private final class Attempt {
        private final TransactionId id;
        /** Where another process has led the coordinator's log since, that has told others that nothing was decided. */
        private final LedEpoch epoch = LedEpoch.of(coordinator);

        Attempt(TransactionId id) {
            this.id = id;
        }

        /** Each may find that another part of this transaction is in its way, so one comes after the other. */
        void prepare(int number) {
            if (number == others.size()) {
                decide();
                return;
            }
            others.get(number).prepare(id).whenComplete((none, fault) -> {
                if (fault == null) {
                    prepare(number + 1);
                } else {
                    giveUp(number + 1, Cause.of(fault));
                }
            });
        }

        private void decide() {
            Set<Integer> shards = new TreeSet<>();
            others.forEach(each -> shards.add(each.shard()));
            byte[] decision = new Decision(id, shards).encode();
            Transaction<Void> deciding = context -> {
                if (!LedEpoch.of(coordinator).equals(epoch)) {
                    throw new StoreException(StoreException.Kind.NOT_LEADER, "another member has led " + coordinator.label() + " meanwhile; nothing was done");
                }
                own.run(context);
                context.putSystemRecord(Decision.key(id.uuid()), decision);
                return null;
            };
            coordinator.submitPart(id.uuid(), new Synced<>(deciding.called(own.isLong(), own::what))).whenComplete((none, fault) -> {
                Throwable cause = Cause.of(fault);
                if (cause == null) {
                    finish();
                } else if (cause instanceof StoreException store && (store.kind() == StoreException.Kind.OUTCOME_UNKNOWN
                        || store.kind() == StoreException.Kind.FENCED)) {
                    // Whoever reads the log knows.
                    leave(cause);
                } else {
                    giveUp(others.size(), cause);
                }
            });
        }

        /** @param tried how many may have prepared something */
        private void giveUp(int tried, Throwable cause) {
            List<CompletableFuture<?>> ends = new ArrayList<>();
            for (ShardPart each : others.subList(0, tried)) {
                ends.add(each.end(id, false).exceptionally(fault -> {
                    LOG.debug("{} is given up, which shard {} finds out by itself", id, each.shard(), fault);
                    return null;
                }));
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).whenComplete((none, fault) -> {
                if (cause instanceof LockedException locked) {
                    await(locked);
                } else {
                    leave(cause);
                }
            });
        }

        private void await(LockedException locked) {
            group.leave(id.uuid());
            long leftMillis = group.mostMillis() - host.millisSince(beganNanos);
            if (leftMillis <= 0 || locked.free().isCompletedExceptionally()) {
                result.completeExceptionally(new DirectoryException(ResultCode.BUSY, locked.getMessage()));
                return;
            }
            group.await(locked, leftMillis).thenCompose(none -> host.pause(host.random(MOST_PAUSE_MILLIS)))
                    .whenComplete((none, fault) -> begin());
        }

        private void leave(Throwable cause) {
            group.leave(id.uuid());
            result.completeExceptionally(cause);
        }

        /** It is made: each is told until it has made its part, or the time is over. */
        private void finish() {
            List<CompletableFuture<Throwable>> ends = new ArrayList<>();
            for (ShardPart each : others) {
                CompletableFuture<Throwable> end = new CompletableFuture<>();
                end(each, end, host.nanoTime());
                ends.add(end);
            }
            CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).whenComplete((none, fault) -> {
                List<Integer> behind = new ArrayList<>();
                Throwable last = null;
                for (int i = 0; i < ends.size(); i++) {
                    if (ends.get(i).join() != null) {
                        behind.add(others.get(i).shard());
                        last = ends.get(i).join();
                    }
                }
                finished(behind, last);
            });
        }

        /** @param end completes with null, or why not */
        private void end(ShardPart part, CompletableFuture<Throwable> end, long firstNanos) {
            part.end(id, true).whenComplete((none, fault) -> {
                if (fault == null) {
                    end.complete(null);
                } else if (host.millisSince(firstNanos) > group.mostMillis()) {
                    end.complete(Cause.of(fault));
                } else {
                    host.pause(RETRY_MILLIS).whenComplete((nothing, never) -> end(part, end, firstNanos));
                }
            });
        }

        private void finished(List<Integer> behind, Throwable last) {
            if (behind.isEmpty()) {
                Settling.forget(coordinator, List.of(id)).whenComplete((none, fault) -> {
                    if (fault != null) {
                        LOG.debug("{} is told to the other shards once more, as it could not be forgotten", id, fault);
                    }
                });
                group.leave(id.uuid());
                result.complete(null);
            } else {
                LOG.info("{} is made, which shards {} of \"{}\" cannot be told yet: {}", id, behind, coordinator.suffix().text(), last.getMessage());
                // Without the words of those who could not be told, which say that nothing was done: there.
                leave(new StoreException(StoreException.Kind.OUTCOME_UNKNOWN, "the update is made, but shard " + behind.get(0) + " of \""
                        + coordinator.suffix().text() + "\" does not show it yet: it gets it as soon as it can be written", last));
            }
        }
    }
}
