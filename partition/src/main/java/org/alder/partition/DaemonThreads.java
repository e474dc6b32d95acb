package org.alder.partition;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Daemon threads that come when there is work, up to a number, and go when there is none. In place of those that {@link java.util.concurrent.CompletableFuture} has by
 * itself: on a machine of one or two processors it begins one for each task, also where it is given the common pool.
 */
public final class DaemonThreads {
    private static final int IDLE_SECONDS = 10;

    /** Of the whole process, for what takes but a moment and waits for nothing. */
    public static final Executor MOMENTS = upTo(Math.max(2, Runtime.getRuntime().availableProcessors()), "moment");

    private DaemonThreads() {
    }

    /** @return thread safe; what cannot run at once waits, in its order */
    public static Executor upTo(int most, String name) {
        ThreadPoolExecutor threads = new ThreadPoolExecutor(most, most, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), work -> {
            Thread thread = new Thread(work, name);
            thread.setDaemon(true);
            return thread;
        });
        threads.allowCoreThreadTimeOut(true);
        return threads;
    }
}
