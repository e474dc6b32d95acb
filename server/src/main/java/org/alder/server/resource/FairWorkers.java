package org.alder.server.resource;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The threads for what takes longer than a moment. Each connection has a {@link Lane}, and the lanes of one client, over however many
 * connections, are his alone. A thread takes a task of the client, and of his lanes the one, that has had the least time so far, so
 * that who asks for much delays nobody but himself, and what is cheap comes first. One lane has half of the threads at most, and one
 * client leaves one in four to others. Thread safe.
 *
 * <p>What waits in a lane is bounded by the requests that its connection may have under way; where much waits in all, a lane gets no
 * second new one.
 */
public final class FairWorkers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FairWorkers.class);
    /** What a task is taken for until it has ended: else all threads would take those of the same client. */
    private static final long TASK_NANOS = 1_000_000;
    private static final int FEW_CLIENTS = 16;

    private final int mostOfLane;
    private final int mostOfClient;
    private final int mostWaiting;
    private final LongAdder refused;
    private final DaemonThreads threads;
    private final LongSupplier clock;
    /** Guards all that follows, and the lanes. */
    private final Object lock = new Object();
    /** By their names: those with work, and those that have had more than others. */
    private final Map<Object, Client> clients = new HashMap<>();
    /** Clients that have a lane with a task and may run it, each once. */
    private final Line<Client> ready = new Line<>();
    /** As many may be there before those are looked for that have nothing to do. */
    private int mostRemembered = FEW_CLIENTS;
    private int waitingTasks;
    private int runningTasks;
    private boolean stopping;

    /**
     * @param count threads, at least 1
     * @param mostWaiting from how many tasks that wait on new work is refused where other waits in its lane
     * @param counters gets what waits and what is refused
     */
    public FairWorkers(int count, int mostWaiting, Counters counters) {
        this(count, mostWaiting, counters, System::nanoTime);
    }

    /** @param clock tells how long a task takes */
    FairWorkers(int count, int mostWaiting, Counters counters, LongSupplier clock) {
        this.clock = clock;
        this.mostWaiting = mostWaiting;
        counters.gauge("workers", "alderWaitingTasks", this::waitingTasks);
        this.refused = counters.counter("workers", "alderTasksRefused");
        counters.overload().mark("work for worker threads", "workerQueue", this::waitingTasks, () -> mostWaiting);
        mostOfLane = Math.max(1, count / 2);
        mostOfClient = Math.max(1, count - Math.max(1, count / 4));
        threads = new DaemonThreads("alder-worker-", count, this::work);
        threads.start();
    }

    /** @param client whose connection it is, compared by equals */
    public Lane lane(Object client) {
        return new Lane(client);
    }

    /** Tasks that wait for a thread. */
    public int waitingTasks() {
        synchronized (lock) {
            return waitingTasks;
        }
    }

    /** Who waits for his turn. */
    private static class Waiting implements Comparable<Waiting> {
        /** The time of threads it has had, in nanoseconds; of who had nothing to do for a while, what those had who had. */
        long had;
        long order;
        boolean isReady;

        @Override
        public int compareTo(Waiting other) {
            return had == other.had ? Long.compare(order, other.order) : Long.compare(had, other.had);
        }
    }

    /** Of those who wait the one that has had least comes first, and of two that have had the same who waits longer. */
    private static final class Line<T extends Waiting> {
        private final PriorityQueue<T> waiting = new PriorityQueue<>();
        private long least;
        private long nextOrder;

        /** Once each. */
        void add(T one) {
            one.had = Math.max(one.had, least);
            one.order = nextOrder++;
            one.isReady = true;
            waiting.add(one);
        }

        boolean isEmpty() {
            return waiting.isEmpty();
        }

        /** There is one. */
        T poll() {
            T first = waiting.poll();
            first.isReady = false;
            least = Math.max(least, first.had);
            first.had += TASK_NANOS;
            return first;
        }

        /** The one has had so much; if it waits again already, it does so at its new place. */
        void charge(T one, long nanos) {
            boolean waits = one.isReady && waiting.remove(one);
            one.had += nanos - TASK_NANOS;
            if (waits) {
                waiting.add(one);
            }
        }
    }

    /** Over all his connections. */
    private static final class Client extends Waiting {
        private final Object name;
        private final Line<Lane> lanes = new Line<>();
        private int running;
        /** How many of his lanes have a task, or run one. */
        private int busyLanes;

        Client(Object name) {
            this.name = name;
        }
    }

    /** The tasks of one connection, in their order, several at a time. Thread safe; needs no end. */
    public final class Lane extends Waiting implements Executor {
        private final Deque<Runnable> tasks = new ArrayDeque<>();
        private int running;
        private Object name;
        /** Whose tasks these are; null while there are none. */
        private Client client;

        private Lane(Object name) {
            this.name = name;
        }

        /** From now on it is another client's; what waits is done for the one before. */
        public void belongTo(Object newClient) {
            synchronized (lock) {
                name = newClient;
            }
        }

        @Override
        public void execute(Runnable task) {
            synchronized (lock) {
                if (client == null) {
                    client = clients.computeIfAbsent(name, Client::new);
                    client.busyLanes++;
                }
                tasks.add(task);
                waitingTasks++;
                makeReady(this);
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
    }

    private void makeReady(Lane lane) {
        if (!lane.isReady && !lane.tasks.isEmpty() && lane.running < mostOfLane) {
            lane.client.lanes.add(lane);
        }
        makeReady(lane.client);
    }

    private void makeReady(Client client) {
        if (!client.isReady && !client.lanes.isEmpty() && client.running < mostOfClient) {
            ready.add(client);
            lock.notify();
        }
    }

    /** One that may run a task. */
    private Lane take() {
        Client client = ready.poll();
        Lane lane = client.lanes.poll();
        lane.running++;
        client.running++;
        waitingTasks--;
        runningTasks++;
        return lane;
    }

    private void done(Lane lane, long nanos) {
        synchronized (lock) {
            Client client = lane.client;
            client.lanes.charge(lane, nanos);
            ready.charge(client, nanos);
            lane.running--;
            client.running--;
            runningTasks--;
            makeReady(lane);
            if (lane.running == 0 && lane.tasks.isEmpty()) {
                lane.client = null;
                if (--client.busyLanes == 0) {
                    idle(client);
                }
            }
            if (stopping) {
                lock.notifyAll();
            }
        }
    }

    /** Who has had more than others is remembered until they have had as much. */
    private void idle(Client client) {
        if (client.had <= ready.least) {
            clients.remove(client.name);
        } else if (clients.size() > mostRemembered) {
            clients.values().removeIf(other -> other.busyLanes == 0 && other.had <= ready.least);
            mostRemembered = 2 * clients.size() + FEW_CLIENTS;
        }
    }

    private void work() {
        for (;;) {
            Lane lane;
            Runnable task;
            synchronized (lock) {
                if (!awaitReady()) {
                    return;
                }
                lane = take();
                task = lane.tasks.poll();
                makeReady(lane);
            }
            long started = clock.getAsLong();
            try {
                task.run();
            } catch (Throwable e) {
                LOG.error("a task ends with a fault", e);
            } finally {
                done(lane, clock.getAsLong() - started);
            }
        }
    }

    /** @return false at the end */
    private boolean awaitReady() {
        while (ready.isEmpty()) {
            if (stopping && runningTasks == 0) {
                return false;
            }
            try {
                lock.wait();
            } catch (InterruptedException e) {
                // Only a stop that takes too long interrupts.
                return false;
            }
        }
        return true;
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
