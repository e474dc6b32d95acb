package org.alder.partition.error;

/**
 * What was to be looked up another machine has, and this is a thread that waits for none ({@link org.alder.partition.store.NeverWaits}). Nothing was done: whoever
 * began it there does it again on a thread that may wait.
 */
public final class MustWaitException extends StoreException {
    private static final long serialVersionUID = 1L;

    public MustWaitException(String message) {
        super(Kind.CLOSED, message);
    }
}
