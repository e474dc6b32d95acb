package org.alder.server.resource;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads for what takes longer than a moment. Each connection has a {@link Lane}; lanes with work take turns, one task each,
 * and one lane has some of the threads at most, so that a client with much to do delays nobody but itself. Thread safe.
 *
 * <p>What waits in a lane is bounded by the requests that its connection may have under way.
 */
public final class FairWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FairWorkers.class);

    private final int mostOfLane;
    private final DaemonThreads threads;
    /** Guards all that follows, and the lanes. */
    private final Object lock = new Object();
    /** Lanes that have a task and may run it, each once. */
    private final Queue<Lane> ready = new ArrayDeque<>();
    private int waitingTasks;
    private int runningTasks;
    private boolean stopping;

    /** @param count threads, at least 1; one lane gets half of them at most */
    public FairWorkers(int count) {
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
