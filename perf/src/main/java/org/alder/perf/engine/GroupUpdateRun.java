package org.alder.perf.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.request.Modification;
import org.alder.perf.process.OwnUsage;

/**
 * Updates of a group at a fixed rate, a flush of the store every so often, and searches as fast as they go, all at once in this
 * process. Started and measured by one thread, which also flushes.
 */
final class GroupUpdateRun {
    private static final int UPDATERS = 4;
    private static final long FIRST_FREE_MEMBER = 1_000_000_000;

    /** How one update changes the group. */
    enum Way {
        /** The client sends all values anew. */
        REPLACE,
        /** One value is added or removed, and the server keeps all values in the entry's record. */
        RECORD,
        /** One value is added or removed, and the server keeps the values outside of the record. */
        VALUE
    }

    /**
     * @param updateMillis the time of all updates together
     * @param flushMillis the time of all flushes together
     * @param cpuSeconds of all threads but the searching ones
     */
    record Outcome(double seconds, double updates, double updateMillis, int flushes, double flushMillis, double cpuSeconds,
            double writtenBytes, double searches) {
    }

    /** All counters at one moment. */
    private record Counters(long nanos, long updates, long updateNanos, double cpuSeconds, double writtenBytes, long searches) {
    }

    private final SampleGroup group;
    private final Way way;
    private final long users;
    private final double updatesPerSecond;
    private final List<List<byte[]>> replacements;
    private final AtomicLong updates = new AtomicLong();
    private final AtomicLong updateNanos = new AtomicLong();
    private final AtomicLong searches = new AtomicLong();
    private final Set<Long> searchThreads = ConcurrentHashMap.newKeySet();
    private volatile boolean stopped;

    /** @param replacements two lists of values that a client which replaces sends in turns */
    GroupUpdateRun(SampleGroup group, Way way, long users, double updatesPerSecond, List<List<byte[]>> replacements) {
        this.group = group;
        this.way = way;
        this.users = users;
        this.updatesPerSecond = updatesPerSecond;
        this.replacements = replacements;
    }

    /**
     * Runs as many flush intervals as fit into the time, at least one.
     *
     * @param warmUpSeconds before the measured time
     */
    Outcome run(int searchers, double flushSeconds, double warmUpSeconds, double seconds) throws IOException,
            InterruptedException {
        ExecutorService pool = Executors.newCachedThreadPool();
        List<Future<?>> running = new ArrayList<>();
        try {
            for (int i = 0; i < searchers; i++) {
                SplittableRandom random = new SplittableRandom(i);
                running.add(pool.submit(() -> search(random)));
            }
            int updaters = (int) Math.min(UPDATERS, updatesPerSecond);
            for (int i = 0; i < updaters; i++) {
                long first = System.nanoTime() + (long) (1e9 / updatesPerSecond * i);
                long free = FIRST_FREE_MEMBER + i;
                running.add(pool.submit(() -> update(first, (long) (1e9 / updatesPerSecond * updaters), free)));
            }
            flush(flushSeconds, Math.max(1, (int) (warmUpSeconds / flushSeconds)));
            Counters before = counters();
            int flushes = Math.max(1, (int) (seconds / flushSeconds));
            double flushMillis = flush(flushSeconds, flushes);
            Counters after = counters();
            stopped = true;
            for (Future<?> thread : running) {
                thread.get();
            }
            return new Outcome((after.nanos - before.nanos) / 1e9, after.updates - before.updates,
                    (after.updateNanos - before.updateNanos) / 1e6, flushes, flushMillis, after.cpuSeconds - before.cpuSeconds,
                    after.writtenBytes - before.writtenBytes, after.searches - before.searches);
        } catch (ExecutionException e) {
            throw new IOException("a thread of the benchmark failed: " + e.getCause().getMessage(), e.getCause());
        } finally {
            stopped = true;
            pool.shutdownNow();
        }
    }

    private Counters counters() throws IOException {
        return new Counters(System.nanoTime(), updates.get(), updateNanos.get(), OwnUsage.cpuSeconds(searchThreads),
                OwnUsage.writtenBytes(), searches.get());
    }

    /** Returns how long the flushes took; the last one ends the time. */
    private double flush(double flushSeconds, int times) throws InterruptedException {
        long stepNanos = (long) (flushSeconds * 1e9);
        long start = System.nanoTime();
        long spent = 0;
        for (int i = 1; i <= times; i++) {
            TimeUnit.NANOSECONDS.sleep(start + i * stepNanos - System.nanoTime());
            long begin = System.nanoTime();
            group.flush();
            spent += System.nanoTime() - begin;
        }
        return spent / 1e6;
    }

    private Void search(SplittableRandom random) throws DirectoryException, IOException {
        searchThreads.add(Thread.currentThread().getId());
        while (!stopped) {
            String uid = "user." + (1 + random.nextLong(users));
            long found = group.usersWith(uid);
            if (found != 1) {
                throw new IOException("a search for " + uid + " found " + found + " entries, expected 1");
            }
            searches.incrementAndGet();
        }
        return null;
    }

    /** In turns adds and removes a member that only this thread uses, or sends all members. */
    private Void update(long firstNanos, long stepNanos, long freeMember) throws IOException {
        List<byte[]> one = List.of(SampleGroup.member(freeMember));
        boolean even = true;
        for (long due = firstNanos; !stopped; due += stepNanos) {
            while (System.nanoTime() < due && !stopped) {
                LockSupport.parkNanos(Math.min(due - System.nanoTime(), TimeUnit.MILLISECONDS.toNanos(50)));
            }
            long begin = System.nanoTime();
            if (way == Way.REPLACE) {
                group.change(Modification.Kind.REPLACE, replacements.get(even ? 0 : 1));
            } else {
                group.change(even ? Modification.Kind.ADD : Modification.Kind.DELETE, one);
            }
            updateNanos.addAndGet(System.nanoTime() - begin);
            updates.incrementAndGet();
            even = !even;
        }
        if (way != Way.REPLACE && !even) {
            group.change(Modification.Kind.DELETE, one);
        }
        return null;
    }
}
