package org.alder.partition.jdbm.task;

import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that do ahead what somebody will want, for the whole process. They are daemons, and end when there is nothing to do. */
public final class HelperThreads {
    private static final long IDLE_SECONDS = 10;

    private HelperThreads() {
    }

    /** What is given to them while so much waits already is left undone, without a word; with no threads everything is. */
    public static Executor start(String name, int threads, int mostWaiting) {
        if (threads == 0) {
            return work -> { };
        }
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, IDLE_SECONDS, TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(mostWaiting), task -> {
                Thread thread = new Thread(task, name);
                thread.setDaemon(true);
                return thread;
            }, new ThreadPoolExecutor.DiscardPolicy());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }
}
