package org.alder.partition.jdbm.background;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.folder.DiskSpace;
import org.alder.partition.jdbm.memory.MemoryLayer;
import org.alder.partition.jdbm.state.LiveState;
import org.alder.partition.jdbm.task.Tasks;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The background thread that writes frozen memory layers into segments, oldest first. Thread safe. */
public final class Flusher {
    private static final Logger LOG = LoggerFactory.getLogger(Flusher.class);

    private final LiveState live;
    private final SegmentStock stock;
    private final WorkPace pace;
    private final LongSupplier givenIds;
    private final Runnable afterFlush;
    private final BiConsumer<String, Throwable> onFailure;
    private final long retryMillis;
    private final Tasks tasks;
    private final String name;
    private Tasks.Task task;
    private RuntimeException failure;
    private StoreException shortage;
    private volatile boolean closing;
    private volatile long flushes;

    /**
     * @param pace       how fast; closed with this
     * @param givenIds   how many entry IDs were given, also those in frozen layers
     * @param afterFlush called after each flush
     * @param onFailure  told why no flush will be tried any more
     * @param tasks      where it runs and waits
     * @param retryMillis after which time a flush for which there was no room on the disk is tried again
     */
    public Flusher(String name, LiveState live, SegmentStock stock, WorkPace pace, LongSupplier givenIds, Runnable afterFlush,
            BiConsumer<String, Throwable> onFailure, long retryMillis, Tasks tasks) {
        this.live = live;
        this.stock = stock;
        this.pace = pace;
        this.givenIds = givenIds;
        this.afterFlush = afterFlush;
        this.onFailure = onFailure;
        this.retryMillis = Math.max(1, retryMillis);
        this.tasks = tasks;
        this.name = name;
    }

    public void start() {
        task = tasks.start(name + "-flush", this::run);
    }

    /** Tells that there is a frozen layer. */
    public synchronized void wake() {
        tasks.wake(this);
    }

    private void run() {
        try {
            MemoryLayer layer = nextFrozen();
            while (layer != null) {
                if (flush(layer)) {
                    afterFlush.run();
                } else {
                    awaitRetry();
                }
                layer = nextFrozen();
            }
        } catch (CancellationException e) {
            LOG.debug("A flush was ended because the store is closed; the log keeps what it would have written");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            fail(e);
        }
    }

    /** False where there is no room for it now. */
    private boolean flush(MemoryLayer layer) {
        StoreException lack = null;
        try {
            stock.flush(layer, givenIds.getAsLong(), pace, (phase, done, total) -> checkCancelled());
            flushes++;
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.DISK_FULL) {
                throw e;
            }
            lack = e;
        }
        setShortage(lack);
        return lack == null;
    }

    private synchronized void setShortage(StoreException now) {
        if (now != null && shortage == null) {
            LOG.warn("Changes stay in memory and in the log until there is room for a segment: {}", now.getMessage());
        }
        shortage = now;
        tasks.wake(this);
    }

    private synchronized void awaitRetry() throws InterruptedException {
        if (!closing) {
            tasks.waitOn(this, TimeUnit.MILLISECONDS.toNanos(retryMillis));
        }
    }

    /** Why a flush waits for room on the disk, or null. */
    public synchronized String shortage() {
        return shortage == null ? null : shortage.getMessage();
    }

    private void checkCancelled() {
        if (closing) {
            throw new CancellationException();
        }
    }

    private synchronized MemoryLayer nextFrozen() throws InterruptedException {
        while (!closing) {
            List<MemoryLayer> frozen = live.current().layers().frozen();
            if (!frozen.isEmpty()) {
                return frozen.get(0);
            }
            tasks.waitOn(this, Long.MAX_VALUE);
        }
        return null;
    }

    private void fail(Throwable cause) {
        onFailure.accept("changes could not be written into a segment: " + cause.getMessage(), cause);
        synchronized (this) {
            failure = new StoreException(StoreException.Kind.IO, "cannot write changes into a segment: " + cause.getMessage(),
                    cause);
            tasks.wake(this);
        }
    }

    /** Waits until no more than the given number of frozen layers are left, or the flusher failed, has no room or is closed. */
    public synchronized void awaitFrozenAtMost(int count) throws InterruptedException {
        while (failure == null && shortage == null && !closing && live.current().layers().frozen().size() > count) {
            tasks.waitOn(this, Long.MAX_VALUE);
        }
    }

    /** Throws if not all that was to be flushed could be. */
    public synchronized void requireNoFailure() {
        if (failure != null) {
            throw failure;
        }
        if (shortage != null) {
            throw DiskSpace.exception(shortage.getMessage());
        }
        if (closing) {
            throw new StoreException(StoreException.Kind.CLOSED, "the store is closed");
        }
    }

    /** How many layers were written so far. */
    public long flushes() {
        return flushes;
    }

    /** Ends a flush that runs and waits for the thread. */
    public void close() throws InterruptedException {
        closing = true;
        pace.close();
        wake();
        task.join();
    }
}
