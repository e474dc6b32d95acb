package org.alder.partition.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import org.alder.partition.Partition;
import org.alder.partition.PeerShards;
import org.alder.partition.Ticks;
import org.alder.partition.error.Cause;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.Decision;
import org.alder.partition.prepared.PreparedTransaction;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.Transaction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finishes transactions of several shards whose maker has gone: a shard that this process writes and that has prepared one asks the coordinator what became of
 * it; a coordinator tells the others what it has decided, and forgets it when all have made it. Has a thread; thread safe.
 */
public final class Settling implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Settling.class);
    private static final long TICK_MILLIS = 250;
    /** For one shard. */
    private static final long MOST_MILLIS = 5_000;

    private final List<Partition> shards;
    private final PeerShards all;
    private final Thread thread;
    private final Ticks ticks = new Ticks();
    private String complaint;
    /** What was prepared when it looked last, and may have ended by itself since; null before it has looked. */
    private Set<UUID> seen;

    private Settling(List<Partition> shards, PeerShards all) {
        this.shards = List.copyOf(shards);
        this.all = all;
        thread = new Thread(this::run, "shards-settling");
        thread.setDaemon(true);
    }

    /**
     * Finishes what can be finished now before it returns, so that nobody sees a part of what a crash has left, and the rest beside others.
     *
     * @param shards all of a naming context, in their order; closed after this
     * @param all    the way to them, also to those that others write
     */
    public static Settling start(List<Partition> shards, PeerShards all) {
        Settling started = new Settling(shards, all);
        started.settle();
        started.thread.start();
        return started;
    }

    /**
     * Finishes what can be finished now.
     *
     * @return completes when that is done; exceptionally with the first failure, and the rest is done all the same
     */
    public static CompletableFuture<Void> settle(List<Partition> shards, PeerShards all) {
        return settle(shards, all, id -> true);
    }

    /** @param isDue whether something that was prepared is not left to who makes it, perhaps another process */
    private static CompletableFuture<Void> settle(List<Partition> shards, PeerShards all, Predicate<UUID> isDue) {
        List<CompletableFuture<?>> ends = new ArrayList<>();
        for (Partition shard : shards) {
            SystemRecords records = isWritten(shard) ? shard.store().systemRecords() : SystemRecords.NONE;
            if (!records.isEmpty()) {
                PreparedTransaction.forEach(records, (id, prepared) -> {
                    if (isDue.test(id.uuid())) {
                        ends.add(settle(shard, id, prepared, all));
                    }
                });
                Decision.forEach(records, decision -> ends.add(tell(shard, decision, all)));
            }
        }
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new));
    }

    private static boolean isWritten(Partition shard) {
        Replica replica = shard.store().replica();
        return replica == null || replica.role() == Replica.Role.LEADER;
    }

    private static CompletableFuture<?> settle(Partition shard, TransactionId id, PreparedTransaction prepared, PeerShards all) {
        if (shard.shards().isActive(id.uuid())) {
            return CompletableFuture.completedFuture(null);
        }
        return all.verdict(id).thenCompose(verdict -> {
            if (verdict == PeerShards.Verdict.OPEN) {
                return CompletableFuture.completedFuture(null);
            }
            boolean isMade = verdict == PeerShards.Verdict.MADE;
            return LocalPart.end(shard, id, isMade).thenRun(() -> LOG.info("{} of {} was prepared in {} and not ended: it {}", prepared.what(), id, shard.label(),
                    isMade ? "is made" : "was given up"));
        });
    }

    private static CompletableFuture<?> tell(Partition shard, Decision decision, PeerShards all) {
        if (shard.shards().isActive(decision.id().uuid())) {
            return CompletableFuture.completedFuture(null);
        }
        List<CompletableFuture<Void>> ends = decision.shards().stream().map(each -> all.end(each, decision.id(), true)).toList();
        return CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new)).thenCompose(none -> forget(shard, List.of(decision.id())));
    }

    /** Takes decisions away of which all other shards know that they have done what was decided. */
    static CompletableFuture<Void> forget(Partition coordinator, List<TransactionId> decided) {
        Transaction<Void> forgetting = context -> {
            for (TransactionId each : decided) {
                if (context.state().systemRecords().get(Decision.key(each.uuid())) != null) {
                    context.putSystemRecord(Decision.key(each.uuid()), null);
                }
            }
            return null;
        };
        return coordinator.submitPart(decided.get(0).uuid(), forgetting.called(false, () -> "the end of " + decided));
    }

    private void run() {
        boolean goesOn = true;
        while (goesOn && ticks.pause(TICK_MILLIS)) {
            goesOn = settle();
        }
    }

    /** @return whether to go on */
    private boolean settle() {
        try {
            Set<UUID> before = seen;
            seen = new HashSet<>();
            settle(shards, all, id -> {
                seen.add(id);
                return before == null || before.contains(id);
            }).get(MOST_MILLIS, TimeUnit.MILLISECONDS);
            complaint = null;
        } catch (InterruptedException e) {
            LOG.warn("transactions of several shards of \"{}\" are not finished any more", shards.get(0).suffix().text(), e);
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | RuntimeException e) {
            tell(e.getCause() == null ? e : e.getCause());
        } catch (TimeoutException e) {
            tell(e);
        }
        return true;
    }

    /** What fails is tried again. */
    private void tell(Throwable fault) {
        Throwable cause = Cause.of(fault);
        boolean isUsual = cause instanceof StoreException store && (store.kind() == StoreException.Kind.NOT_LEADER || store.kind() == StoreException.Kind.CLOSED);
        if (!isUsual && !cause.toString().equals(complaint)) {
            complaint = cause.toString();
            LOG.warn("a transaction of several shards of \"{}\" cannot be finished yet: {}", shards.get(0).suffix().text(), complaint);
        }
    }

    @Override
    public void close() {
        ticks.close(thread);
    }
}
