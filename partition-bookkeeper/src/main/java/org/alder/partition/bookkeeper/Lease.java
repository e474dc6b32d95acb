package org.alder.partition.bookkeeper;

/** Whether a leader still is one. Any thread. */
public interface Lease {
    /** Whether nobody else can have been elected yet, as far as the monotonic clock tells: strong reads may be answered. */
    boolean isHeld();

    /** Whether the lease is known to be over. It never comes back. */
    boolean isLost();
}
