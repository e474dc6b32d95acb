package org.alder.server.cluster;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.store.ClusterService.Member;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.Replica;

/** Spreads the leaders of shards over the members of a cluster, move by move. Stateless. */
public final class Rebalance {
    /** Who is further behind would take updates late. */
    public static final long MOST_LAG = 10_000;

    private Rebalance() {
    }

    /** @param log of the shard that another member is to lead */
    public record Move(String log, String from, String to) {
    }

    /**
     * The move that makes it most even; each one does, so that there is an end.
     *
     * @param statuses by the names of the logs
     * @return null where there is none: those that could lead more lead as many as others, or one less
     */
    public static Move next(Map<String, Status> statuses) {
        Map<String, Integer> led = new TreeMap<>();
        statuses.values().forEach(status -> {
            status.members().forEach(member -> led.merge(member.name(), 0, Integer::sum));
            if (status.leader() != null) {
                led.merge(status.leader(), 1, Integer::sum);
            }
        });
        Move best = null;
        int bestDifference = 1;
        for (Map.Entry<String, Status> each : statuses.entrySet()) {
            String leader = each.getValue().leader();
            for (Member member : leader == null ? List.<Member>of() : each.getValue().members()) {
                int difference = led.get(leader) - led.get(member.name());
                if (difference > bestDifference && mayLead(member)) {
                    best = new Move(each.getKey(), leader, member.name());
                    bestDifference = difference;
                }
            }
        }
        return best;
    }

    private static boolean mayLead(Member member) {
        return member.url() != null && member.role() == Replica.Role.REPLICA && member.problem() == null && member.lag() <= MOST_LAG;
    }
}
