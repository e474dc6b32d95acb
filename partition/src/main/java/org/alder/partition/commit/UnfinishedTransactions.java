package org.alder.partition.commit;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.alder.partition.Partition;
import org.alder.partition.error.StoreException;
import org.alder.partition.prepared.Decision;
import org.alder.partition.prepared.PreparedTransaction;
import org.alder.partition.store.SystemRecords;

/** What stores have of transactions of several shards whose end is not in them. Stateless. */
public final class UnfinishedTransactions {
    private UnfinishedTransactions() {
    }

    /**
     * Looks at all of them, so that none turns out to be of no use when somebody waits for it.
     *
     * @param shards all of a naming context, in their order
     * @throws StoreException of kind CORRUPT where one cannot be read, or is that of a shard which does not exist
     */
    public static void check(List<Partition> shards) {
        for (Partition each : shards) {
            SystemRecords records = each.store().systemRecords();
            PreparedTransaction.forEach(records, (id, prepared) -> requireShard(each, shards, PreparedTransaction.key(id.uuid()), id.coordinator()));
            Decision.forEach(records, decision -> decision.shards().forEach(shard -> requireShard(each, shards, Decision.key(decision.id().uuid()), shard)));
        }
    }

    private static void requireShard(Partition partition, List<Partition> shards, String key, int shard) {
        if (shard >= shards.size()) {
            throw new StoreException(StoreException.Kind.CORRUPT, "the system record " + key + " of " + partition.label() + " names shard " + shard
                    + ", expected one below " + shards.size());
        }
    }

    /** Which transaction is made in one of these and not in another one yet; null for none. */
    public static String madeInPart(List<Partition> partitions) {
        Set<UUID> decided = new HashSet<>();
        partitions.forEach(each -> Decision.forEach(each.store().systemRecords(), decision -> decided.add(decision.id().uuid())));
        List<String> found = new ArrayList<>();
        for (Partition each : partitions) {
            PreparedTransaction.forEach(each.store().systemRecords(), (id, prepared) -> {
                if (decided.contains(id.uuid())) {
                    found.add(prepared.what() + " is made, but not in " + each.label() + " yet");
                }
            });
        }
        return found.isEmpty() ? null : found.get(0);
    }

    /**
     * How many a store has prepared that are not ended.
     *
     * @throws StoreException of kind CORRUPT where one of them, or of the decisions, cannot be read
     */
    public static int prepared(SystemRecords records) {
        int[] prepared = {0};
        PreparedTransaction.forEach(records, (id, each) -> prepared[0]++);
        Decision.forEach(records, decision -> { });
        return prepared[0];
    }
}
