package org.alder.server.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * The threads that hash passwords, which is slow on purpose. They are few and have nothing else to do, so that a storm of logins
 * delays logins and nothing else. What waits for them is bounded; sources, which are clients' addresses, take turns, and within a
 * source the users it is about. Thread safe.
 */
public final class HashingThreads implements AutoCloseable {
    private final DaemonThreads threads;
    private final int mostWaiting;
    private final LongAdder refused;
    /** Guards what follows. */
    private final Object lock = new Object();
    private final FairQueue<Work<?>> queue = new FairQueue<>();
    private boolean stopping;

    /**
     * @param count threads, at least 1
     * @param mostWaiting what may wait for them in all; one source has half of it at most
     * @param counters gets what waits and what is refused
     */
    public HashingThreads(int count, int mostWaiting, Counters counters) {
        this.mostWaiting = mostWaiting;
        counters.gauge("passwords", "alderWaitingTasks", this::waiting);
        counters.overload().mark("passwords to check or to hash", "passwordQueue", this::waiting, () -> mostWaiting);
        this.refused = counters.counter("passwords", "alderTasksRefused");
        threads = new DaemonThreads("alder-passwords-", count, this::work);
        threads.start();
    }

    /** One piece of work, and its future. */
    private static final class Work<T> extends CompletableFuture<T> {
        private final Callable<T> body;

        Work(Callable<T> body) {
            this.body = body;
        }

        void run() {
            try {
                complete(body.call());
            } catch (Throwable e) {
                completeExceptionally(e);
            }
        }
    }

    /**
     * What the work results in. It completes on one of the threads; fails with {@link DirectoryException} busy if too much waits
     * already. Cancelled, the work leaves the queue.
     *
     * @param source who wants it, for turns; may be null
     * @param subject whom it is about
     */
    public <T> CompletableFuture<T> run(Object source, Object subject, Callable<T> work) {
        Work<T> task = new Work<>(work);
        DirectoryException refusal;
        synchronized (lock) {
            refusal = refusal(source);
            if (refusal == null) {
                queue.add(source, subject, task);
                lock.notify();
            }
        }
        if (refusal != null) {
            refused.increment();
            return CompletableFuture.failedFuture(refusal);
        }
        task.whenComplete((value, failure) -> {
            if (failure instanceof CancellationException) {
                synchronized (lock) {
                    queue.remove(source, subject, task);
                }
            }
        });
        return task;
    }

    /** @return null if one more may wait */
    private DirectoryException refusal(Object source) {
        int mostOfSource = Math.max(1, mostWaiting / 2);
        if (stopping) {
            return new DirectoryException(ResultCode.UNAVAILABLE, "the server is shutting down");
        } else if (queue.size() >= mostWaiting) {
            return new DirectoryException(ResultCode.BUSY, "the server has " + mostWaiting
                    + " passwords to check or to hash already, as many as may wait (passwordQueue); try again later");
        } else if (queue.size(source) >= mostOfSource) {
            return new DirectoryException(ResultCode.BUSY, "the server has " + mostOfSource
                    + " passwords to check or to hash for this address already, half of all that may wait (passwordQueue); try again later");
        }
        return null;
    }

    /** What waits for a thread. */
    public int waiting() {
        synchronized (lock) {
            return queue.size();
        }
    }

    private void work() {
        for (Work<?> task = next(); task != null; task = next()) {
            task.run();
        }
    }

    /** @return null at the end */
    private Work<?> next() {
        synchronized (lock) {
            while (queue.size() == 0) {
                if (stopping) {
                    return null;
                }
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    // Only a stop that takes too long interrupts.
                    return null;
                }
            }
            return queue.poll();
        }
    }

    /** Gives up what waits, and ends the threads when what they do is done, or when that takes too long. Idempotent. */
    @Override
    public void close() {
        List<Work<?>> waiting = new ArrayList<>();
        synchronized (lock) {
            stopping = true;
            for (Work<?> task = queue.poll(); task != null; task = queue.poll()) {
                waiting.add(task);
            }
            lock.notifyAll();
        }
        waiting.forEach(task -> task.completeExceptionally(
                new DirectoryException(ResultCode.UNAVAILABLE, "the server is shutting down")));
        threads.end();
    }
}
