package org.alder.partition;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.alder.partition.store.Transaction;

/**
 * Lets transactions that may take long into a store one after the other, so that what is short waits for one of them at most, however
 * many there are. They wait without a thread, and in their order. Thread safe.
 */
final class LongUpdates {
    /** Guarded by itself, as {@link #running} is. */
    private final Queue<Waiting<?>> waiting = new ArrayDeque<>();
    private boolean running;

    private static final class Waiting<T> {
        private final Transaction<T> transaction;
        private final Function<Transaction<T>, CompletableFuture<T>> submission;
        private final CompletableFuture<T> result = new CompletableFuture<>();

        Waiting(Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> submission) {
            this.transaction = transaction;
            this.submission = submission;
        }

        /** Whatever becomes of it. */
        CompletableFuture<?> start() {
            CompletableFuture<T> made;
            try {
                made = submission.apply(transaction);
            } catch (RuntimeException | Error e) {
                made = CompletableFuture.failedFuture(e);
            }
            return made.whenComplete((value, fault) -> {
                if (fault == null) {
                    result.complete(value);
                } else {
                    result.completeExceptionally(fault);
                }
            });
        }
    }

    /** Submits the transaction when those before have ended. @param submission may return a future that is complete */
    <T> CompletableFuture<T> submit(Transaction<T> transaction, Function<Transaction<T>, CompletableFuture<T>> submission) {
        Waiting<T> its = new Waiting<>(transaction, submission);
        synchronized (waiting) {
            waiting.add(its);
            if (running) {
                return its.result;
            }
            running = true;
        }
        startNext();
        return its.result;
    }

    private void startNext() {
        for (Waiting<?> next = next(); next != null; next = next()) {
            CompletableFuture<?> made = next.start();
            if (!made.isDone()) {
                made.whenComplete((value, fault) -> startNext());
                return;
            }
        }
    }

    private Waiting<?> next() {
        synchronized (waiting) {
            Waiting<?> next = waiting.poll();
            running = next != null;
            return next;
        }
    }
}
