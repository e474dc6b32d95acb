package org.alder.server.protocol;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;

/** Whether a request is to end before its operation is done, how that is done, and who is told. Thread safe. */
final class Stopping {
    private final AtomicReference<Cancellation> cancellation = new AtomicReference<>();
    private volatile Runnable action;
    private volatile boolean isAsked;

    /**
     * Somebody does not want the operation to go on.
     *
     * @param result what its client gets then
     * @param told what came of it: success, or that the operation had ended
     */
    record Cancellation(LdapResult result, Consumer<LdapResult> told) {
    }

    /** @param stops run at once where it has been asked for already */
    void onStop(Runnable stops) {
        action = stops;
        if (isAsked) {
            stops.run();
        }
    }

    boolean isAsked() {
        return isAsked;
    }

    void ask() {
        isAsked = true;
        Runnable stops = action;
        if (stops != null) {
            stops.run();
        }
    }

    /** Returns false if it is being cancelled already. */
    boolean cancel(Cancellation by) {
        if (!cancellation.compareAndSet(null, by)) {
            return false;
        }
        ask();
        return true;
    }

    /** Null if nobody cancels it. */
    Cancellation cancellation() {
        return cancellation.get();
    }

    /** Who cancels it is told so, and need not be told that it has ended. */
    void carriedOut() {
        cancellation.set(null);
    }
}
