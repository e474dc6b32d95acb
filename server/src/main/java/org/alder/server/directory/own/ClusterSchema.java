package org.alder.server.directory.own;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;
import org.alder.partition.store.SharedSchema;
import org.alder.partition.store.SharedSchema.Position;
import org.alder.partition.store.SharedSchema.Version;

/**
 * The schema that clients change, as the one of a cluster: the member that leads all partitions makes its versions, while it holds updates
 * back, and each member goes by a version when it has applied all that was written before. Thread safe.
 */
public final class ClusterSchema {
    private final SharedSchema shared;
    private final Supplier<Map<String, Partition>> partitions;

    /** @param partitions those that are open, by the names of their logs */
    public ClusterSchema(SharedSchema shared, Supplier<Map<String, Partition>> partitions) {
        this.shared = shared;
        this.partitions = partitions;
    }

    SharedSchema shared() {
        return shared;
    }

    /**
     * Without those that apply nothing any more, as they get copies of other members' stores, whose keys are by other versions anyway; and without those that
     * this member does not hold.
     */
    List<Partition> open() {
        return partitions.get().values().stream().filter(ClusterSchema::applies).toList();
    }

    private static boolean applies(Partition partition) {
        return partition.store().replica().role() != Replica.Role.FAILED && !partition.isElsewhere();
    }

    /** Whether all is applied here that was written before a version. A partition that is not here, or gets a copy, does not matter. */
    boolean isReached(Version version) {
        Map<String, Partition> here = partitions.get();
        return version.behind().entrySet().stream().allMatch(each -> !here.containsKey(each.getKey()) || !applies(here.get(each.getKey()))
                || here.get(each.getKey()).store().sequence() >= each.getValue().sequence());
    }

    /**
     * Begins a change, before anything is looked at.
     *
     * @throws StoreException     of kind NOT_LEADER where this member leads nothing
     * @throws DirectoryException where it leads some of the partitions, but not all
     */
    Turn turn() throws DirectoryException {
        Map<String, Partition> all = Map.copyOf(partitions.get());
        Map<String, Long> epochs = new HashMap<>();
        all.forEach((name, partition) -> {
            if (leads(partition)) {
                epochs.put(name, partition.store().replica().epoch());
            }
        });
        if (epochs.isEmpty()) {
            for (Partition partition : all.values()) {
                // Says who leads.
                partition.holdUpdates();
                partition.resumeUpdates();
            }
        }
        List<String> elsewhere = all.keySet().stream().filter(each -> !epochs.containsKey(each)).sorted().toList();
        if (!elsewhere.isEmpty()) {
            throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the schema of a cluster is changed by a member that leads all partitions, as"
                    + " nobody may write meanwhile, and this one does not lead " + String.join(", ", elsewhere)
                    + ": have it lead them first (bin/alder cluster move-leader --partition)");
        }
        return new Turn(shared.adopted() + 1, all, epochs);
    }

    private static boolean leads(Partition partition) {
        return partition.store().replica().role() == Replica.Role.LEADER;
    }

    /** A change under way: of one thread, which holds updates back before it ends it. */
    final class Turn {
        private final long number;
        private final Map<String, Partition> all;
        private final Map<String, Long> epochs;

        private Turn(long number, Map<String, Partition> all, Map<String, Long> epochs) {
            this.number = number;
            this.all = all;
            this.epochs = epochs;
        }

        /**
         * Makes a version of these definitions, by which this member goes from now on: its caller adopts them next.
         *
         * @throws DirectoryException where another member leads by now or was faster: nothing was done; or where nobody knows
         */
        void publish(byte[] definitions) throws DirectoryException {
            Map<String, Position> behind = new HashMap<>();
            all.forEach((name, partition) -> behind.put(name, new Position(epochs.get(name), partition.store().sequence())));
            if (!published(new Version(number, behind, definitions))) {
                throw new DirectoryException(ResultCode.BUSY, "another member has changed the schema, or leads by now; nothing was done: try again");
            }
            shared.adopted(number);
        }

        /** Whoever still leads must not write before it knows: what it writes has to be checked by the newest version. */
        private boolean published(Version version) throws DirectoryException {
            while (true) {
                try {
                    return shared.publish(version);
                } catch (IOException e) {
                    if (all.isEmpty() || !all.values().stream().allMatch(ClusterSchema::leads)) {
                        throw new DirectoryException(ResultCode.UNAVAILABLE, "nobody knows whether the schema was changed, as ZooKeeper does not answer ("
                                + e.getMessage() + "): read it when there is a leader again");
                    }
                }
            }
        }
    }
}
