package org.alder.partition;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.alder.partition.error.Cause;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.GuardedWrites;
import org.alder.partition.prepared.Lock;
import org.alder.partition.prepared.LockedException;
import org.alder.partition.prepared.PreparedTransaction;
import org.alder.partition.prepared.ShardLocks;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.RetryException;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/**
 * What transactions of a shard need for themselves: branches that no transaction of several shards is about to change, and values that are to be unique in
 * all shards. What is in the other shards can be looked up there, but for what they are writing just now. So each value is claimed before it is looked up,
 * and the claim is given up when the transaction is shown, or has failed. A transaction that needs what another one has
 * ends, with all of its own claims, and is made anew when that one has ended: so no two of them wait for each other. Thread safe.
 *
 * <p>Where other processes write the other shards they are asked ({@link ShardWriters}), which the store's writer does not wait for: the transaction ends
 * with what it has claimed, keeps that, and is made anew with the answers. Who is asked looks at its own claims first, and then at what is there. So of two that
 * write the same value at the same time at least one finds the other's claim, and what was free stays so: whoever claims it later is the one that finds it.
 * The answers count as long as this process leads the shard without a break: whoever led it in between knew of no claim.
 */
final class ShardClaims {
    /** Of one transaction. */
    static final int MOST = 100_000;
    /** The same where others are asked: all of them are in one question. */
    static final int MOST_ASKED = 10_000;
    /** Who cannot be asked is asked again after this. */
    private static final long RETRY_MILLIS = 100;
    /** Two that have claimed the same value wait for different times. */
    private static final int MOST_PAUSE_MILLIS = 30;

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

    /** Ends a transaction that has claimed values which nobody was asked about. */
    private static final class UnaskedException extends RetryException {
        private static final long serialVersionUID = 1L;

        UnaskedException() {
            super("other shards are to be asked for values that must be unique");
        }
    }

    ShardClaims(Partition shard, ShardGroup group) {
        this.shard = shard;
        this.group = group;
        this.others = group.shards().stream().filter(each -> each != shard).toList();
    }

    ShardGroup group() {
        return group;
    }

    /** The other shards. */
    List<Partition> others() {
        return others;
    }

    /**
     * Claims a value for the transaction that runs now, on its thread.
     *
     * @return as {@link Partition#claim}
     * @throws DirectoryException adminLimitExceeded for too many; constraintViolation where another part of the same transaction has it
     * @throws LockedException    that ends the transaction, where another shard or transaction has it
     */
    boolean claim(UniqueValue value) throws DirectoryException {
        Attempt<?> claiming = current;
        if (claiming == null) {
            throw new IllegalStateException("a value of " + value.type().name() + " is claimed outside of a transaction");
        }
        claim(claiming, value.type(), lock(value));
        return !group.isAlone() && claiming.isHeldElsewhere(value);
    }

    private void claim(Attempt<?> claiming, AttributeType type, Lock value) throws DirectoryException {
        if (claiming.values.contains(value)) {
            return;
        }
        int most = group.isAlone() ? MOST : MOST_ASKED;
        if (claiming.values.size() >= most) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "more than " + most + " values that must be unique in one update of a partition that is"
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
        for (Partition other : group.isAlone() ? others : List.<Partition>of()) {
            requireFreeIn(other, type, value, claiming.part);
        }
    }

    private static Lock lock(UniqueValue value) {
        return new Lock(value.type().oid(), value.form());
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

    /** Whether a value may be about to be written in this shard, as far as this process knows. */
    boolean isClaimed(UniqueValue value) {
        Held held = group.claims().get(lock(value));
        return held != null && held.by == this || locks().holder(lock(value)) != null;
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
        /** Under which the values were claimed that others were asked about. */
        private LedEpoch epoch;
        /** What those who write the other shards have said. */
        private final Map<UniqueValue, UniqueValue.Use> answers = new HashMap<>();
        /** Which they are to be asked about. */
        private final Set<UniqueValue> unasked = new LinkedHashSet<>();

        Attempt(Transaction<T> transaction, UUID part) {
            this.transaction = transaction;
            this.part = part;
        }

        @Override
        public T run(WriteContext context) throws DirectoryException {
            branches.clear();
            unasked.clear();
            LedEpoch now = LedEpoch.of(shard);
            if (!now.equals(epoch)) {
                epoch = now;
                answers.clear();
            }
            writes = new GuardedWrites(context, shard.schema(), locks, part, id -> group.end(id.uuid()), part == null ? null : branches::add);
            current = this;
            try {
                T made = transaction.run(writes);
                if (!unasked.isEmpty()) {
                    throw new UnaskedException();
                }
                return made;
            } finally {
                current = null;
            }
        }

        /** Who is not asked yet is asked when the transaction has found all its values. */
        boolean isHeldElsewhere(UniqueValue value) throws DirectoryException {
            UniqueValue.Use use = answers.get(value);
            if (use == null) {
                unasked.add(value);
            } else if (use == UniqueValue.Use.UNCLEAR) {
                throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "too many entries of other shards that are meant by no rule have a value of "
                        + value.type().name() + " that the change would make unique: they cannot be looked at in one update");
            }
            return use == UniqueValue.Use.HELD;
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

        /**
         * Where it may have been made, and nobody sees it, its values stay claimed until the store is opened again; but where others may come to write the
         * shard: whoever does has made all that was made before.
         */
        void end(Throwable fault) {
            boolean isUnknown = group.isAlone() && fault instanceof StoreException store
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

    /** A transaction until it has ended. */
    private final class Submission<T> {
        private final Transaction<T> transaction;
        /** Of which transaction of several shards it is a part, which waits for nobody; null for none. */
        private final UUID part;
        private final Function<Transaction<T>, CompletableFuture<T>> way;
        private final CompletableFuture<T> result = new CompletableFuture<>();
        private final long beganNanos = group.host().nanoTime();

        Submission(Transaction<T> transaction, UUID part, Function<Transaction<T>, CompletableFuture<T>> way) {
            this.transaction = transaction;
            this.part = part;
            this.way = way;
        }

        CompletableFuture<T> begin() {
            run(new Attempt<>(transaction, part));
            return result;
        }

        private void run(Attempt<T> attempt) {
            CompletableFuture<T> made;
            try {
                made = way.apply(attempt);
            } catch (RuntimeException | Error e) {
                made = CompletableFuture.failedFuture(e);
            }
            made.whenComplete((value, fault) -> {
                if (fault instanceof UnaskedException) {
                    ask(attempt);
                    return;
                }
                attempt.end(fault);
                if (fault == null) {
                    result.complete(value);
                } else if (fault instanceof LockedException locked) {
                    await(locked);
                } else {
                    result.completeExceptionally(fault);
                }
            });
        }

        private void await(LockedException locked) {
            long leftMillis = group.mostMillis() - group.host().millisSince(beganNanos);
            if (part != null) {
                result.completeExceptionally(locked);
            } else if (leftMillis > 0 && !locked.free().isCompletedExceptionally()) {
                // On another thread: this one may be that of a store's writer.
                group.await(locked, leftMillis).whenComplete((none, unknown) -> begin());
            } else {
                result.completeExceptionally(new DirectoryException(ResultCode.BUSY, locked.getMessage()));
            }
        }

        /** With what it has claimed. */
        private void ask(Attempt<T> attempt) {
            List<UniqueValue> asked = new ArrayList<>(attempt.unasked);
            group.writers().uses(others, asked).whenComplete((uses, fault) -> {
                if (fault != null) {
                    Throwable cause = Cause.of(fault);
                    again(attempt, RETRY_MILLIS, "whether a value of " + asked.get(0).type().name() + " that must be unique is free in the other shards cannot be"
                            + " asked now (" + cause.getMessage() + "): nothing was changed");
                } else if (uses.contains(UniqueValue.Use.CLAIMED)) {
                    again(attempt, 1 + group.host().random(MOST_PAUSE_MILLIS), "a value of " + asked.get(uses.indexOf(UniqueValue.Use.CLAIMED)).type().name()
                            + " that must be unique is being written by another update, in another shard: nothing was changed");
                } else {
                    for (int i = 0; i < asked.size(); i++) {
                        attempt.answers.put(asked.get(i), uses.get(i));
                    }
                    run(attempt);
                }
            });
        }

        /** Without what it has claimed, so that who waits for that can go on. */
        private void again(Attempt<T> attempt, long pauseMillis, String why) {
            attempt.end(null);
            CompletableFuture<Void> pause = group.host().pause(pauseMillis);
            if (part != null) {
                result.completeExceptionally(new LockedException(why, pause));
            } else if (group.host().millisSince(beganNanos) < group.mostMillis()) {
                pause.whenComplete((none, never) -> begin());
            } else {
                result.completeExceptionally(new DirectoryException(ResultCode.BUSY, why));
            }
        }
    }

    /** @param way to the store, which may return a future that is complete  @return as that of the store, and busy after too long a time */
    <T> CompletableFuture<T> submit(Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> way) {
        return new Submission<>(transaction, null, way).begin();
    }

    /** As a part of a transaction of several shards, which waits for nobody. @return completes with a {@link LockedException} where it would have to */
    <T> CompletableFuture<T> submitPart(UUID part, Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> way) {
        return new Submission<>(transaction, part, way).begin();
    }
}
