package org.alder.server.resource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Threads that do one kind of work until they are told to end. Thread safe. */
public final class DaemonThreads {
    private static final int STOP_SECONDS = 10;

    private final List<Thread> threads = new ArrayList<>();

    /** Not started yet. @param work returns at the end, and when it is interrupted  @param name before their numbers */
    public DaemonThreads(String name, int count, Runnable work) {
        for (int i = 1; i <= count; i++) {
            Thread thread = new Thread(work, name + i);
            thread.setDaemon(true);
            threads.add(thread);
        }
    }

    public void start() {
        threads.forEach(Thread::start);
    }

    /** Waits until the work has returned, and interrupts what takes too long. */
    public void end() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(STOP_SECONDS);
        try {
            for (Thread thread : threads) {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        threads.forEach(Thread::interrupt);
    }
}
