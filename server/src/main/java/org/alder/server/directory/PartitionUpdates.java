package org.alder.server.directory;

import org.alder.partition.Partition;
import org.alder.partition.update.Updates;

/** A partition with what reads and changes it. Immutable, thread safe. */
record PartitionUpdates(Partition partition, Updates updates) {
    PartitionUpdates(Partition partition) {
        this(partition, new Updates(partition));
    }
}
