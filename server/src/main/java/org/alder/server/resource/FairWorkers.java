package org.alder.server.resource;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads for what takes longer than a moment. Each connection has a {@link Lane}; lanes with work take turns, one task each,
 * and one lane has some of the threads at most, so that a client with much to do delays nobody but itself. Thread safe.
 *
 * <p>What waits in a lane is bounded by the requests that its connection may have under way; where much waits in all, a lane gets no
 * second new one.
 */
public final class FairWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FairWorkers.class);

    private final int mostOfLane;
    private final int mostWaiting;
    private final LongAdder refused;
    private final DaemonThreads threads;
    /** Guards all that follows, and the lanes. */
    private final Object lock = new Object();
    /** Lanes that have a task and may run it, each once. */
    private final Queue<Lane> ready = new ArrayDeque<>();
    private int waitingTasks;
    private int runningTasks;
    private boolean stopping;

    /**
     * @param count threads, at least 1; one lane gets half of them at most
     * @param mostWaiting from how many tasks that wait on new work is refused where other waits in its lane
     * @param counters gets what waits and what is refused
     */
    public FairWorkers(int count, int mostWaiting, Counters counters) {
        this.mostWaiting = mostWaiting;
        counters.gauge("workers", "alderWaitingTasks", this::waitingTasks);
        this.refused = counters.counter("workers", "alderTasksRefused");
        counters.mark("work for worker threads (workerQueue)", () -> waitingTasks() >= mostWaiting);
        mostOfLane = Math.max(1, count / 2);
        threads = new DaemonThreads("alder-worker-", count, this::work);
        threads.start();
    }

    public Lane lane() {
        return new Lane();
    }

    /** Tasks that wait for a thread. */
    public int waitingTasks() {
        synchronized (lock) {
            return waitingTasks;
        }
    }

    /** The tasks of one connection, in their order, several at a time. Thread safe; needs no end. */
    public final class Lane implements Executor {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private int running;
        private boolean isReady;

        private Lane() {
        }

        @Override
        public void execute(Runnable task) {
            synchronized (lock) {
                tasks.add(task);
                waitingTasks++;
                makeReady();
            }
        }

        /**
         * Asks for room for a task that begins new work.
         *
         * @throws DirectoryException busy if so much waits already that a connection gets no second one
         */
        public void requireRoom() throws DirectoryException {
            int found;
            synchronized (lock) {
                found = tasks.isEmpty() ? 0 : waitingTasks;
            }
            if (found >= mostWaiting) {
                refused.increment();
                throw new DirectoryException(ResultCode.BUSY, found + " pieces of work wait for a thread, and from " + mostWaiting
                        + " on (workerQueue) a connection has no more than one of them; try again later");
            }
        }

        private void makeReady() {
            if (!isReady && !tasks.isEmpty() && running < mostOfLane) {
                isReady = true;
                ready.add(this);
                lock.notify();
            }
        }

        private Runnable take() {
            isReady = false;
            running++;
            waitingTasks--;
            runningTasks++;
            Runnable task = tasks.poll();
            makeReady();
            return task;
        }

        private void done() {
            synchronized (lock) {
                running--;
                runningTasks--;
                makeReady();
                if (stopping) {
                    lock.notifyAll();
                }
            }
        }
    }

    private void work() {
        for (;;) {
            Lane lane;
            Runnable task;
            synchronized (lock) {
                lane = awaitReady();
                if (lane == null) {
                    return;
                }
                task = lane.take();
            }
            try {
                task.run();
            } catch (Throwable e) {
                LOG.error("a task ends with a fault", e);
            } finally {
                lane.done();
            }
        }
    }

    /** @return null at the end */
    private Lane awaitReady() {
        while (ready.isEmpty()) {
            if (stopping && runningTasks == 0) {
                return null;
            }
            try {
                lock.wait();
            } catch (InterruptedException e) {
                // Only a stop that takes too long interrupts.
                return null;
            }
        }
        return ready.poll();
    }

    /** Ends the threads when all is done, or when that takes too long. Idempotent. */
    @Override
    public void close() {
        synchronized (lock) {
            stopping = true;
            lock.notifyAll();
        }
        threads.end();
    }
}
