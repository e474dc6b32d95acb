package org.alder.partition.store;

/**
 * A thread that many clients wait for, such as an I/O loop: what would have it wait for another machine throws a {@link
 * org.alder.partition.error.MustWaitException} there instead.
 */
public interface NeverWaits {
    /** Whether the current thread is one. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof NeverWaits;
    }
}
