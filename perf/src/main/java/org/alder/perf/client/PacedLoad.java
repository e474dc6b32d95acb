package org.alder.perf.client;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;

/**
 * Sends requests at a fixed rate over several connections until it is stopped (an open loop): a request that had to wait because
 * the one before it was slow counts from when it was due, so a stall of the server shows in every request that fell into it.
 * Started and stopped by one thread.
 */
public final class PacedLoad {
    private final ExecutorService pool;
    private final List<Future<List<Sample>>> running = new ArrayList<>();
    private volatile boolean stopped;

    /** When a request was due, as {@link System#nanoTime} says, and how long after that its answer was complete. */
    public record Sample(long dueNanos, long nanos) {
    }

    private PacedLoad(int threads) {
        pool = Executors.newFixedThreadPool(threads);
    }

    /**
     * Starts at once.
     *
     * @param connections each used by a thread of its own; the caller closes them after {@link #stop}
     * @param perSecond requests of all connections together
     * @param seed of the random numbers the requests are made from
     */
    public static PacedLoad start(List<LdapConnection> connections, double perSecond, long seed, Load.Request request) {
        PacedLoad load = new PacedLoad(connections.size());
        SplittableRandom random = new SplittableRandom(seed);
        long stepNanos = Math.max(1, (long) (1e9 * connections.size() / perSecond));
        long start = System.nanoTime();
        for (int i = 0; i < connections.size(); i++) {
            LdapConnection connection = connections.get(i);
            SplittableRandom own = random.split();
            long first = start + stepNanos * i / connections.size();
            load.running.add(load.pool.submit(() -> load.run(connection, own, request, first, stepNanos)));
        }
        return load;
    }

    private List<Sample> run(LdapConnection connection, SplittableRandom random, Load.Request request, long first, long stepNanos)
            throws IOException {
        List<Sample> samples = new ArrayList<>();
        for (long due = first; !stopped; due += stepNanos) {
            long begin = awaitTime(due);
            request.send(connection, random);
            samples.add(new Sample(begin, System.nanoTime() - begin));
        }
        return samples;
    }

    /**
     * Returns the time due, or the time of waking up where there was time to sleep: the clock's coarseness is not the server's.
     */
    private static long awaitTime(long due) {
        if (System.nanoTime() >= due) {
            return due;
        }
        long now;
        do {
            LockSupport.parkNanos(due - System.nanoTime());
            now = System.nanoTime();
        } while (now < due);
        return now;
    }

    /** Sends no more; does not wait. */
    public void end() {
        stopped = true;
    }

    /** Waits for the requests under way and returns all samples; throws what a request threw. */
    public List<Sample> stop() throws IOException, InterruptedException {
        end();
        try {
            List<Sample> all = new ArrayList<>();
            for (Future<List<Sample>> thread : running) {
                all.addAll(thread.get());
            }
            return all;
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException fault ? fault : new IOException("a load thread failed: " + e.getCause(),
                    e.getCause());
        } finally {
            pool.shutdownNow();
        }
    }
}
