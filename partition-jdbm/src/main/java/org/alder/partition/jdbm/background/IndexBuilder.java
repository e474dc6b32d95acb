package org.alder.partition.jdbm.background;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.segment.IndexTables;
import org.alder.partition.jdbm.state.StoreSnapshot;
import org.alder.partition.jdbm.state.StoreState;
import org.alder.partition.jdbm.task.Tasks;
import org.alder.partition.store.IndexBuild;
import org.alder.partition.store.LargeValues;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The background thread that builds indexes of a store that is open: from the entries of the state since which all changes have their
 * keys, at the pace of merges. Whatever ends it before, the store, a crash, a full disk, or another change of the indexes, they are
 * built from the beginning; what was written of them is never read. Thread safe.
 */
public final class IndexBuilder {
    private static final Logger LOG = LoggerFactory.getLogger(IndexBuilder.class);
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String name;
    private final SegmentStock stock;
    private final Supplier<WorkPace> paces;
    private final Supplier<String> refusal;
    private final long retryMillis;
    private final Tasks tasks;
    private Tasks.Task task;
    /** Its layers are held for what is to be built of it. */
    private StoreState work;
    /** Of the newest build; closed to end it. */
    private WorkPace pace;
    private boolean working;
    private boolean closing;
    private volatile boolean cancelled;
    private volatile IndexBuild status;
    private boolean shortOfRoom;
    private long startNanos;
    private String phase;
    private long phaseNanos;
    private long lastLogNanos;

    /**
     * @param paces       how fast each build is
     * @param refusal     why nothing is written now, flushes among it, or null
     * @param retryMillis after which time a build for which there was no room on the disk is begun again
     * @param tasks       where it runs and waits
     */
    public IndexBuilder(String name, SegmentStock stock, Supplier<WorkPace> paces, Supplier<String> refusal, long retryMillis,
            Tasks tasks) {
        this.name = name;
        this.stock = stock;
        this.paces = paces;
        this.refusal = refusal;
        this.retryMillis = Math.max(1, retryMillis);
        this.tasks = tasks;
    }

    /**
     * Has the indexes built that are being built in a state, while no other build is under way.
     *
     * @param at the caller's reference to its layers becomes this one's
     */
    public synchronized void build(StoreState at) {
        if (closing) {
            at.layers().release();
            throw new StoreException(StoreException.Kind.CLOSED, "the store is closed");
        }
        work = at;
        pace = paces.get();
        shortOfRoom = false;
        status = new IndexBuild(at.layers().tables().building(), "waiting", 0, at.entries(), 0, -1, null);
        if (task == null) {
            task = tasks.start(name + "-indexes", this::run);
        }
        tasks.wake(this);
    }

    /** Ends a build that is under way, and returns when it has ended. */
    public synchronized void cancel() throws InterruptedException {
        end();
        while (working) {
            tasks.waitOn(this, Long.MAX_VALUE);
        }
        cancelled = closing;
        status = null;
    }

    /** Tells that a build was ended for a change of the indexes that then failed. @param names of what is not complete */
    public synchronized void lost(List<String> names) {
        if (!names.isEmpty()) {
            status = new IndexBuild(names, "failed", 0, -1, 0, -1, "another change of the indexes ended the build, and could not be made itself: ask for"
                    + " them again, or restart");
        }
    }

    private void end() {
        cancelled = true;
        if (pace != null) {
            pace.close();
        }
        if (work != null) {
            work.layers().release();
            work = null;
        }
        tasks.wake(this);
    }

    /** The build that is under way or failed; null if there is none. */
    public IndexBuild status() {
        return status;
    }

    private void run() {
        try {
            for (StoreState at = awaitWork(); at != null; at = awaitWork()) {
                try {
                    buildWhenThereIsRoom(at);
                } finally {
                    ended();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized StoreState awaitWork() throws InterruptedException {
        while (work == null && !closing) {
            tasks.waitOn(this, Long.MAX_VALUE);
        }
        StoreState next = work;
        work = null;
        working = next != null;
        return next;
    }

    private synchronized void ended() {
        working = false;
        tasks.wake(this);
    }

    /** Always of the same state: of a later one the counts of the layers above would be added to keys that have them. */
    private void buildWhenThereIsRoom(StoreState given) throws InterruptedException {
        WorkPace own;
        synchronized (this) {
            own = pace;
        }
        StoreState at = given;
        try {
            boolean wanted = awaitFlushed(at);
            at = wanted ? stock.withoutMemory(at) : at;
            while (wanted && !build(at, own)) {
                wanted = awaitRetry();
            }
        } finally {
            at.layers().release();
        }
    }

    /**
     * A start derives the keys of all indexes for what it reads from the log, so what is built has those alone that it does not read
     * from there any more. False once it is not wanted any more.
     */
    private synchronized boolean awaitFlushed(StoreState at) throws InterruptedException {
        while (!cancelled && stock.isUnflushed(at)) {
            status = new IndexBuild(at.layers().tables().building(), "waiting", 0, at.entries(), 0, -1, refusal.get());
            tasks.waitOn(this, TimeUnit.MILLISECONDS.toNanos(retryMillis));
        }
        return !cancelled;
    }

    /** Tells that a memory layer is in a segment. */
    public synchronized void flushed() {
        tasks.wake(this);
    }

    /** False once it is not wanted any more. */
    private synchronized boolean awaitRetry() throws InterruptedException {
        if (!cancelled) {
            tasks.waitOn(this, TimeUnit.MILLISECONDS.toNanos(retryMillis));
        }
        return !cancelled;
    }

    /** False where there is no room for it now. */
    private boolean build(StoreState at, WorkPace own) {
        List<String> names = at.layers().tables().building();
        String shown = String.join(", ", names);
        startNanos = tasks.nanoTime();
        lastLogNanos = startNanos;
        phase = null;
        if (!shortOfRoom) {
            LOG.info("{}: building indexes beside searches and updates: {}", name, shown);
        }
        try {
            requireLargeMayStay(at);
            stock.buildIndexes(at, own, (phase, done, total) -> progress(names, phase, done, total));
            LOG.info("{}: built indexes in {} s: {}", name, TimeUnit.NANOSECONDS.toSeconds(tasks.nanoTime() - startNanos), shown);
            status = null;
        } catch (CancellationException e) {
            LOG.info("{}: the build of indexes was ended: {}", name, shown);
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.DISK_FULL) {
                waitsForRoom(names, e);
                return false;
            }
            failed(names, e);
        } catch (RuntimeException | Error e) {
            failed(names, e);
        }
        return true;
    }

    private void waitsForRoom(List<String> names, StoreException lack) {
        status = notBuilding(names, "waiting for room on the disk", lack);
        if (!shortOfRoom) {
            shortOfRoom = true;
            LOG.warn("{}: indexes are built when there is room, and searches do not use them until then: {}: {}", name,
                    String.join(", ", names), lack.getMessage());
        }
    }

    private void failed(List<String> names, Throwable cause) {
        status = notBuilding(names, "failed", cause);
        LOG.error("{}: indexes could not be built, so searches do not use them; ask for them again, or restart, which builds them: {}",
                name, String.join(", ", names), cause);
    }

    private IndexBuild notBuilding(List<String> names, String state, Throwable cause) {
        return new IndexBuild(names, state, 0, -1, tasks.nanoTime() - startNanos, -1, cause.getMessage());
    }

    /** One may have become large before the indexes were changed. */
    private static void requireLargeMayStay(StoreState at) {
        IndexTables tables = at.layers().tables();
        if (!LargeValues.mayStay(new StoreSnapshot(at, ended -> { }), tables.indexer())) {
            throw new StoreException(StoreException.Kind.REFUSED, LargeValues.IN_THE_WAY);
        }
    }

    private void progress(List<String> names, String now, long done, long total) {
        if (cancelled) {
            throw new CancellationException();
        }
        long nanos = tasks.nanoTime();
        if (!now.equals(phase)) {
            phase = now;
            phaseNanos = nanos;
        }
        long leftNanos = total < done || done == 0 ? -1 : (long) ((double) (nanos - phaseNanos) / done * (total - done));
        status = new IndexBuild(names, phase, done, total, nanos - startNanos, leftNanos, null);
        if (nanos - lastLogNanos > LOG_NANOS) {
            lastLogNanos = nanos;
            LOG.info("{}: building indexes: {}, {}{}{}", name, phase, done, total < 0 ? "" : " of " + total,
                    leftNanos < 0 ? "" : ", about " + TimeUnit.NANOSECONDS.toSeconds(leftNanos) + " s left");
        }
    }

    /** Ends a build that is under way, and waits for the thread. */
    public void close() throws InterruptedException {
        Tasks.Task running;
        synchronized (this) {
            closing = true;
            end();
            running = task;
        }
        if (running != null) {
            running.join();
        }
    }
}
