package org.alder.partition.prepared;

import java.util.UUID;

/**
 * Names a transaction of several shards, and each attempt to make it. Immutable.
 *
 * @param uuid        another one for each
 * @param coordinator the number of the shard whose log has the decision
 */
public record TransactionId(UUID uuid, int coordinator) {
    @Override
    public String toString() {
        return uuid + " of shard " + coordinator;
    }
}
