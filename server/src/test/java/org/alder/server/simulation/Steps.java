package org.alder.server.simulation;

import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.alder.partition.testing.Simulation;

/**
 * What the classes of {@link SteppedClasses} do instead of what threads do with each other: monitors, waiting, threads, time. Each is
 * a step of the simulation that goes on, of which there is one at a time. Monitors are those of the simulation, so that a task can
 * give its turn away while it has one. Outside of a simulation there is one thread, and nothing to do.
 */
public final class Steps {
    private static final long EPOCH_SECONDS = 1_700_000_000;
    private static volatile Simulation simulation;
    private static final Map<Object, Held> HELD = new IdentityHashMap<>();
    private static final List<Waiter> WAITERS = new ArrayList<>();
    private static final Map<Thread, Simulation.Actor> THREADS = new IdentityHashMap<>();
    /** Where a worker takes what it does next. */
    private static final String TASK = "FairWorkers.work";
    private static Runnable onTask = () -> { };
    /** While it is not 0, whoever has the turn is in code that has monitors of its own, and keeps the turn. */
    private static int kept;

    private Steps() {
    }

    private static final class Held {
        private final Simulation.Actor by;
        private int times;

        Held(Simulation.Actor by) {
            this.by = by;
        }
    }

    private static final class Waiter {
        private final Object monitor;
        private boolean notified;

        Waiter(Object monitor) {
            this.monitor = monitor;
        }
    }

    /** All that follows is in this simulation. */
    static void begin(Simulation next) {
        HELD.clear();
        WAITERS.clear();
        THREADS.clear();
        kept = 0;
        onTask = () -> { };
        simulation = next;
    }

    /** @param listener told by each thread that it may have something else to do now than before */
    static void onTask(Runnable listener) {
        onTask = listener;
    }

    private static boolean isStill() {
        Simulation now = simulation;
        return now == null || !now.isTask();
    }

    public static void step(String where) {
        if (kept == 0 && !isStill()) {
            simulation.step(where);
        }
    }

    /** What is called next has monitors of its own. */
    public static void keep() {
        if (!isStill()) {
            kept++;
        }
    }

    public static void release() {
        if (!isStill()) {
            kept--;
        }
    }

    public static void enter(Object monitor, String where) {
        if (isStill()) {
            return;
        }
        step(where);
        if (where.startsWith(TASK)) {
            onTask.run();
        }
        take(monitor, 1);
    }

    private static boolean isFree(Object monitor) {
        Held held = HELD.get(monitor);
        return held == null || held.by == simulation.current();
    }

    private static void take(Object monitor, int times) {
        if (!isFree(monitor)) {
            simulation.await("wants a monitor", () -> HELD.get(monitor) == null, Long.MAX_VALUE);
        }
        HELD.computeIfAbsent(monitor, none -> new Held(simulation.current())).times += times;
    }

    public static void exit(Object monitor) {
        if (isStill()) {
            return;
        }
        Held held = HELD.get(monitor);
        if (held == null || held.by != simulation.current()) {
            throw new IllegalMonitorStateException();
        }
        if (--held.times == 0) {
            HELD.remove(monitor);
        }
    }

    public static void await(Object monitor) {
        await(monitor, Long.MAX_VALUE);
    }

    public static void await(Object monitor, long millis) {
        if (isStill()) {
            throw new IllegalStateException("the simulation has ended");
        }
        int times = HELD.remove(monitor).times;
        Waiter waiter = new Waiter(monitor);
        WAITERS.add(waiter);
        long nanos = millis == 0 || millis == Long.MAX_VALUE ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(millis);
        simulation.await("waits on a monitor", () -> waiter.notified && HELD.get(monitor) == null, nanos);
        WAITERS.remove(waiter);
        take(monitor, times);
        onTask.run();
    }

    public static void notifyOne(Object monitor) {
        List<Waiter> here = WAITERS.stream().filter(each -> each.monitor == monitor && !each.notified).toList();
        if (!here.isEmpty()) {
            here.get(simulation.random().nextInt(here.size())).notified = true;
        }
    }

    public static void notifyEach(Object monitor) {
        WAITERS.stream().filter(each -> each.monitor == monitor).forEach(each -> each.notified = true);
    }

    public static void start(Thread thread) {
        THREADS.put(thread, simulation.start(thread.getName(), thread::run));
    }

    /** For as long as it takes: whoever never ends is found as one who waits for ever. */
    public static void join(Thread thread, long millis) {
        THREADS.get(thread).join();
    }

    /** Only threads that take too long to end are interrupted, and in a simulation none is. */
    public static void interrupt(Thread thread) {
        Simulation.Actor actor = THREADS.get(thread);
        if (actor != null && !actor.hasEnded()) {
            throw new AssertionError(thread.getName() + " has not ended");
        }
    }

    public static long nanoTime() {
        return isStill() ? 1 : simulation.now();
    }

    public static long currentTimeMillis() {
        return TimeUnit.SECONDS.toMillis(EPOCH_SECONDS) + TimeUnit.NANOSECONDS.toMillis(nanoTime());
    }

    public static Instant now() {
        return Instant.ofEpochSecond(EPOCH_SECONDS, nanoTime());
    }

    public static Instant instant(Clock clock) {
        return now();
    }

    public static void sleep(TimeUnit unit, long time) {
        simulation.pause(unit.toNanos(time));
    }

    public static <T> CompletableFuture<T> orTimeout(CompletableFuture<T> future, long time, TimeUnit unit) {
        simulation.start("timer", () -> {
            simulation.await("a time limit", future::isDone, unit.toNanos(time));
            future.completeExceptionally(new TimeoutException());
        });
        return future;
    }

    public static <T> T join(CompletableFuture<T> future) {
        if (!isStill() && !future.isDone()) {
            simulation.await("waits for a future", future::isDone, Long.MAX_VALUE);
        }
        return future.join();
    }

    /** What runs on threads that nobody has started here runs in a task of its own. */
    public static void execute(Executor executor, Runnable work) {
        if (executor instanceof ThreadPoolExecutor && !isStill()) {
            simulation.start("pool", work);
        } else {
            executor.execute(work);
        }
    }

    /** The map holds a monitor of its own while it asks the function. */
    public static <K, V> V computeIfAbsent(Map<K, V> map, K key, Function<? super K, ? extends V> function) {
        keep();
        try {
            return map.computeIfAbsent(key, function);
        } finally {
            release();
        }
    }
}
