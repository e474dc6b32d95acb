package org.alder.partition.jdbm.task;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;

/**
 * Where the work that a store does by itself runs, and everything that it waits by: the seam under which a test decides who goes on
 * when. In production {@link Threads}, where each method is the one call it stands for. Thread safe.
 */
public interface Tasks extends Clock {
    /** Work that was started. */
    interface Task {
        /** Waits until it has ended. */
        void join() throws InterruptedException;
    }

    /** Starts work that does not keep the process from ending. */
    Task start(String name, Runnable work);

    /** The next element, when there is one. */
    <T> T take(BlockingQueue<T> queue) throws InterruptedException;

    /** The next element; null if there is none in that time. */
    <T> T poll(BlockingQueue<T> queue, long nanos) throws InterruptedException;

    /** What {@link CompletableFuture#join} gives or throws. */
    <T> T join(CompletableFuture<T> future);

    /** Does nothing for that time, about. */
    void pause(long nanos);
}
