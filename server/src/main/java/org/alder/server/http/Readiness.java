package org.alder.server.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.alder.partition.Partition;
import org.alder.server.directory.own.ServedPartitions;
import org.alder.server.resource.Overload;

/** Whether the server takes new work: it is not overloaded, and each partition takes updates. Thread safe. */
public final class Readiness {
    private final Overload overload;
    private final Supplier<List<Partition>> partitions;

    public Readiness(Overload overload, Supplier<List<Partition>> partitions) {
        this.overload = overload;
        this.partitions = partitions;
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
        }
        return reasons;
    }
}
