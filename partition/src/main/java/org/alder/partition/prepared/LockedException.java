package org.alder.partition.prepared;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.store.RetryException;

/** Ends a transaction, from wherever it writes, that needs what another one is about to change: it is to be made anew when that has ended. */
public final class LockedException extends RetryException {
    private static final long serialVersionUID = 1L;

    private final transient CompletableFuture<Void> free;

    /**
     * @param message for whoever has waited for too long
     * @param free    completes when the other one has ended, as far as this process knows; exceptionally where waiting is of no use
     */
    public LockedException(String message, CompletableFuture<Void> free) {
        super(message);
        this.free = free;
    }

    /** Not to be completed by others. */
    public CompletableFuture<Void> free() {
        return free;
    }
}
