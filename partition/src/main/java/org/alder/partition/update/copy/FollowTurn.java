package org.alder.partition.update.copy;

import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.Partition;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SystemRecords;
import org.alder.partition.store.WriteContext;

/**
 * Whose turn it is to follow another server, of the members of a cluster that lead shards: each that begins takes the next number, which all shards note
 * (docs/format/system-records.md). So what one of before has sent, and comes later, changes nothing. Thread safe.
 */
final class FollowTurn {
    private static final String KEY = "followed";

    private final boolean isOfMany;
    private volatile long number;

    private FollowTurn(boolean isOfMany, long number) {
        this.isOfMany = isOfMany;
        this.number = number;
    }

    /** Of changes that are no matter of turns. */
    static FollowTurn none() {
        return of(0);
    }

    /** One that is still to be taken. */
    static FollowTurn ofCluster() {
        return new FollowTurn(true, 0);
    }

    /** As whoever has sent changes says. @param number 0 for none */
    static FollowTurn of(long number) {
        return new FollowTurn(false, number);
    }

    boolean isOfMany() {
        return isOfMany;
    }

    /** 0 where none was taken. */
    long number() {
        return number;
    }

    private static long noted(SystemRecords records) {
        byte[] record = records.get(KEY);
        return record == null ? 0 : ByteBuffer.wrap(record).getLong();
    }

    /**
     * Takes the next one, in the first shard, which this process writes.
     *
     * @param shards all of them
     * @return completes when it is durable; exceptionally with a {@link StoreException}, of kind NOT_LEADER where somebody else has taken it
     */
    CompletableFuture<Void> take(List<Partition> shards) {
        long next = 1 + shards.stream().mapToLong(each -> noted(each.store().systemRecords())).max().orElse(0);
        Partition first = shards.get(0);
        return first.<Void>submit(context -> {
            if (noted(context.state().systemRecords()) >= next) {
                throw late(first, next);
            }
            note(context, next);
            return null;
        }).thenRun(() -> number = next);
    }

    private static void note(WriteContext context, long number) {
        context.putSystemRecord(KEY, ByteBuffer.allocate(Long.BYTES).putLong(number).array());
    }

    private static StoreException late(Partition shard, long number) {
        return new StoreException(StoreException.Kind.NOT_LEADER, "another member has begun to follow for " + shard.label() + " behind turn " + number + "; nothing was done");
    }

    /** Has a shard note it. @throws StoreException of kind NOT_LEADER where it has noted a later one */
    void require(WriteContext context, Partition shard) {
        long now = number;
        long before = now == 0 ? 0 : noted(context.state().systemRecords());
        if (before > now) {
            throw late(shard, now);
        } else if (before < now) {
            note(context, now);
        }
    }
}
