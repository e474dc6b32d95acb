package org.alder.partition.jdbm.background;

import java.util.List;
import java.util.concurrent.CancellationException;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.segment.Segment;
import org.alder.partition.jdbm.state.LayerSet;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.task.Tasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Merges segments: the newest ones in the background when there are many ({@link Tiers}), all on demand. Thread safe. */
public final class Compactor {
    private static final Logger LOG = LoggerFactory.getLogger(Compactor.class);

    private final LiveState live;
    private final SegmentStock stock;
    private final WorkPace pace;
    private final Tasks tasks;
    private final String name;
    private Tasks.Task task;
    /** Held while a merge runs: there is one at a time. */
    private final Object merging = new Object();
    private boolean work;
    private volatile boolean closing;
    private volatile boolean running;
    private volatile long merges;

    /**
     * @param pace  how fast; closed with this
     * @param tasks where it runs and waits
     */
    public Compactor(String name, LiveState live, SegmentStock stock, WorkPace pace, Tasks tasks) {
        this.live = live;
        this.stock = stock;
        this.pace = pace;
        this.tasks = tasks;
        this.name = name;
    }

    public void start() {
        task = tasks.start(name + "-compaction", this::run);
    }

    /** Tells that there is a new segment. */
    public synchronized void wake() {
        work = true;
        tasks.wake(this);
    }

    private synchronized boolean awaitWork() throws InterruptedException {
        while (!work && !closing) {
            tasks.waitOn(this, Long.MAX_VALUE);
        }
        work = false;
        return !closing;
    }

    private void run() {
        try {
            while (awaitWork()) {
                mergeWhileTooMany();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void mergeWhileTooMany() {
        try {
            boolean merged;
            do {
                merged = mergeNewest();
            } while (merged && !closing);
        } catch (CancellationException e) {
            LOG.debug("A merge was ended because the store is closed");
        } catch (StoreException e) {
            logFailure(e);
        } catch (RuntimeException | Error e) {
            LOG.error("Cannot merge segments; they stay as they are until the next flush", e);
        }
    }

    private static void logFailure(StoreException failure) {
        if (failure.kind() == StoreException.Kind.DISK_FULL) {
            LOG.warn("Segments are not merged before the next flush: {}", failure.getMessage());
        } else {
            LOG.error("Cannot merge segments; they stay as they are until the next flush", failure);
        }
    }

    private boolean mergeNewest() {
        synchronized (merging) {
            LayerSet layers = live.acquireSegments();
            try {
                List<Segment> segments = layers.segments();
                int count = Tiers.newestToMerge(segments.stream().map(segment -> segment.descriptor().diskBytes()).toList());
                if (count > 0) {
                    merge(segments.subList(segments.size() - count, segments.size()), count == segments.size(), layers.tables());
                }
                return count > 0;
            } finally {
                layers.release();
            }
        }
    }

    private void merge(List<Segment> sources, boolean lowest, IndexTables tables) {
        running = true;
        try {
            stock.merge(sources, lowest, tables, pace, this::checkCancelled);
            merges++;
        } finally {
            running = false;
        }
    }

    private void checkCancelled(String phase, long done, long total) {
        if (closing) {
            throw new CancellationException();
        }
    }

    /** Merges all segments into one and returns when it is published. */
    public void mergeAll() {
        synchronized (merging) {
            LayerSet layers = live.acquireSegments();
            try {
                if (layers.segments().size() > 1) {
                    merge(layers.segments(), true, layers.tables());
                }
            } catch (CancellationException e) {
                throw new StoreException(StoreException.Kind.CLOSED, "the store was closed while segments were merged", e);
            } finally {
                layers.release();
            }
        }
    }

    public boolean isRunning() {
        return running;
    }

    /** How many merges were published so far. */
    public long merges() {
        return merges;
    }

    /** Ends a merge that runs and waits for the thread. */
    public void close() throws InterruptedException {
        closing = true;
        pace.close();
        wake();
        task.join();
        synchronized (merging) {
            LOG.debug("No merge is under way any more");
        }
    }
}
