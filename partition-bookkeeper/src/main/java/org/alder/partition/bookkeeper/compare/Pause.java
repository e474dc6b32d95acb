package org.alder.partition.bookkeeper.compare;

/** Waits, unless it is over. Threads that read a store are not interrupted: that would close the files they read. */
@FunctionalInterface
interface Pause {
    /** @throws InterruptedException where there is nothing more to be done */
    void forMillis(long millis) throws InterruptedException;
}
