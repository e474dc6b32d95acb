package org.alder.partition.bookkeeper.zookeeper;

import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.metrics.Counter;
import org.apache.zookeeper.metrics.MetricsContext;
import org.apache.zookeeper.metrics.impl.NullMetricsProvider;

/**
 * How often ZooKeeper servers in this process could not write their files. ZooKeeper tells that by a counter among its metrics, the others of which are not kept: it makes
 * this by its name. It counts on the thread that could not write, and waits for the end of that before the server joins the others again, with what it has in memory.
 * So that thread is held here until somebody ends the server. Thread safe.
 */
public final class ServerFailures extends NullMetricsProvider {
    private static final String NAME = "unrecoverable_error_count";
    /** Nobody ends the server. */
    private static final long MOST_HELD_MILLIS = 10_000;
    /** From the call that ends a server until that does not look for the others any more, which it says first of all. */
    private static final long ENDING_MILLIS = 100;

    private static final Set<Runnable> WATCHERS = new CopyOnWriteArraySet<>();
    private static final Object LOCK = new Object();
    /** Guarded by the lock. */
    private static long failures;
    /** How often a server was ended; guarded by the lock. */
    private static long endings;

    private static final Counter COUNTER = new Counter() {
        @Override
        public void add(long more) {
            failed(more);
        }

        @Override
        public long get() {
            return count();
        }
    };

    private static final MetricsContext CONTEXT = (MetricsContext) Proxy.newProxyInstance(ServerFailures.class.getClassLoader(), new Class<?>[] {MetricsContext.class},
            (self, method, arguments) -> method.getName().equals("getCounter") && arguments[0].equals(NAME) ? COUNTER
                    : method.invoke(NullMetricsContext.INSTANCE, arguments));

    @Override
    public MetricsContext getRootContext() {
        return CONTEXT;
    }

    static long count() {
        synchronized (LOCK) {
            return failures;
        }
    }

    /** @param watcher told of each, on a thread that it must not hold; it calls {@link #end} then */
    static void watch(Runnable watcher) {
        WATCHERS.add(watcher);
    }

    static void unwatch(Runnable watcher) {
        WATCHERS.remove(watcher);
    }

    /** Ends a server, whether it has failed or not. */
    static void end(EmbeddedZooKeeper server) {
        synchronized (LOCK) {
            endings++;
            LOCK.notifyAll();
        }
        server.close();
    }

    private static void failed(long more) {
        long before;
        synchronized (LOCK) {
            failures += more;
            before = endings;
        }
        if (WATCHERS.isEmpty()) {
            return;
        }
        WATCHERS.forEach(Runnable::run);
        try {
            awaitEnding(before);
            Thread.sleep(ENDING_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void awaitEnding(long before) throws InterruptedException {
        long beganNanos = System.nanoTime();
        synchronized (LOCK) {
            long leftMillis = MOST_HELD_MILLIS;
            while (endings == before && leftMillis > 0) {
                LOCK.wait(leftMillis);
                leftMillis = MOST_HELD_MILLIS - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos);
            }
        }
    }
}
