package org.alder.partition.jdbm.task;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Each task is a daemon thread, and the operating system decides. Thread safe. */
public final class Threads implements Tasks {
    public static final Threads INSTANCE = new Threads();

    private Threads() {
    }

    @Override
    public Task start(String name, Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread::join;
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public void waitOn(Object monitor, long nanos) throws InterruptedException {
        if (nanos == Long.MAX_VALUE) {
            monitor.wait();
        } else {
            TimeUnit.NANOSECONDS.timedWait(monitor, nanos);
        }
    }

    @Override
    public void wake(Object monitor) {
        monitor.notifyAll();
    }

    @Override
    public <T> T take(BlockingQueue<T> queue) throws InterruptedException {
        return queue.take();
    }

    @Override
    public <T> T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException {
        return queue.poll(nanos, TimeUnit.NANOSECONDS);
    }

    @Override
    public <T> T join(CompletableFuture<T> future) {
        return future.join();
    }

    @Override
    public void pause(long nanos) {
        LockSupport.parkNanos(nanos);
    }
}
