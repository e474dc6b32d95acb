package org.alder.partition;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.rule.UniqueValue;

/** Whoever writes the shards of a naming context, where these may be other processes. Thread safe; no method blocks. */
public interface ShardWriters extends PeerShards {
    /**
     * Asks about values that another shard is about to write, and has {@linkplain Partition#claim claimed}: what is free in the answer stays free until that
     * one has ended, as whoever comes to write it asks in turn.
     *
     * @param shards that are asked
     * @return for each value, in their order, the use that counts of what the shards say; perhaps on a thread that others wait for. Completes exceptionally
     *     where one of them has nobody who can be asked now: it is to be asked again
     */
    CompletableFuture<List<UniqueValue.Use>> uses(List<Partition> shards, List<UniqueValue> values);

    /**
     * What became of a part of a transaction.
     *
     * @param sequence of the shard: what it was held against is shown there
     * @param refusal  why nothing was kept; null where the part is kept, and durable
     */
    record Prepared(long sequence, Exception refusal) {
    }

    /**
     * Has whoever writes a shard check a part of a transaction, and keep what it is to do, until {@link #end} is called.
     *
     * @param work what it is, in bytes that whoever writes the shard understands
     * @return completes exceptionally with a {@link org.alder.partition.error.StoreException} where it is not known whether it is kept, of kind NOT_LEADER where it
     *     is not
     */
    CompletableFuture<Prepared> prepare(int shard, TransactionId id, byte[] work);

    /**
     * Has whoever writes a shard make changes of a followed server there.
     *
     * @param work a {@link org.alder.partition.update.copy.CopiedBatch}
     * @return completes when they are durable, and shown here, with what came of them; exceptionally with a {@link org.alder.partition.error.DirectoryException},
     *     and then nothing was changed, or with a {@link org.alder.partition.error.StoreException}
     */
    CompletableFuture<byte[]> copy(int shard, byte[] work);
}
