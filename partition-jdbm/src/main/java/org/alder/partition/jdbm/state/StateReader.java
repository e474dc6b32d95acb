package org.alder.partition.jdbm.state;

/** Reads a state whose layers are kept for it until it is closed, or they are taken back. Thread safe. */
interface StateReader {
    long sequence();

    /** For comparison with {@link System#nanoTime()}. */
    long openedNanos();

    /** Takes the layers back: from now on it refers to none, and whoever reads fails with SNAPSHOT_EXPIRED. @param why for him */
    void expire(String why);
}
