package org.alder.partition;

import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.GuardedWrites;
import org.alder.partition.prepared.Lock;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.PreparedTransaction;
import org.alder.partition.prepared.ShardLocks;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/**
 * What transactions of a shard need for themselves: branches that no transaction of several shards is about to change, and values that are to be unique in
 * all shards. What is in the other shards can be looked up there, but for what they are writing just now. So each value is claimed before it is looked up,
 * and the claim is given up when the transaction is shown, or has failed. A transaction that needs what another one has
 * ends, with all of its own claims, and is made anew when that one has ended: so no two of them wait for each other. Thread safe.
 */
final class ShardClaims {
    /** Of one transaction. */
    static final int MOST = 100_000;

    private final Partition shard;
    private final ShardGroup group;
    private final List<Partition> others;
    private final ShardLocks.Memo locks = new ShardLocks.Memo();
    /** Which runs now: a store runs one at a time. */
    private volatile Attempt<?> current;

    /**
     * By transactions of one shard, which come one after the other and see each other's values.
     *
     * @param free completes when there are none any more; exceptionally where it is not known what became of one, which others need not wait for
     */
    record Held(ShardClaims by, int transactions, CompletableFuture<Void> free) {
        Held with(int more) {
            return new Held(by, transactions + more, free);
        }
    }

    ShardClaims(Partition shard, ShardGroup group) {
        this.shard = shard;
        this.group = group;
        this.others = group.isAlone() ? group.shards().stream().filter(each -> each != shard).toList() : List.of();
    }

    ShardGroup group() {
        return group;
    }

    /** Those that this process alone writes, without the one whose claims these are. */
    List<Partition> others() {
        return others;
    }

    /**
     * Claims a value for the transaction that runs now, on its thread.
     *
     * @param form its key in the index of the attribute
     * @throws DirectoryException adminLimitExceeded for too many; constraintViolation where another part of the same transaction has it
     * @throws LockedException    that ends the transaction, where another shard or transaction has it
     */
    void claim(AttributeType type, byte[] form) throws DirectoryException {
        Attempt<?> claiming = current;
        if (claiming == null) {
            throw new IllegalStateException("a value of " + type.name() + " is claimed outside of a transaction");
        }
        Lock value = Lock.value(type.oid(), form);
        if (claiming.values.contains(value)) {
            return;
        }
        if (claiming.values.size() >= MOST) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "more than " + MOST + " values that must be unique in one update of a partition that is"
                    + " distributed over shards");
        }
        Held now = group.claims().compute(value, (same, before) -> before == null ? new Held(this, 1, new CompletableFuture<>())
                : before.by == this ? before.with(1) : before);
        if (now.by != this) {
            throw new LockedException("a value of " + type.name() + " that must be unique is being written by another update, whose end is not known: nothing was"
                    + " changed. Where it stays so for longer, a shard has failed while it wrote, as its log file says", now.free);
        }
        claiming.values.add(value);
        claiming.writes.requireFree(value);
        for (Partition other : others) {
            requireFreeIn(other, type, value, claiming.part);
        }
    }

    private void requireFreeIn(Partition other, AttributeType type, Lock value, UUID part) throws DirectoryException {
        PreparedTransaction holder = other.locks().holder(value);
        if (holder != null && holder.id().uuid().equals(part)) {
            throw new DirectoryException(ResultCode.CONSTRAINT_VIOLATION, "a value of " + type.name() + " must be unique, and two updates of the transaction"
                    + " give it to entries of different shards");
        } else if (holder != null) {
            throw GuardedWrites.locked(holder, group.end(holder.id().uuid()));
        }
    }

    /** What undecided transactions of several shards keep from others in the newest state that is shown. */
    ShardLocks locks() {
        return locks.of(shard.store().systemRecords());
    }

    /** What the part of a transaction of several shards that runs now has claimed and changed, on its thread. */
    Set<Lock> touched() {
        Attempt<?> running = current;
        Set<Lock> touched = new LinkedHashSet<>(running.branches);
        touched.addAll(running.values);
        return touched;
    }

    /** One try to make a transaction. Its claims are its own thread's, and then that of whoever ends it. */
    private final class Attempt<T> implements Transaction<T> {
        private final Transaction<T> transaction;
        private final UUID part;
        private final Set<Lock> values = new HashSet<>();
        /** In which a part of a transaction of several shards changes anything. */
        private final Set<Lock> branches = new LinkedHashSet<>();
        private GuardedWrites writes;

        Attempt(Transaction<T> transaction, UUID part) {
            this.transaction = transaction;
            this.part = part;
        }

        @Override
        public T run(WriteContext context) throws DirectoryException {
            branches.clear();
            writes = new GuardedWrites(context, shard.schema(), locks, part, id -> group.end(id.uuid()), part == null ? null : branches::add);
            current = this;
            try {
                return transaction.run(writes);
            } finally {
                current = null;
            }
        }

        @Override
        public String what() {
            return transaction.what();
        }

        @Override
        public boolean isLong() {
            return transaction.isLong();
        }

        @Override
        public boolean isSynced() {
            return transaction.isSynced();
        }

        /** Where it may have been made, and nobody sees it, its values stay claimed until the store is opened again. */
        void end(Throwable fault) {
            boolean isUnknown = fault instanceof StoreException store
                    && (store.kind() == StoreException.Kind.OUTCOME_UNKNOWN || store.kind() == StoreException.Kind.FENCED);
            for (Lock value : values) {
                CompletableFuture<Void> free = group.claims().get(value).free;
                if (isUnknown) {
                    free.completeExceptionally(fault);
                    continue;
                }
                if (group.claims().computeIfPresent(value, (same, now) -> now.transactions == 1 ? null : now.with(-1)) == null) {
                    free.complete(null);
                }
            }
        }
    }

    /** @param submission to the store, which may return a future that is complete  @return as that of the submission, and busy after too long a time */
    <T> CompletableFuture<T> submit(Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> submission) {
        CompletableFuture<T> result = new CompletableFuture<>();
        submit(transaction, submission, result, group.host().nanoTime());
        return result;
    }

    private <T> void submit(Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> submission, CompletableFuture<T> result, long beganNanos) {
        attempt(new Attempt<>(transaction, null), submission).whenComplete((value, fault) -> {
            long leftMillis = group.mostMillis() - group.host().millisSince(beganNanos);
            if (fault == null) {
                result.complete(value);
            } else if (fault instanceof LockedException locked && leftMillis > 0 && !locked.free().isCompletedExceptionally()) {
                // On another thread: this one may be that of a store's writer.
                group.await(locked, leftMillis).whenComplete((none, unknown) -> submit(transaction, submission, result, beganNanos));
            } else {
                result.completeExceptionally(fault instanceof LockedException ? new DirectoryException(ResultCode.BUSY, fault.getMessage()) : fault);
            }
        });
    }

    /** As a part of a transaction of several shards, which waits for nobody. @return completes with a {@link LockedException} where it would have to */
    <T> CompletableFuture<T> submitPart(UUID part, Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> submission) {
        return attempt(new Attempt<>(transaction, part), submission);
    }

    private <T> CompletableFuture<T> attempt(Attempt<T> attempt, Function<Transaction<T>, CompletableFuture<T>> submission) {
        CompletableFuture<T> made;
        try {
            made = submission.apply(attempt);
        } catch (RuntimeException | Error e) {
            made = CompletableFuture.failedFuture(e);
        }
        CompletableFuture<T> ended = new CompletableFuture<>();
        made.whenComplete((value, fault) -> {
            attempt.end(fault);
            if (fault == null) {
                ended.complete(value);
            } else {
                ended.completeExceptionally(fault);
            }
        });
        return ended;
    }
}
