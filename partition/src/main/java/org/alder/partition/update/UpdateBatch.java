package org.alder.partition.update;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/**
 * Updates of one partition that are made together or not at all: {@link Updates#in} puts them in. Each is checked against the
 * state that those before it leave, and nobody else sees any of them before all are durable; what a crash leaves is all of them
 * or none. One thread until {@link #commit}.
 */
public final class UpdateBatch {
    /** So many updates may take long together. */
    private static final int MANY = 50;

    private final Partition partition;
    private final List<Part<?>> parts = new ArrayList<>();
    private volatile int failed = -1;

    /** @param partition the one whose updates these are */
    public UpdateBatch(Partition partition) {
        this.partition = partition;
    }

    private static final class Part<T> {
        private final Transaction<T> transaction;
        private final CompletableFuture<T> future = new CompletableFuture<>();
        private T result;

        Part(Transaction<T> transaction) {
            this.transaction = transaction;
        }

        void run(WriteContext context) throws DirectoryException {
            result = transaction.run(context);
        }

        void succeed() {
            future.complete(result);
        }
    }

    /** The future completes with the batch. */
    <T> CompletableFuture<T> add(Transaction<T> transaction) {
        Part<T> part = new Part<>(transaction);
        parts.add(part);
        return part.future;
    }

    /** How many updates are in it. */
    public int size() {
        return parts.size();
    }

    /**
     * Makes the updates, in their order.
     *
     * @return completes after the futures of all updates, on the store's writer thread; exceptionally with what the first update
     *     that cannot be made ends with, or with a {@link org.alder.partition.error.StoreException}: then nothing was changed
     */
    public CompletableFuture<Void> commit() {
        Transaction<Void> all = this::run;
        return partition.submit(all.called(parts.size() >= MANY, this::what)).whenComplete((none, failure) -> {
            if (failure == null) {
                parts.forEach(Part::succeed);
            } else {
                giveUp(failure);
            }
        });
    }

    private String what() {
        return "a transaction of " + parts.size() + " updates" + (parts.isEmpty() ? "" : ", the first of them "
                + parts.get(0).transaction.what());
    }

    private Void run(WriteContext unstamped) throws DirectoryException {
        WriteContext context = new StampedWrites(unstamped);
        for (int i = 0; i < parts.size(); i++) {
            failed = i;
            parts.get(i).run(context);
            if (i < parts.size() - 1) {
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
