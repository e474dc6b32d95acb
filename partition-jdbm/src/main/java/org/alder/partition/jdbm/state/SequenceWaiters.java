package org.alder.partition.jdbm.state;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Those who wait until a store shows a transaction. Thread safe; close it, and nobody waits any more. */
public final class SequenceWaiters {
    private final LiveState live;
    private final PriorityQueue<Waiter> waiting = new PriorityQueue<>(Comparator.comparingLong(Waiter::sequence));
    private boolean closed;

    private record Waiter(long sequence, CompletableFuture<Boolean> shown) {
    }

    public SequenceWaiters(LiveState live) {
        this.live = live;
    }

    /** Completes with true when the transaction is shown, with false when the time is over or the store is closed. */
    public CompletableFuture<Boolean> await(long sequence, long timeoutMillis) {
        Waiter waiter = new Waiter(sequence, new CompletableFuture<>());
        synchronized (this) {
            if (live.current().sequence() >= sequence || closed || timeoutMillis <= 0) {
                return CompletableFuture.completedFuture(live.current().sequence() >= sequence);
            }
            waiting.add(waiter);
        }
        waiter.shown.completeOnTimeout(false, timeoutMillis, TimeUnit.MILLISECONDS).thenAccept(shown -> remove(waiter));
        return waiter.shown;
    }

    private synchronized void remove(Waiter waiter) {
        waiting.remove(waiter);
    }

    /** What was published is looked at: the writer, behind each publication. */
    public void published() {
        for (Waiter waiter = next(); waiter != null; waiter = next()) {
            waiter.shown.complete(true);
        }
    }

    private synchronized Waiter next() {
        return waiting.isEmpty() || waiting.peek().sequence > live.current().sequence() ? null : waiting.poll();
    }

    public void close() {
        Waiter[] left;
        synchronized (this) {
            closed = true;
            left = waiting.toArray(new Waiter[0]);
            waiting.clear();
        }
        for (Waiter waiter : left) {
            waiter.shown.complete(false);
        }
    }
}
