package org.alder.partition.jdbm.state;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.alder.partition.entry.EntryProbe;
import org.alder.partition.jdbm.layer.EntryVersion;
import org.alder.partition.jdbm.layer.EntryVersionCursor;
import org.alder.partition.jdbm.layer.LayerStack;
import org.alder.partition.jdbm.task.HelperThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Walks the entries of layers. Where a probe is asked of very many of them, helping threads ask it ahead, of runs of IDs, while the
 * walk's owner does other ones: whoever is done first takes the next run that nobody has begun, so that nobody waits while there is work.
 * Helpers are daemons, shared by the whole process, one less than there are processors; what they do not get to, the owner does. One thread uses it.
 */
final class ProbedEntries implements EntryVersionCursor {
    static final int RUN_IDS = 1 << 11;
    static final int RUNS_AHEAD = 4;
    /** Who wants a few entries shall not have others work for him. */
    static final int ALONE = 1 << 10;

    private static final Logger LOG = LoggerFactory.getLogger(ProbedEntries.class);
    private static final int QUEUED_RUNS = 64;
    private static final Executor HELPERS = HelperThreads.start("probes-ahead", Runtime.getRuntime().availableProcessors() - 1, QUEUED_RUNS);

    private final LayerStack layers;
    private final EntryVersionCursor entries;
    private final Executor helpers;
    private final Deque<Run> runs = new ArrayDeque<>(RUNS_AHEAD);
    private EntryProbe probe;
    private int asked;
    /** The run that the current entry is of; null where it is asked alone. */
    private Run run;

    ProbedEntries(LayerStack layers, long fromId) {
        this(layers, fromId, HELPERS);
    }

    /** @param helpers may leave undone what it is given */
    ProbedEntries(LayerStack layers, long fromId, Executor helpers) {
        this.layers = layers;
        this.entries = layers.entries(fromId);
        this.helpers = helpers;
    }

    @Override
    public boolean next() {
        return entries.next();
    }

    @Override
    public long id() {
        return entries.id();
    }

    @Override
    public EntryVersion version() {
        return entries.version();
    }

    @Override
    public boolean isDeleted() {
        return entries.isDeleted();
    }

    @Override
    public boolean mayMatch(EntryProbe newProbe) {
        if (newProbe != probe) {
            probe = newProbe;
            run = null;
            runs.clear();
        }
        if (++asked <= ALONE) {
            return entries.mayMatch(probe);
        }
        long id = entries.id();
        if (run == null || run.firstId + RUN_IDS <= id) {
            run = runOf(id);
        }
        return run.passes(id);
    }

    /** The next run: with it, or those behind it, the owner is busy until it is done. */
    private Run runOf(long id) {
        long first = id & -RUN_IDS;
        while (!runs.isEmpty() && runs.peek().firstId < first) {
            runs.poll();
        }
        Run found = !runs.isEmpty() && runs.peek().firstId == first ? runs.poll() : new Run(first, probe);
        long next = runs.isEmpty() ? first + RUN_IDS : runs.peekLast().firstId + RUN_IDS;
        for (; runs.size() < RUNS_AHEAD; next += RUN_IDS) {
            Run ahead = new Run(next, probe);
            runs.add(ahead);
            helpers.execute(ahead);
        }
        found.run();
        for (Run other : runs) {
            if (found.isDone()) {
                break;
            }
            other.run();
        }
        found.await();
        return found;
    }

    /** Some IDs in a row. */
    private final class Run implements Runnable {
        private final long firstId;
        private final EntryProbe asks;
        private final AtomicBoolean begun = new AtomicBoolean();
        private final CountDownLatch done = new CountDownLatch(1);
        /** A bit for each ID of which the probe may hold. */
        private final long[] passing = new long[RUN_IDS / Long.SIZE];
        /** What ended it before its end; null for nothing. */
        private RuntimeException failure;

        Run(long firstId, EntryProbe asks) {
            this.firstId = firstId;
            this.asks = asks;
        }

        /** Does the work, unless somebody has begun it. */
        @Override
        public void run() {
            if (!begun.compareAndSet(false, true)) {
                return;
            }
            try {
                EntryVersionCursor each = layers.entries(firstId);
                while (each.next() && each.id() < firstId + RUN_IDS) {
                    if (each.mayMatch(asks)) {
                        int bit = (int) (each.id() - firstId);
                        passing[bit / Long.SIZE] |= 1L << bit;
                    }
                }
            } catch (RuntimeException e) {
                LOG.debug("asking ahead failed from entry {} on", firstId, e);
                failure = e;
            } finally {
                done.countDown();
            }
        }

        boolean isDone() {
            return done.getCount() == 0;
        }

        void await() {
            boolean interrupted = false;
            while (!isDone()) {
                try {
                    done.await();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** Of what a failure left out the owner asks himself, so that it fails for him at the entry that it is about, if it does again. */
        boolean passes(long id) {
            if (failure != null) {
                return entries.mayMatch(asks);
            }
            int bit = (int) (id - firstId);
            return (passing[bit / Long.SIZE] >>> bit & 1) != 0;
        }
    }
}
