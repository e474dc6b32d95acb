package org.alder.partition;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.rule.UniqueValue;

/** Whoever writes the shards of a naming context, where these may be other processes. Thread safe; no method blocks. */
public interface ShardWriters {
    /**
     * Asks about values that another shard is about to write, and has {@linkplain Partition#claim claimed}: what is free in the answer stays free until that
     * one has ended, as whoever comes to write it asks in turn.
     *
     * @param shards that are asked
     * @return for each value, in their order, the use that counts of what the shards say; perhaps on a thread that others wait for. Completes exceptionally
     *     where one of them has nobody who can be asked now: it is to be asked again
     */
    CompletableFuture<List<UniqueValue.Use>> uses(List<Partition> shards, List<UniqueValue> values);
}
