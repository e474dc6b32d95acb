package org.alder.partition;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Store;
import org.alder.partition.store.Transaction;

/**
 * Lets transactions into a store, or keeps them waiting, without a thread, while something is looked at and changed that all of
 * them depend on. Thread safe.
 */
final class UpdateGate {
    private final Store store;
    private final ReadWriteLock lock = new ReentrantReadWriteLock();
    /** Guarded by the write lock, or by itself under the read lock. */
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean closed;

    UpdateGate(Store store) {
        this.store = store;
    }

    <T> CompletableFuture<T> submit(Transaction<T> transaction) {
        lock.readLock().lock();
        try {
            if (!closed) {
                return store.submit(transaction);
            }
            CompletableFuture<T> result = new CompletableFuture<>();
            synchronized (waiting) {
                waiting.add(() -> store.submit(transaction).whenComplete((value, fault) -> {
                    if (fault == null) {
                        result.complete(value);
                    } else {
                        result.completeExceptionally(fault);
                    }
                }));
            }
            return result;
        } finally {
            lock.readLock().unlock();
        }
    }

    /**
     * Returns when all that was submitted before has ended.
     *
     * @throws StoreException where the store takes no transactions now; then the gate is open
     */
    void close() {
        shut();
        try {
            awaitSubmitted();
        } catch (StoreException e) {
            open();
            throw e;
        }
    }

    /**
     * The same also where the store follows another one that leads: there what was submitted before has ended, and updates wait that
     * come when it leads.
     */
    void closeFollowing() {
        shut();
        try {
            awaitSubmitted();
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.NOT_LEADER) {
                open();
                throw e;
            }
        }
    }

    private void shut() {
        lock.writeLock().lock();
        try {
            if (closed) {
                throw new IllegalStateException("updates are held back already");
            }
            closed = true;
        } finally {
            lock.writeLock().unlock();
        }
    }

    private void awaitSubmitted() {
        try {
            store.submit(context -> null).join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException cause ? cause : new StoreException(StoreException.Kind.IO, e.getMessage(), e);
        }
    }

    /** Submits what has waited, in its order. */
    void open() {
        lock.writeLock().lock();
        try {
            closed = false;
            waiting.forEach(Runnable::run);
            waiting.clear();
        } finally {
            lock.writeLock().unlock();
        }
    }
}
