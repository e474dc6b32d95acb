package org.alder.partition.jdbm.segment;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.alder.partition.store.BulkLoad.BuildProgress;

/**
 * Does the tasks of one phase of a bulk load on threads of its own, while the calling thread reports how far they are, also where
 * one step takes long.
 *
 * @param name  of the phase
 * @param total what {@code done} reaches
 */
record PhaseTasks(String name, LongSupplier done, long total, BuildProgress progress) {
    private static final long PROGRESS_MILLIS = 200;

    /**
     * Returns when all tasks are done. When one fails the others are ended first, and what it threw is thrown: after this none of
     * them is at work any more.
     */
    void run(int threads, List<Callable<Void>> tasks) throws IOException {
        progress.update(name, 0, total);
        ExecutorService pool = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "alder-bulk-" + name);
            thread.setDaemon(true);
            return thread;
        });
        try {
            awaitAll(pool, tasks);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted in the phase " + name);
        } finally {
            end(pool);
        }
        progress.update(name, total, total);
    }

    private void awaitAll(ExecutorService pool, List<Callable<Void>> tasks) throws InterruptedException, IOException {
        CompletionService<Void> running = new ExecutorCompletionService<>(pool);
        tasks.forEach(running::submit);
        int left = tasks.size();
        while (left > 0) {
            Future<Void> ended = running.poll(PROGRESS_MILLIS, TimeUnit.MILLISECONDS);
            progress.update(name, Math.min(done.getAsLong(), total), total);
            if (ended != null) {
                requireSuccess(ended);
                left--;
            }
        }
    }

    private static void requireSuccess(Future<Void> ended) throws InterruptedException, IOException {
        try {
            ended.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            if (e.getCause() instanceof IOException cause) {
                throw cause;
            }
            throw new IOException("a bulk load failed: " + e.getCause(), e.getCause());
        }
    }

    private void end(ExecutorService pool) throws IOException {
        pool.shutdownNow();
        try {
            if (!pool.awaitTermination(1, TimeUnit.HOURS)) {
                throw new IOException("the phase " + name + " did not end within an hour after it was ended");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted in the phase " + name);
        }
    }
}
