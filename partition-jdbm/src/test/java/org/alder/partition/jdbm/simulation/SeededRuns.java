package org.alder.partition.jdbm.simulation;

import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;

/** Simulations, each with the next seed and one of its own: as many at a time as there are processors. */
final class SeededRuns {
    private SeededRuns() {
    }

    /** What a seed makes. */
    interface Run {
        void run(long seed) throws IOException;
    }

    /** @param seconds for how long runs are begun; 0 for one run */
    static void run(long firstSeed, double seconds, Run run) throws InterruptedException {
        int threads = seconds == 0 ? 1 : Runtime.getRuntime().availableProcessors();
        long begin = System.nanoTime();
        AtomicLong next = new AtomicLong(firstSeed);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            Callable<Void> work = () -> {
                do {
                    run.run(next.getAndIncrement());
                } while (System.nanoTime() - begin < seconds * 1e9);
                return null;
            };
            for (Future<Void> each : executor.invokeAll(Collections.nCopies(threads, work))) {
                each.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause().getMessage(), e.getCause());
        } finally {
            executor.shutdown();
        }
    }
}
