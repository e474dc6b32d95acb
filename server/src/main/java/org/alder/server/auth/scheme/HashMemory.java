package org.alder.server.auth.scheme;

import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;

/**
 * The part of the heap that all hashing together may take: who needs more than is left waits for those who have it. Thread safe.
 */
final class HashMemory {
    private static final int HEAP_SHARE = 4;
    private static final int MOST_KIBIBYTES =
            (int) Math.min(Integer.MAX_VALUE, Runtime.getRuntime().maxMemory() / HEAP_SHARE / 1024);
    private static final Semaphore LEFT = new Semaphore(MOST_KIBIBYTES, true);

    private HashMemory() {
    }

    static int mostKibibytes() {
        return MOST_KIBIBYTES;
    }

    /** @param kibibytes at most {@link #mostKibibytes} */
    static boolean with(long kibibytes, BooleanSupplier work) {
        int needed = Math.toIntExact(kibibytes);
        LEFT.acquireUninterruptibly(needed);
        try {
            return work.getAsBoolean();
        } finally {
            LEFT.release(needed);
        }
    }
}
