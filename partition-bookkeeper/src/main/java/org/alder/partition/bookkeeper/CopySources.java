package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.alder.partition.bookkeeper.election.MemberState;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.roster.MemberNodes;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.store.Replica;

/**
 * The members that give copies of their store of a log to another one.
 *
 * @param path of the log's znode
 * @param file of the member that asks
 */
record CopySources(LogCluster cluster, String path, ClusterFile file) {
    /** Those that are there and apply the log, replicas first; in the same order each time, so that a copy that broke goes on with the same one. */
    List<Node> now() throws IOException {
        int millis = cluster.settings().resolveMillis();
        Map<String, MemberState> states = new ClusterView(cluster.session(), millis, path).states(Deadline.in(millis));
        Collection<Node> members = new MemberNodes(cluster.session()).all(file.members(), Deadline.in(millis)).values();
        List<Node> sources = new ArrayList<>(members.stream().filter(each -> each.copyPort() > 0 && !each.name().equals(file.name())
                && states.containsKey(each.name()) && states.get(each.name()).role() != Replica.Role.FAILED).toList());
        sources.sort(Comparator.comparing(each -> states.get(each.name()).role() == Replica.Role.LEADER));
        return sources;
    }
}
