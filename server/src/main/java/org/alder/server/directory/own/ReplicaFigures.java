package org.alder.server.directory.own;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.Replica;

/**
 * The figures of a partition that the members of a cluster share, at one moment, by the names of the attributes of cn=Monitor that show them.
 * None of a partition of a server that stands alone. Stateless.
 */
public final class ReplicaFigures {
    private ReplicaFigures() {
    }

    /** Of this server's own replica, and of the log. @param replica null for none */
    static Map<String, String> of(Replica replica) {
        if (replica == null) {
            return Map.of();
        }
        Map<String, String> figures = new LinkedHashMap<>();
        Replica.Role role = replica.role();
        figures.put("alderReplicaRole", role.name().toLowerCase(Locale.ROOT));
        flag(figures, "alderReplicaLeads", role == Replica.Role.LEADER);
        StoreException problem = replica.problem();
        flag(figures, "alderReplicaApplies", problem == null);
        if (problem != null) {
            figures.put("alderReplicaProblem", problem.getMessage());
        }
        number(figures, "alderReplicaEpoch", replica.epoch());
        known(figures, "alderReplicaLagTransactions", replica.behind());
        known(figures, "alderReplicaLagMillis", replica.behindMillis());
        ClusterService.Status cluster = replica.cluster();
        if (cluster != null) {
            figures.put("alderReplicaLeader", cluster.leader() == null ? "-" : cluster.leader());
            number(figures, "alderFeatureLevel", cluster.level());
            number(figures, "alderFeatureLevelKnown", cluster.knownLevel());
            number(figures, "alderSharedLogFirstSequence", cluster.firstSequence());
            number(figures, "alderSharedLogParts", cluster.logParts());
            known(figures, "alderSharedLogBytes", cluster.logBytes());
            addComparison(figures, cluster.comparison());
        }
        return figures;
    }

    /** @param last null where there was none yet */
    private static void addComparison(Map<String, String> figures, Comparison last) {
        if (last == null) {
            return;
        }
        number(figures, "alderComparisons", last.pass());
        number(figures, "alderComparisonSequence", last.sequence());
        number(figures, "alderComparisonDifferences", last.differences().size());
        if (!last.isEqual()) {
            figures.put("alderComparisonDifference", last.differences().get(0).text());
        }
    }

    /** Of each member, by the figure's name and the member's; none where they are not known now. @param replica null for none */
    public static Map<String, Map<String, Long>> ofMembers(Replica replica) {
        ClusterService.Status cluster = replica == null ? null : replica.cluster();
        if (cluster == null) {
            return Map.of();
        }
        Map<String, Map<String, Long>> figures = new LinkedHashMap<>();
        figures.put("alderMemberHere", each(cluster, member -> member.url() == null ? 0 : 1));
        figures.put("alderMemberDropped", each(cluster, member -> member.dropped() ? 1 : 0));
        figures.put("alderMemberSequence", each(cluster, member -> member.url() == null ? -1 : member.sequence()));
        Comparison last = cluster.comparison();
        figures.put("alderMemberDiffers", each(cluster, member -> last == null ? -1 : last.differs(member.name()) ? 1 : 0));
        figures.put("alderMemberFlushed", each(cluster, ClusterService.Member::flushed));
        return figures;
    }

    /** Without those of whom it is not known. */
    private static Map<String, Long> each(ClusterService.Status cluster, ToLongFunction<ClusterService.Member> figure) {
        Map<String, Long> figures = new TreeMap<>();
        for (ClusterService.Member member : cluster.members()) {
            long value = figure.applyAsLong(member);
            if (value >= 0) {
                figures.put(member.name(), value);
            }
        }
        return figures;
    }

    private static void known(Map<String, String> figures, String name, long value) {
        if (value >= 0) {
            number(figures, name, value);
        }
    }

    private static void number(Map<String, String> figures, String name, long value) {
        figures.put(name, Long.toString(value));
    }

    private static void flag(Map<String, String> figures, String name, boolean value) {
        figures.put(name, value ? "TRUE" : "FALSE");
    }
}
