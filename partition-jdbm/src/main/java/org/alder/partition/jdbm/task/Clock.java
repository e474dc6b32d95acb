package org.alder.partition.jdbm.task;

/** Time, and waiting for it or for somebody, as a test can make it. Thread safe. */
public interface Clock {
    /** For comparison with other values of the same clock. */
    long nanoTime();

    /**
     * Waits until the monitor, which the caller holds and which is free meanwhile, is woken, or the time is over.
     *
     * @param nanos {@link Long#MAX_VALUE} to wait for ever
     */
    void waitOn(Object monitor, long nanos) throws InterruptedException;

    /** Lets all go on who wait on the monitor, which the caller holds. */
    void wake(Object monitor);
}
