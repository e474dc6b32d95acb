package org.alder.server.directory.own;

import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedSchema.Position;

/** Partitions that this member leads, and whose updates it holds while the schema is changed. One thread at a time. */
final class HeldPartitions {
    private final String member;
    private final Map<String, Partition> held = new TreeMap<>();
    private final Map<String, Position> positions = new TreeMap<>();

    /** @param member this one, for messages */
    HeldPartitions(String member) {
        this.member = member;
    }

    /**
     * Holds one more.
     *
     * @param name of its log
     * @throws DirectoryException where its updates cannot be held now: then those of others still are
     */
    void hold(String name, Partition partition) throws DirectoryException {
        Replica replica = partition.store().replica();
        long epoch = replica.epoch();
        try {
            partition.holdUpdates();
        } catch (IllegalStateException e) {
            throw new DirectoryException(ResultCode.BUSY, "the rules or indexes of " + name + " are being changed on " + member + ": try again");
        } catch (StoreException e) {
            throw new DirectoryException(e.kind() == StoreException.Kind.NOT_LEADER ? ResultCode.BUSY : ResultCode.UNAVAILABLE,
                    "updates of " + name + " cannot be held on " + member + ": " + e.getMessage());
        }
        held.put(name, partition);
        long sequence = partition.store().sequence();
        // Who leads in the end as it did in the beginning has led all the time: what it shows in between is all there is.
        if (replica.role() != Replica.Role.LEADER || replica.epoch() != epoch) {
            throw new DirectoryException(ResultCode.BUSY, member + " does not lead " + name + " any more: try again");
        }
        positions.put(name, new Position(epoch, sequence));
    }

    /** Where those that are held stood when that began. */
    Map<String, Position> positions() {
        return positions;
    }

    /** Whether one of them may still be written here, in the epoch in which it was held. */
    boolean leadsAny() {
        return positions.entrySet().stream().anyMatch(each -> {
            Replica replica = held.get(each.getKey()).store().replica();
            return replica.role() == Replica.Role.LEADER && replica.epoch() == each.getValue().epoch();
        });
    }

    /** Has others lead them. Returns at once. */
    void resign(StoreException why) {
        held.values().forEach(each -> each.store().replica().resign(why));
    }

    void resume() {
        held.values().forEach(Partition::resumeUpdates);
        held.clear();
    }
}
