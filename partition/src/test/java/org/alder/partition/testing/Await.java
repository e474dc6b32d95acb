package org.alder.partition.testing;

import static org.junit.Assert.fail;

import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Waits for what another thread or process does. Each wait has a limit, far beyond what a busy machine needs, and a test that
 * reaches it fails with what it waited for.
 */
public final class Await {
    /**
     * A thread for each task, for {@link CompletableFuture#runAsync}. What waits for others must not run in the common pool: it has a
     * single thread on a machine of two processors, from Java 25 on also for a CompletableFuture.
     */
    public static final Executor THREADS = task -> {
        Thread thread = new Thread(task, "test-beside");
        thread.setDaemon(true);
        thread.start();
    };
    /** The limit. Clients that have a limit of their own for an answer take the same. */
    public static final int SECONDS = 300;
    /** The same, for tests of what would take hours if it were wrong. */
    public static final int MILLIS = SECONDS * 1000;
    private static final long PAUSE_MILLIS = 1;

    private Await() {
    }

    /** Waits until the condition holds. */
    public static void until(String what, Callable<Boolean> condition) throws Exception {
        value(what, condition, held -> held);
    }

    /** Waits until the source gives what is expected, and returns it. */
    public static <T> T value(String what, Callable<T> source, Predicate<T> expected) throws Exception {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        T found = source.call();
        while (!expected.test(found)) {
            if (System.nanoTime() - end > 0) {
                fail("waited " + SECONDS + " s for " + what + ", found " + found);
            }
            Thread.sleep(PAUSE_MILLIS);
            found = source.call();
        }
        return found;
    }

    /** What the work gives when it is done. What it throws is the cause of an ExecutionException. */
    public static <T> T result(String what, Future<T> work) throws InterruptedException, ExecutionException {
        try {
            return work.get(SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException e) {
            throw new AssertionError("waited " + SECONDS + " s for " + what, e);
        }
    }

    /** The next thing in the queue. */
    public static <T> T next(String what, BlockingQueue<T> queue) throws InterruptedException {
        T next = queue.poll(SECONDS, TimeUnit.SECONDS);
        if (next == null) {
            fail("waited " + SECONDS + " s for " + what);
        }
        return next;
    }

    public static void latch(String what, CountDownLatch latch) throws InterruptedException {
        if (!latch.await(SECONDS, TimeUnit.SECONDS)) {
            fail("waited " + SECONDS + " s for " + what);
        }
    }

    public static void end(Thread... threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(SECONDS));
            if (thread.isAlive()) {
                fail("waited " + SECONDS + " s for the end of " + thread.getName() + ", which is at\n  "
                        + Arrays.stream(thread.getStackTrace()).map(Object::toString).collect(Collectors.joining("\n  ")));
            }
        }
    }

    /** Waits until the process ends, and returns its status. A process that does not end is killed. */
    public static int end(String what, Process process) throws InterruptedException {
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            fail("waited " + SECONDS + " s for the end of " + what);
        }
        return process.exitValue();
    }
}
