package org.alder.server.directory;

import org.alder.partition.Partition;
import org.alder.partition.update.OperationalAttributes;
import org.alder.partition.update.Updates;

/** A partition with what reads and changes it. Immutable, thread safe. */
record PartitionUpdates(Partition partition, Updates updates, OperationalAttributes operationalAttributes) {
    PartitionUpdates(Partition partition) {
        this(partition, new Updates(partition), new OperationalAttributes(partition.schema()));
    }
}
