package org.alder.partition.commit;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.prepared.TransactionId;

/** What a shard does of a transaction that is coordinated by another one. Thread safe; no method blocks. */
public interface ShardPart {
    /** The number of the shard. */
    int shard();

    /**
     * Has the shard check its part, and keep what it is to do.
     *
     * @return completes when that is durable; else exceptionally with what the part ends with, {@link org.alder.partition.prepared.LockedException} where it
     *     needs what another transaction is about to change, or a {@link org.alder.partition.error.StoreException}
     */
    CompletableFuture<Void> prepare(TransactionId id);

    /**
     * Has the shard do what it has kept, or forget it. It may be called again, and where nothing was kept nothing is done.
     *
     * @return completes when that is durable, and shown; exceptionally with a {@link org.alder.partition.error.StoreException} where it is not, or not
     *     known, and then it is to be called again
     */
    CompletableFuture<Void> end(TransactionId id, boolean isMade);
}
