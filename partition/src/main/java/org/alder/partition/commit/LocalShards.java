package org.alder.partition.commit;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.PeerShards;
import org.alder.partition.ShardGroup;
import org.alder.partition.prepared.Decision;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.store.Transaction;

/** The shards that this process writes. */
public final class LocalShards implements PeerShards {
    private final List<Partition> shards;

    /** @param shards all of a naming context, in their order */
    public LocalShards(List<Partition> shards) {
        this.shards = List.copyOf(shards);
    }

    /** Asked in a transaction, which only whoever writes the log can answer. */
    @Override
    public CompletableFuture<Verdict> verdict(TransactionId id) {
        Partition coordinator = shards.get(id.coordinator());
        ShardGroup group = coordinator.shards();
        // Before it is looked up: what has ended here since then has its decision there.
        boolean isActive = group.isActive(id.uuid());
        Transaction<Boolean> look = context -> context.state().systemRecords().get(Decision.key(id.uuid())) != null;
        return coordinator.submitPart(id.uuid(), look.called(false, () -> "a look for " + id))
                .thenApply(isDecided -> isDecided ? Verdict.MADE : isActive ? Verdict.OPEN : Verdict.NOT_MADE);
    }

    @Override
    public CompletableFuture<Void> end(int shard, TransactionId id, boolean isMade) {
        return LocalPart.end(shards.get(shard), id, isMade);
    }
}
