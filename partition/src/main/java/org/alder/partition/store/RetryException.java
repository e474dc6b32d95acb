package org.alder.partition.store;

/**
 * Ends a transaction that whoever has submitted it submits again, or gives up: what it ends with answers nobody. So an engine may complete its future at once, before it
 * is known what becomes of the state that the transaction has seen. It has no stack trace.
 */
public abstract class RetryException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected RetryException(String message) {
        super(message, null, false, false);
    }
}
