package org.alder.partition.store;

import org.alder.partition.error.MustWaitException;

/**
 * A thread that many clients wait for, such as an I/O loop: what would have it wait for another machine throws a {@link
 * MustWaitException} there instead.
 */
public interface NeverWaits {
    /** Whether the current thread is one. */
    static boolean isCurrent() {
        return Thread.currentThread() instanceof NeverWaits;
    }

    /** Before another machine is waited for. @throws MustWaitException where the current thread is one, saying what it would wait for */
    static void requireOther(String what) {
        if (isCurrent()) {
            throw new MustWaitException(what + ", for which this thread does not wait");
        }
    }
}
