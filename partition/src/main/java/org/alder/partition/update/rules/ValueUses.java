package org.alder.partition.update.rules;

import java.util.ArrayList;
import java.util.List;
import org.alder.partition.LedEpoch;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.rule.UniqueValue;
import org.alder.partition.rule.UniqueValue.Use;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/** What a shard that this process writes says of values that another one is about to write ({@link org.alder.partition.ShardWriters}). Stateless. */
public final class ValueUses {
    private ValueUses() {
    }

    /**
     * Looks them up; reads indexes, and those entries that a rule may not mean.
     *
     * @return for each, in their order
     * @throws StoreException of kind NOT_LEADER where it is not certain that this process alone writes the shard, and has done so all the time; IO where it has no
     *     index of a type, as it does not go by the rule yet
     */
    public static List<Use> of(Partition shard, List<UniqueValue> values) {
        LedEpoch epoch = LedEpoch.of(shard);
        epoch.requireCertain();
        // Before they are looked up: what was claimed, and is not any more, is there.
        List<Boolean> claimed = values.stream().map(shard::isClaimed).toList();
        List<Use> uses = new ArrayList<>(values.size());
        UniqueValues holders = new UniqueValues(shard, List.of());
        UniqueValues.Work work = new UniqueValues.Work();
        try (Snapshot now = shard.snapshot()) {
            for (UniqueValue each : values) {
                Use found = use(shard, holders, now, each, work);
                uses.add(found == Use.FREE && claimed.get(uses.size()) ? Use.CLAIMED : found);
            }
        }
        epoch.requireCertain();
        return uses;
    }

    private static Use use(Partition shard, UniqueValues holders, Snapshot now, UniqueValue value, UniqueValues.Work work) {
        if (shard.indexer().index(value.type()) == null) {
            throw new StoreException(StoreException.Kind.IO, shard.label() + " has no index of " + value.type().name() + " yet");
        }
        work.goOn(value.movingBytes());
        try {
            return holders.holder(value.rule(), shard, now, HierarchyKeys.NO_PARENT, value.type(), value.formBytes(), work) == HierarchyKeys.NO_PARENT
                    ? Use.FREE : Use.HELD;
        } catch (DirectoryException e) {
            return Use.UNCLEAR;
        }
    }
}
