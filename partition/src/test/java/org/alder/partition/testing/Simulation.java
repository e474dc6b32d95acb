package org.alder.partition.testing;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * Tasks of which one goes on at a time, until it waits, ends or comes to a {@link #step}; then a seed says which one does next.
 * Each has a thread of its own, which waits for its turn, so that code runs in it as it is. The clock is made too: it goes on a
 * little with each step, and to the next time that somebody waits for where nobody can go on; now and then it does that early.
 * Where nobody can go on and nobody waits for a time, that is a deadlock, and fails.
 */
public final class Simulation {
    private static final ExecutorService THREADS = Executors.newCachedThreadPool(work -> {
        Thread thread = new Thread(work, "simulated");
        thread.setDaemon(true);
        return thread;
    });
    private static final long HANG_SECONDS = 300;
    private static final long STEP_NANOS = 1000;
    private static final int OF = 1000;
    private static final int EARLY = 50;
    private static final int TRACED = 2000;
    private static final BooleanSupplier ALWAYS = () -> true;
    private static final BooleanSupplier NEVER = () -> false;

    private final SplittableRandom random;
    /** Of a thousand steps, at how many the turn passes on. */
    private final int switches;
    private final List<Actor> actors = new ArrayList<>();
    private final Actor[] tracedActors = new Actor[TRACED];
    private final String[] tracedSteps = new String[TRACED];
    private long traced;
    private long traceHash;
    private long steps;
    private long turns;
    private long now = 1;
    /** Goes on when nobody else can, or null. */
    private Actor last;
    private long quietUntil;
    private volatile Actor current;
    private volatile Throwable failure;

    /** One task. */
    public final class Actor {
        private final String name;
        private final int number = actors.size();
        private Runnable work;
        private volatile Thread thread;
        private BooleanSupplier ready = ALWAYS;
        /** When it goes on in any case. */
        private long until = Long.MAX_VALUE;
        /** What it waits on, with the thing itself; null for its turn alone. */
        private Object monitor;
        private boolean ended;

        private Actor(String name) {
            this.name = name;
        }

        private boolean canGoOn() {
            return !ended && this != last && (now >= until || ready.getAsBoolean());
        }

        public boolean hasEnded() {
            return ended;
        }

        /** Waits until it has ended. */
        public void join() {
            await("the end of a task", () -> ended, Long.MAX_VALUE);
        }

        private void main() {
            thread = Thread.currentThread();
            try {
                requireWhole();
                work.run();
            } catch (Broken e) {
                return;
            } catch (RuntimeException | Error e) {
                fail(e);
            }
            end(this);
        }
    }

    /** Ends a task of a simulation that has failed. */
    private static final class Broken extends Error {
        private static final long serialVersionUID = 1L;
    }

    /** @param switches of a thousand steps, at how many the turn passes on, in one run and another */
    public Simulation(long seed, int... switches) {
        random = new SplittableRandom(seed);
        this.switches = switches[random.nextInt(switches.length)];
    }

    /** A source of decisions of the same seed. */
    public SplittableRandom random() {
        return random;
    }

    /** Runs a test as the first task; all that it started has to have ended when it ends. */
    public void run(Runnable test) {
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
        String left = names(first);
        if (failure == null && !left.isEmpty()) {
            fail(new AssertionError("still there at the end: " + left));
        }
        if (failure != null) {
            throw new AssertionError(failure.toString(), failure);
        }
        first.ended = true;
    }

    private String names(Actor without) {
        return actors.stream().filter(actor -> actor != without && !actor.ended).map(actor -> actor.name).collect(Collectors.joining(", "));
    }

    /** Ends all, at once or at their next steps. The first failure counts. */
    public synchronized void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        for (Actor actor : actors) {
            LockSupport.unpark(actor.thread);
            Object monitor = actor.monitor;
            if (monitor != null) {
                THREADS.execute(() -> {
                    synchronized (monitor) {
                        monitor.notifyAll();
                    }
                });
            }
        }
    }

    private void requireWhole() {
        if (failure != null) {
            throw new Broken();
        }
    }

    /** Whether the caller is a task of this. */
    public boolean isTask() {
        Actor me = current;
        return me != null && !me.ended && Thread.currentThread() == me.thread;
    }

    /** Whose turn it is. */
    public Actor current() {
        return current;
    }

    /** A place where another task may go on. Nothing happens in a thread that is no task. */
    public void step(String what) {
        if (!isTask()) {
            return;
        }
        Actor me = current;
        note(me, what);
        now += STEP_NANOS;
        if (random.nextInt(OF) < switches) {
            passOn(me);
        }
    }

    /** Writes down what the task does that has the turn. */
    public void note(String what) {
        note(current, what);
    }

    private void note(Actor who, String what) {
        int place = (int) (traced++ % TRACED);
        tracedActors[place] = who;
        tracedSteps[place] = what;
        traceHash = traceHash * 31 + what.hashCode() + who.number;
        steps++;
    }

    /** The same for two runs that did the same. */
    public long traceHash() {
        return traceHash;
    }

    public long steps() {
        return steps;
    }

    /** How often another task went on. */
    public long turns() {
        return turns;
    }

    /** What was done last, a line for each step. */
    public String trace() {
        StringBuilder text = new StringBuilder();
        for (long i = Math.max(0, traced - TRACED); i < traced; i++) {
            int place = (int) (i % TRACED);
            text.append(tracedActors[place].name).append(": ").append(tracedSteps[place]).append('\n');
        }
        return text.toString();
    }

    /** In nanoseconds, from the beginning of the run. */
    public long now() {
        return now;
    }

    /**
     * Waits until a condition holds, which only tasks change, or a time is over.
     *
     * @param nanos {@link Long#MAX_VALUE} to wait for ever
     */
    public void await(String what, BooleanSupplier condition, long nanos) {
        Actor me = current;
        note(me, what);
        me.ready = condition;
        me.until = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : now + nanos;
        passOn(me);
        me.ready = ALWAYS;
        me.until = Long.MAX_VALUE;
    }

    /** Does nothing for that time. */
    public void pause(long nanos) {
        await("a pause", NEVER, nanos);
    }

    /** Waits until nobody can go on any more, nor will within a time. One task at a time. */
    public void awaitQuiet(long nanos) {
        Actor me = current;
        note(me, "until all is quiet");
        last = me;
        quietUntil = now + nanos;
        passOn(me);
        last = null;
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
        long since = 0;
        while (current != me && failure == null) {
            LockSupport.parkNanos(this, TimeUnit.SECONDS.toNanos(1));
            if (current != me && since == 0) {
                since = System.nanoTime();
            } else if (current != me && System.nanoTime() - since > TimeUnit.SECONDS.toNanos(HANG_SECONDS)) {
                Thread running = current.thread;
                fail(new AssertionError("no turn for " + me.name + " in " + HANG_SECONDS + " s; it is that of " + current.name + ", at "
                        + (running == null ? "its beginning" : List.of(running.getStackTrace()).toString())));
            }
        }
        requireWhole();
    }

    private void resume(Actor next) {
        turns++;
        Object monitor = next.monitor;
        if (monitor != null) {
            synchronized (monitor) {
                current = next;
                monitor.notifyAll();
            }
            return;
        }
        Thread thread = next.thread;
        current = next;
        if (thread == null) {
            THREADS.execute(next::main);
        } else {
            LockSupport.unpark(thread);
        }
    }

    private Actor choose() {
        int able = 0;
        Actor soonest = null;
        Actor chosen = null;
        for (Actor actor : actors) {
            if (actor.canGoOn()) {
                able++;
                // Each of those that can gets the same chance.
                chosen = able == 1 || random.nextInt(able) == 0 ? actor : chosen;
            } else if (!actor.ended && actor.until < (soonest == null ? Long.MAX_VALUE : soonest.until)) {
                soonest = actor;
            }
        }
        if (able == 0 && last != null && (soonest == null || soonest.until > quietUntil)) {
            return last;
        }
        if (soonest != null && (able == 0 || random.nextInt(EARLY) == 0)) {
            now = soonest.until;
            return soonest;
        }
        if (able == 0) {
            fail(new AssertionError("nobody can go on: " + names(null)));
            throw new Broken();
        }
        return chosen;
    }

    /** Starts work in a task of its own. */
    public Actor start(String name, Runnable work) {
        Actor actor = new Actor(name);
        actor.work = work;
        actors.add(actor);
        return actor;
    }

    private void end(Actor actor) {
        if (failure == null) {
            actor.ended = true;
            note(actor, "ends");
            try {
                resume(choose());
            } catch (Broken e) {
                // All have been told.
            }
        }
    }

    /**
     * Waits until the monitor, which the caller holds and which is free meanwhile, is woken, or the time is over.
     *
     * @param nanos {@link Long#MAX_VALUE} to wait for ever
     */
    public void waitOn(Object monitor, long nanos) throws InterruptedException {
        requireWhole();
        Actor me = current;
        note(me, "waits on a monitor");
        me.ready = NEVER;
        me.until = nanos == Long.MAX_VALUE ? Long.MAX_VALUE : now + nanos;
        me.monitor = monitor;
        Actor next = choose();
        if (next != me) {
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

    /** Lets all go on who wait on the monitor, which the caller holds. */
    public void wake(Object monitor) {
        for (Actor actor : actors) {
            if (actor.monitor == monitor) {
                actor.ready = ALWAYS;
            }
        }
    }
}
