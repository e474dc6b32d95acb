package org.alder.server.directory.local;

import org.alder.partition.Partition;
import org.alder.partition.commit.ShardPart;
import org.alder.server.directory.UpdateTransaction;

/** What whoever leads a shard does of a transaction. Thread safe. */
public interface LedPart extends UpdateTransaction.Part, ShardPart {
    /** The shard. */
    Partition partition();
}
