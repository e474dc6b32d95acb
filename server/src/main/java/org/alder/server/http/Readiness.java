package org.alder.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;
import org.alder.server.directory.own.ServedPartitions;
import org.alder.server.resource.Overload;

/**
 * Whether the server takes new work: it is not overloaded, each partition takes updates, and those that follow other servers are copies of
 * them. Thread safe.
 */
public final class Readiness {
    private static final long MOST_BEHIND = 10_000;

    private final Overload overload;
    private final Supplier<List<Partition>> partitions;
    private final Supplier<List<String>> others;

    /** @param others which partitions are no copies yet of what they follow, and what else is not as it is configured: a line for each */
    public Readiness(Overload overload, Supplier<List<Partition>> partitions, Supplier<List<String>> others) {
        this.overload = overload;
        this.partitions = partitions;
        this.others = others;
    }

    /** Why it does not, a line for each reason; empty if it does. */
    public List<String> missing() {
        return ServedPartitions.read(partitions, this::missing);
    }

    private List<String> missing(List<Partition> all) {
        List<String> reasons = new ArrayList<>();
        overload.look(System.nanoTime()).forEach(each -> reasons.add("overload: " + each));
        for (Partition partition : all) {
            String reason = partition.store().maintenance().status().readOnlyReason();
            if (reason != null) {
                reasons.add("no updates below " + partition.suffix().line() + ": " + reason);
            }
            addReplica(partition, reasons);
        }
        reasons.addAll(others.get());
        return reasons;
    }

    /** Whoever asks a replica that is far behind is told of what was long ago. */
    private static void addReplica(Partition partition, List<String> reasons) {
        Replica replica = partition.store().replica();
        if (replica == null) {
            return;
        }
        StoreException problem = replica.problem();
        if (problem != null) {
            reasons.add((partition.isElsewhere() ? "the entries of " + partition.label() + " are with other members: " : "the replica of " + partition.suffix().line()
                    + " applies nothing: ") + problem.getMessage());
        }
        if (replica.behind() > MOST_BEHIND) {
            reasons.add("the replica of " + partition.suffix().line() + " is " + replica.behind() + " transactions behind the leader, expected at most "
                    + MOST_BEHIND);
        }
    }
}
