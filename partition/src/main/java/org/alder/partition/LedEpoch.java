package org.alder.partition;

import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;

/**
 * Under which this process writes a shard, as far as it knew at a moment: what it has found out since counts as long as no other process can have written it in between.
 * Immutable.
 *
 * @param number 0 where no other process ever writes it
 */
public record LedEpoch(Partition shard, long number) {
    /** That of now. */
    public static LedEpoch of(Partition shard) {
        Replica replica = shard.store().replica();
        return new LedEpoch(shard, replica == null ? 0 : replica.epoch());
    }

    /** @throws StoreException of kind NOT_LEADER where it is not certain that this process alone writes the shard, and has done so since */
    public void requireCertain() {
        Replica replica = shard.store().replica();
        if (replica != null && (replica.certainSequence() < 0 || replica.epoch() != number)) {
            throw new StoreException(StoreException.Kind.NOT_LEADER, "it is not certain that this member leads " + shard.label());
        }
    }
}
