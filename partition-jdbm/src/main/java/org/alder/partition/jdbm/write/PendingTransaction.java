package org.alder.partition.jdbm.write;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.RetryException;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/** A transaction with its outcome, which is only told when its group is durable. */
class PendingTransaction<T> implements WriterQueue.Queued {
    private final Transaction<T> transaction;
    private final CompletableFuture<T> future = new CompletableFuture<>();
    private T result;
    private Throwable failure;

    PendingTransaction(Transaction<T> transaction) {
        this.transaction = transaction;
    }

    CompletableFuture<T> future() {
        return future;
    }

    /** For the log. */
    String what() {
        return transaction.what();
    }

    boolean isSynced() {
        return transaction.isSynced();
    }

    boolean isLong() {
        return transaction.isLong();
    }

    void run(WriteContext context) throws DirectoryException {
        result = transaction.run(context);
    }

    /**
     * None of its writes happen; it does not matter to it what becomes of the group, but its answer may rest on what the group
     * wrote.
     */
    void failAlone(Throwable cause) {
        failure = cause;
    }

    /** It is made again by whoever submitted it, who need not wait for the group. */
    void leave(RetryException cause) {
        future.completeExceptionally(cause);
    }

    /** The group is durable. */
    void complete() {
        if (failure == null) {
            future.complete(result);
        } else {
            future.completeExceptionally(failure);
        }
    }

    /** The group is not durable. One that was refused was so for a state that may never be: that is no answer, but that nothing was done holds. */
    @Override
    public void fail(Throwable cause) {
        boolean isUnknown = cause instanceof StoreException store && store.kind() == StoreException.Kind.OUTCOME_UNKNOWN;
        future.completeExceptionally(failure == null || !isUnknown ? cause : new StoreException(StoreException.Kind.READ_ONLY,
                "nothing was done: the update was refused, but for others that came just before it, of which nobody knows yet whether they were made; "
                        + "try again", cause));
    }
}
