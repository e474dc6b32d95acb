package org.alder.partition.commit;

import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.prepared.PreparedTransaction;
import org.alder.partition.prepared.PreparingWrites;
import org.alder.partition.prepared.TransactionId;
import org.alder.partition.store.Transaction;
import org.alder.partition.store.WriteContext;

/** The part of a shard that this process writes. */
public final class LocalPart implements ShardPart {
    /** What changes so many entries may take long. */
    private static final int MANY = 100;

    private final Partition shard;
    private final Transaction<?> work;
    /** Of the last run. */
    private volatile PreparingWrites prepared;

    /** @param work checks and makes the part, as if it came alone */
    public LocalPart(Partition shard, Transaction<?> work) {
        this.shard = shard;
        this.work = work;
    }

    @Override
    public int shard() {
        return shard.shard().number();
    }

    @Override
    public CompletableFuture<Void> prepare(TransactionId id) {
        Transaction<Void> preparing = context -> {
            PreparingWrites writes = new PreparingWrites(id, context);
            work.run(writes);
            writes.keep(work.what(), shard.touched());
            prepared = writes;
            return null;
        };
        return shard.submitPart(id.uuid(), new Synced<>(preparing.called(work.isLong(), () -> "a part of " + work.what())));
    }

    @Override
    public CompletableFuture<Void> end(TransactionId id, boolean isMade) {
        return end(shard, id, isMade, prepared);
    }

    /** Does what a shard has kept, or forgets it, as {@link ShardPart#end}. */
    public static CompletableFuture<Void> end(Partition shard, TransactionId id, boolean isMade) {
        return end(shard, id, isMade, null);
    }

    /** @param seen knows who wants to see what is made; null for nobody */
    private static CompletableFuture<Void> end(Partition shard, TransactionId id, boolean isMade, PreparingWrites seen) {
        PreparedTransaction known = PreparedTransaction.in(shard.store().systemRecords(), id.uuid());
        Transaction<Void> ending = context -> end(context, id.uuid(), isMade, seen);
        boolean isLong = isMade && known != null && known.size() >= MANY;
        return shard.submitPart(id.uuid(), new Synced<>(ending.called(isLong, () -> "the end of " + (known == null ? id : known.what()))))
                .thenRun(() -> shard.shards().ended(id.uuid()));
    }

    private static Void end(WriteContext context, UUID uuid, boolean isMade, PreparingWrites seen) throws DirectoryException {
        PreparedTransaction kept = PreparedTransaction.in(context.state().systemRecords(), uuid);
        if (kept != null) {
            context.putSystemRecord(PreparedTransaction.key(uuid), null);
            if (isMade) {
                kept.apply(context);
            }
            if (isMade && seen != null) {
                seen.showIn(context, kept.csn());
            }
        }
        return null;
    }
}
