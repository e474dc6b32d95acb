package org.alder.partition;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/**
 * The values that transactions of a shard are about to write of which only one entry of all shards may have each: what is in the other shards can be
 * looked up there, but for what they are writing just now. So each value is claimed before it is looked up, and the claim is given up when the
 * transaction is shown, or has failed; all shards are written by this process. A transaction that needs a value which another shard has claimed
 * ends, with all of its own claims, and is made anew when that one is given up: so no two of them wait for each other. Thread safe.
 */
final class ShardClaims {
    /** Of one transaction. */
    static final int MOST = 100_000;
    private static final long MOST_MILLIS = 10_000;

    /** Those that this process writes, without the one whose claims these are. */
    private final List<Partition> others;
    /** Of all shards. */
    private final Map<Key, Held> held;
    private final long mostMillis;
    /** Which runs now: a store runs one at a time. */
    private volatile Attempt<?> current;

    private record Key(String attribute, ByteBuffer value) {
    }

    /**
     * By transactions of one shard, which come one after the other and see each other's values.
     *
     * @param free completes when there are none any more; exceptionally where it is not known what became of one, which others need not wait for
     */
    private record Held(ShardClaims by, int transactions, CompletableFuture<Void> free) {
        Held with(int more) {
            return new Held(by, transactions + more, free);
        }
    }

    /** The value is claimed by another shard. */
    private static final class Claimed extends DirectoryException {
        private static final long serialVersionUID = 1L;
        private final transient CompletableFuture<Void> free;

        Claimed(AttributeType type, CompletableFuture<Void> free) {
            super(ResultCode.BUSY, "a value of " + type.name() + " that must be unique is being written by another update, whose end is not known: nothing was"
                    + " changed. Where it stays so for longer, a shard has failed while it wrote, as its log file says");
            this.free = free;
        }
    }

    private ShardClaims(List<Partition> others, Map<Key, Held> held, long mostMillis) {
        this.others = List.copyOf(others);
        this.held = held;
        this.mostMillis = mostMillis;
    }

    /** Has shards know of each other, before anything is written. @param shards all of one naming context, which this process alone writes */
    static void join(List<Partition> shards) {
        join(shards, MOST_MILLIS);
    }

    /** @param mostMillis how long a transaction waits for others */
    static void join(List<Partition> shards, long mostMillis) {
        Map<Key, Held> held = new ConcurrentHashMap<>();
        for (Partition each : shards) {
            List<Partition> others = new ArrayList<>(shards);
            others.remove(each);
            each.know(new ShardClaims(others, held, mostMillis));
        }
    }

    List<Partition> others() {
        return others;
    }

    /**
     * Claims a value for the transaction that runs now, on its thread.
     *
     * @param form its key in the index of the attribute
     * @throws DirectoryException that ends the transaction, where another shard has claimed it; adminLimitExceeded for too many
     */
    void claim(AttributeType type, byte[] form) throws DirectoryException {
        Attempt<?> claiming = current;
        if (claiming == null) {
            throw new IllegalStateException("a value of " + type.name() + " is claimed outside of a transaction");
        }
        Key key = new Key(type.oid(), ByteBuffer.wrap(form));
        if (claiming.keys.contains(key)) {
            return;
        }
        if (claiming.keys.size() >= MOST) {
            throw new DirectoryException(ResultCode.ADMIN_LIMIT_EXCEEDED, "more than " + MOST + " values that must be unique in one update of a partition that is"
                    + " distributed over shards");
        }
        Held now = held.compute(key, (same, before) -> before == null ? new Held(this, 1, new CompletableFuture<>())
                : before.by == this ? before.with(1) : before);
        if (now.by != this) {
            throw new Claimed(type, now.free);
        }
        claiming.keys.add(key);
    }

    /** One try to make a transaction. Its claims are its own thread's, and then that of whoever ends it. */
    private final class Attempt<T> implements Transaction<T> {
        private final Transaction<T> transaction;
        private final Set<Key> keys = new HashSet<>();

        Attempt(Transaction<T> transaction) {
            this.transaction = transaction;
        }

        @Override
        public T run(WriteContext context) throws DirectoryException {
            current = this;
            try {
                return transaction.run(context);
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

        /** Where it may have been made, and nobody sees it, its values stay claimed until the store is opened again. */
        void end(Throwable fault) {
            boolean isUnknown = fault instanceof StoreException store
                    && (store.kind() == StoreException.Kind.OUTCOME_UNKNOWN || store.kind() == StoreException.Kind.FENCED);
            for (Key key : keys) {
                CompletableFuture<Void> free = held.get(key).free;
                if (isUnknown) {
                    free.completeExceptionally(fault);
                    continue;
                }
                if (held.computeIfPresent(key, (same, now) -> now.transactions == 1 ? null : now.with(-1)) == null) {
                    free.complete(null);
                }
            }
        }
    }

    /** @param submission to the store, which may return a future that is complete  @return as that of the submission, and busy after too long a time */
    <T> CompletableFuture<T> submit(Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> submission) {
        CompletableFuture<T> result = new CompletableFuture<>();
        submit(transaction, submission, result, System.nanoTime());
        return result;
    }

    private <T> void submit(Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> submission, CompletableFuture<T> result, long beganNanos) {
        Attempt<T> attempt = new Attempt<>(transaction);
        CompletableFuture<T> made;
        try {
            made = submission.apply(attempt);
        } catch (RuntimeException | Error e) {
            made = CompletableFuture.failedFuture(e);
        }
        made.whenComplete((value, fault) -> {
            attempt.end(fault);
            long leftMillis = mostMillis - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
            if (fault == null) {
                result.complete(value);
            } else if (fault instanceof Claimed claimed && leftMillis > 0 && !claimed.free.isCompletedExceptionally()) {
                // On another thread: this one may be that of a store's writer.
                claimed.free.copy().completeOnTimeout(null, leftMillis, TimeUnit.MILLISECONDS)
                        .handleAsync((none, unknown) -> {
                            submit(transaction, submission, result, beganNanos);
                            return null;
                        });
            } else {
                result.completeExceptionally(fault);
            }
        });
    }
}
