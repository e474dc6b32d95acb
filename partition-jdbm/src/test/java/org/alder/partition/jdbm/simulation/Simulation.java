package org.alder.partition.jdbm.simulation;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.alder.partition.jdbm.task.Tasks;

/**
 * Tasks of which one goes on at a time, until it waits, ends or comes to a {@link #step}; then a seed says which one does next.
 * Each has a thread of its own, which waits for its turn, so that code runs in it as it is. The clock is made too: it goes on a
 * little with each step, and to the next time that somebody waits for where nobody can go on; now and then it does that early.
 * Where nobody can go on and nobody waits for a time, that is a deadlock, and fails.
 *
 * <p>A task does not come to a step while it holds a monitor that another one may want: that one would not get it, and could not
 * give its turn away.
 */
final class Simulation implements Tasks {
    private static final int HANG_SECONDS = 300;
    private static final long STEP_NANOS = 1000;
    private static final int EARLY = 50;
    private static final int TRACED = 2000;
    private static final BooleanSupplier ALWAYS = () -> true;

    private final class Actor implements Task {
        private final String name;
        private final Semaphore turn = new Semaphore(0);
        private Thread thread;
        private BooleanSupplier ready = ALWAYS;
        /** When it goes on in any case. */
        private long until = Long.MAX_VALUE;
        private Object monitor;
        private boolean ended;

        Actor(String name) {
            this.name = name;
        }

        boolean canGoOn() {
            return !ended && (now >= until || ready.getAsBoolean());
        }

        @Override
        public void join() {
            await("the end of " + name, () -> ended, Long.MAX_VALUE);
        }
    }

    /** Ends a task of a simulation that has failed. */
    private static final class Broken extends Error {
        private static final long serialVersionUID = 1L;
    }

    private final SplittableRandom random;
    /** Of a hundred steps, at how many the turn passes on. */
    private final int switches;
    private final List<Actor> actors = new ArrayList<>();
    private final Deque<String> trace = new ArrayDeque<>();
    private long traceHash;
    private long steps;
    private long turns;
    private long now = 1;
    private volatile Actor current;
    private volatile Throwable failure;

    Simulation(long seed) {
        random = new SplittableRandom(seed);
        int kind = random.nextInt(3);
        switches = kind == 0 ? 100 : kind == 1 ? 40 : 8;
    }

    /** A source of decisions of the same seed. */
    SplittableRandom random() {
        return random;
    }

    /** Runs a test as the first task; all that it started has to have ended when it ends. */
    void run(Runnable test) {
        Actor first = new Actor("test");
        first.thread = Thread.currentThread();
        actors.add(first);
        current = first;
        try {
            test.run();
        } catch (Broken e) {
            // What broke it is thrown below.
        } catch (RuntimeException | Error e) {
            fail(e);
        }
        String left = actors.stream().filter(actor -> actor != first && !actor.ended).map(actor -> actor.name)
                .collect(Collectors.joining(", "));
        if (failure == null && !left.isEmpty()) {
            fail(new AssertionError("still there at the end: " + left));
        }
        if (failure != null) {
            throw new AssertionError(failure.toString(), failure);
        }
    }

    /** The first failure counts, and ends all. */
    private synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        for (Actor actor : actors) {
            actor.turn.release();
        }
        actors.stream().filter(actor -> actor.monitor != null).forEach(actor -> new Thread(() -> {
            Object monitor = actor.monitor;
            if (monitor != null) {
                synchronized (monitor) {
                    monitor.notifyAll();
                }
            }
        }).start());
    }

    private void requireWhole() {
        if (failure != null) {
            throw new Broken();
        }
    }

    /** A place where another task may go on. Nothing happens in a thread that is no task. */
    void step(String what) {
        Actor me = current;
        if (Thread.currentThread() != me.thread) {
            return;
        }
        note(me, what);
        steps++;
        now += STEP_NANOS;
        if (random.nextInt(100) < switches) {
            passOn(me);
        }
    }

    private void note(Actor who, String what) {
        String line = who.name + ": " + what;
        traceHash = traceHash * 31 + line.hashCode();
        if (trace.size() == TRACED) {
            trace.remove();
        }
        trace.add(line);
    }

    /** The same for two runs that did the same. */
    long traceHash() {
        return traceHash;
    }

    long steps() {
        return steps;
    }

    /** How often another task went on. */
    long turns() {
        return turns;
    }

    String trace() {
        return String.join("\n", trace);
    }

    private void await(String what, BooleanSupplier condition, long until) {
        Actor me = current;
        note(me, "waits for " + what);
        me.ready = condition;
        me.until = until;
        passOn(me);
        me.ready = ALWAYS;
        me.until = Long.MAX_VALUE;
    }

    /** Gives the turn to whom chance says, and waits for the next. */
    private void passOn(Actor me) {
        requireWhole();
        Actor next = choose();
        if (next == me) {
            return;
        }
        resume(next);
        awaitTurn(me);
    }

    private void awaitTurn(Actor me) {
        try {
            if (!me.turn.tryAcquire(HANG_SECONDS, TimeUnit.SECONDS)) {
                fail(new AssertionError("no turn for " + me.name + " in " + HANG_SECONDS + " s; it is that of " + current.name + ", at "
                        + List.of(current.thread.getStackTrace())));
            }
        } catch (InterruptedException e) {
            fail(new AssertionError(me.name + " was interrupted", e));
        }
        requireWhole();
    }

    private void resume(Actor next) {
        turns++;
        Object monitor = next.monitor;
        if (monitor == null) {
            current = next;
            next.turn.release();
            return;
        }
        synchronized (monitor) {
            current = next;
            monitor.notifyAll();
        }
    }

    private Actor choose() {
        List<Actor> able = new ArrayList<>();
        List<Actor> timed = new ArrayList<>();
        for (Actor actor : actors) {
            if (actor.canGoOn()) {
                able.add(actor);
            } else if (!actor.ended && actor.until < Long.MAX_VALUE) {
                timed.add(actor);
            }
        }
        if (!timed.isEmpty() && (able.isEmpty() || random.nextInt(EARLY) == 0)) {
            Actor next = timed.stream().min((one, other) -> Long.compare(one.until, other.until)).orElseThrow();
            now = next.until;
            return next;
        }
        if (able.isEmpty()) {
            fail(new AssertionError("nobody can go on: " + actors.stream().filter(actor -> !actor.ended).map(actor -> actor.name)
                    .collect(Collectors.joining(", "))));
            throw new Broken();
        }
        return able.get(random.nextInt(able.size()));
    }

    @Override
    public Task start(String name, Runnable work) {
        // The folder's name is another one in each run.
        Actor actor = new Actor(name.substring(name.lastIndexOf('-') + 1));
        actor.thread = new Thread(() -> {
            try {
                awaitTurn(actor);
                work.run();
            } catch (Broken e) {
                return;
            } catch (RuntimeException | Error e) {
                fail(e);
            }
            end(actor);
        }, "simulated " + actor.name);
        actor.thread.setDaemon(true);
        actors.add(actor);
        actor.thread.start();
        return actor;
    }

    private void end(Actor actor) {
        if (failure == null) {
            actor.ended = true;
            note(actor, "ended");
            resume(choose());
        }
    }

    @Override
    public long nanoTime() {
        return now;
    }

    @Override
    public void waitOn(Object monitor, long nanos) throws InterruptedException {
        requireWhole();
        Actor me = current;
        note(me, "waits");
        me.ready = () -> false;
        me.until = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : now + nanos;
        me.monitor = monitor;
        Actor next = choose();
        if (next == me) {
            current = me;
        } else {
            resume(next);
        }
        while (current != me && failure == null) {
            monitor.wait();
        }
        me.monitor = null;
        me.ready = ALWAYS;
        me.until = Long.MAX_VALUE;
        requireWhole();
    }

    @Override
    public void wake(Object monitor) {
        for (Actor actor : actors) {
            if (actor.monitor == monitor) {
                actor.ready = ALWAYS;
            }
        }
    }

    @Override
    public <T> T take(BlockingQueue<T> queue) {
        await("work", () -> !queue.isEmpty(), Long.MAX_VALUE);
        return queue.remove();
    }

    @Override
    public <T> T poll(BlockingQueue<T> queue, long nanos) {
        await("work, for a time", () -> !queue.isEmpty(), now + nanos);
        return queue.poll();
    }

    @Override
    public <T> T join(CompletableFuture<T> future) {
        await("an answer", future::isDone, Long.MAX_VALUE);
        return future.join();
    }

    @Override
    public void pause(long nanos) {
        await("a time", () -> false, now + nanos);
    }
}
