package org.alder.partition.commit;

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

    /** Has whoever writes a shard do what it has kept, or forget it: {@link ShardPart#end}. */
    CompletableFuture<Void> end(int shard, TransactionId id, boolean isMade);
}
