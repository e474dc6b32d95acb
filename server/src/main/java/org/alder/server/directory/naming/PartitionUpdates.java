package org.alder.server.directory.naming;

import org.alder.partition.Partition;
import org.alder.partition.update.Updates;

/** A partition with what reads and changes it. Immutable, thread safe. */
public record PartitionUpdates(Partition partition, Updates updates) {
    public PartitionUpdates(Partition partition) {
        this(partition, new Updates(partition));
    }
}
