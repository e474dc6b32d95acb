package org.alder.partition.update;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.commit.LocalPart;
import org.alder.partition.commit.ShardPart;
import org.alder.partition.commit.ShardedCommit;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/**
 * Updates of one partition, or of shards of one naming context, that are made together or not at all: {@link Updates#in} puts them in. Each is checked
 * against the state that those before it leave in the same partition, and nobody else sees any of them before all are durable; what a crash leaves is all of
 * them or none. Those of several shards become visible shard by shard ({@link ShardedCommit}). One thread until {@link #commit}.
 */
public final class UpdateBatch {
    /** So many updates may take long together. */
    private static final int MANY = 50;

    private final List<Part<?>> parts = new ArrayList<>();
    /** The same, those of the first update's first. */
    private final Map<Partition, List<Part<?>>> byPartition = new LinkedHashMap<>();
    /** What whoever leads other shards does of it. */
    private final List<ShardPart> elsewhere = new ArrayList<>();
    private volatile int failed = -1;

    private static final class Part<T> {
        private final int position;
        private final Transaction<T> transaction;
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private T result;

        Part(int position, Transaction<T> transaction) {
            this.position = position;
            this.transaction = transaction;
        }

        void run(WriteContext context) throws DirectoryException {
            result = transaction.run(context);
        }

        void succeed() {
            future.complete(result);
        }
    }

    /** The future completes with the batch. @param partition those of different ones are shards that this process writes */
    <T> CompletableFuture<T> add(Partition partition, Transaction<T> transaction) {
        Part<T> part = new Part<>(parts.size(), transaction);
        parts.add(part);
        byPartition.computeIfAbsent(partition, none -> new ArrayList<>()).add(part);
        return part.future;
    }

    /** Adds what another shard does, of updates that are none of this batch's: whoever leads it makes them. Some update of a shard that this process writes comes first. */
    public void add(ShardPart part) {
        elsewhere.add(part);
    }

    /** How many updates are in it, but for those made elsewhere. */
    public int size() {
        return parts.size();
    }

    /**
     * Makes the updates, in their order. Other shards prepare theirs before the first one's are made, and make them behind these.
     *
     * @return completes after the futures of all updates, perhaps on the store's writer thread; exceptionally with what an update
     *     that cannot be made ends with, or with a {@link org.alder.partition.error.StoreException}: then nothing was changed, but where its kind is OUTCOME_UNKNOWN
     */
    public CompletableFuture<Void> commit() {
        return ended(make());
    }

    /**
     * Has the shard that all updates are in check them, and keep what they are to do, as {@link ShardPart#prepare}: for a transaction that another shard decides.
     *
     * @param shard which this process writes
     * @return completes as {@link #commit}, with what the updates would see
     */
    public CompletableFuture<Void> prepare(Partition shard, TransactionId id) {
        return ended(new LocalPart(shard, work(shard)).prepare(id));
    }

    private CompletableFuture<Void> ended(CompletableFuture<Void> making) {
        return making.whenComplete((none, failure) -> {
            if (failure == null) {
                parts.forEach(Part::succeed);
            } else {
                giveUp(failure);
            }
        });
    }

    private CompletableFuture<Void> make() {
        if (parts.isEmpty()) {
            return CompletableFuture.completedFuture(null);
        }
        List<Partition> partitions = List.copyOf(byPartition.keySet());
        Partition first = partitions.get(0);
        if (partitions.size() == 1 && elsewhere.isEmpty()) {
            return first.submit(work(first));
        }
        List<ShardPart> others = new ArrayList<>(elsewhere);
        for (Partition other : partitions.subList(1, partitions.size())) {
            others.add(new LocalPart(other, work(other)));
        }
        return ShardedCommit.run(first, work(first), others);
    }

    private Transaction<Void> work(Partition partition) {
        List<Part<?>> those = byPartition.get(partition);
        Transaction<Void> all = context -> run(those, context);
        return all.called(those.size() >= MANY || those.stream().anyMatch(each -> each.transaction.isLong()), this::what);
    }

    private String what() {
        return "a transaction of " + parts.size() + " updates, the first of them " + parts.get(0).transaction.what();
    }

    private Void run(List<Part<?>> those, WriteContext unstamped) throws DirectoryException {
        WriteContext context = new StampedWrites(unstamped);
        for (int i = 0; i < those.size(); i++) {
            failed = those.get(i).position;
            those.get(i).run(context);
            if (i < those.size() - 1) {
                context.advance();
            }
        }
        failed = -1;
        return null;
    }

    /** The position, from 0, of the update that cannot be made, after {@link #commit}; below 0 if none is to blame. */
    public int failed() {
        return failed;
    }

    /** Ends all updates with a failure instead of making them. */
    public void giveUp(Throwable cause) {
        parts.forEach(part -> part.future.completeExceptionally(cause));
    }
}
