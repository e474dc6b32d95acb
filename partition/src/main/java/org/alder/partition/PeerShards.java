package org.alder.partition;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.prepared.TransactionId;

/** The way to shards that may be another process's. Thread safe; no method blocks. */
public interface PeerShards {
    /** What became of a transaction. */
    enum Verdict {
        /** Its decision is in the coordinator's log. */
        MADE,
        /** It is not, and never will be. */
        NOT_MADE,
        /** It may be in a moment. */
        OPEN
    }

    /**
     * Asks whoever writes the coordinator's shard.
     *
     * @return completes exceptionally where nobody can be asked now
     */
    CompletableFuture<Verdict> verdict(TransactionId id);

    /**
     * Has whoever writes a shard do what it has kept, or forget it. It may be called again, and where nothing was kept nothing is done.
     *
     * @return completes when that is durable, and shown here; exceptionally where it is not, or not known, and then it is to be called again
     */
    CompletableFuture<Void> end(int shard, TransactionId id, boolean isMade);
}
