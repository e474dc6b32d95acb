package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.bookkeeper.bookie.BookieNodes;
import org.alder.partition.bookkeeper.bookie.RemovedCopies;
import org.alder.partition.bookkeeper.compare.Results;
import org.alder.partition.bookkeeper.level.BuildNodes;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.roster.MemberNodes;
import org.alder.partition.bookkeeper.roster.PlacementNode;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Removal;

/** Takes a member that is gone for good out of what its cluster knows: nothing waits for it, and others take copies of what its bookie had. One thread. */
final class MemberRemoval {
    private static final int LEAST_OTHERS = 2;

    private final LogCluster cluster;
    private final ZooKeeperSession session;
    private final BookieNodes bookies;
    private final String member;

    MemberRemoval(LogCluster cluster, String member) {
        this.cluster = cluster;
        this.session = cluster.session();
        this.bookies = new BookieNodes(session);
        this.member = member;
    }

    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    /**
     * It may be done again, as where it was ended or there are more bookies by now.
     *
     * @param bytesPerSecond at most is copied
     * @throws StoreException of kind REFUSED where it lives, where less than two others do, or nothing is known of it
     */
    Removal run(long bytesPerSecond) throws IOException {
        Set<String> live = new TreeSet<>();
        Set<String> known = new TreeSet<>(bookies.all(limit()).keySet());
        for (String log : session.children(LogCluster.LOGS, limit())) {
            String path = LogCluster.LOGS + "/" + log;
            Set<String> here = view(path).states(limit()).keySet();
            live.addAll(here);
            requireOtherHolder(log, placement(path).members(limit()), here);
            known.addAll(cluster.flushedNodes(path).all(limit()).keySet());
        }
        known.addAll(live);
        require(live, known);
        bookies.remove(member, limit());
        new MemberNodes(session).remove(member, limit());
        BuildNodes.remove(session, member, limit());
        for (String log : session.children(LogCluster.LOGS, limit())) {
            String path = LogCluster.LOGS + "/" + log;
            leave(placement(path));
            view(path).forget(member);
            Results.forget(new CompareNodes(session, cluster.settings().resolveMillis(), path), member);
        }
        return RemovedCopies.of(cluster, member, bytesPerSecond);
    }

    private PlacementNode placement(String path) {
        return new PlacementNode(session, path);
    }

    /** @param holders null where all hold it */
    private void requireOtherHolder(String log, List<String> holders, Set<String> here) {
        if (holders != null && holders.contains(member) && here.stream().noneMatch(name -> !name.equals(member) && holders.contains(name))) {
            throw refused("no other one is here that holds " + log);
        }
    }

    private void leave(PlacementNode placement) throws IOException {
        List<String> holders = placement.members(limit());
        if (holders != null && holders.contains(member)) {
            placement.put(holders.stream().filter(name -> !name.equals(member)).toList(), limit());
        }
    }

    private ClusterView view(String path) {
        return new ClusterView(session, cluster.settings().resolveMillis(), path);
    }

    private void require(Set<String> live, Set<String> known) throws IOException {
        if (!known.contains(member)) {
            throw refused("nothing is known of it: the members are " + String.join(", ", known));
        }
        boolean hasBookie = bookies.here(limit()).stream().anyMatch(each -> each.equals(member) || each.startsWith(member + "."));
        if (live.contains(member) || hasBookie) {
            throw refused("it is here. Stop it first, and wait until \"cluster status\" and \"cluster members\" have it away");
        }
        if (live.size() < LEAST_OTHERS) {
            throw refused((live.isEmpty() ? "no other member is here" : "of the others " + String.join(", ", live) + " alone is here") + ", expected "
                    + LEAST_OTHERS + ": what it has may be on its disk alone");
        }
    }

    private StoreException refused(String why) {
        return new StoreException(StoreException.Kind.REFUSED, member + " is not removed: " + why);
    }
}
