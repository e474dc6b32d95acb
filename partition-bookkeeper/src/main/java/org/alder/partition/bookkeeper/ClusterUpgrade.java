package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.bookkeeper.bookie.BookieNodes;
import org.alder.partition.bookkeeper.election.ElectionNodes;
import org.alder.partition.bookkeeper.level.BuildNodes;
import org.alder.partition.bookkeeper.level.LevelNode;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.roster.MemberNodes;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Build;

/** Raises the feature level of a cluster when all of its members have a build that knows the next one. One thread. */
final class ClusterUpgrade {
    private final LogCluster cluster;
    private final ZooKeeperSession session;
    private final Build build;

    ClusterUpgrade(LogCluster cluster) {
        this.cluster = cluster;
        this.session = cluster.session();
        this.build = cluster.settings().build();
    }

    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    /**
     * To the newest level that this build knows.
     *
     * @return the level of now
     * @throws StoreException of kind REFUSED, naming who does not know it
     */
    int run() throws IOException {
        LevelNode level = cluster.level();
        while (true) {
            LevelNode.Found found = level.find(limit());
            if (found != null && found.level() >= build.newestLevel()) {
                return found.level();
            }
            requireAll();
            if (found == null) {
                throw refused("no member has been started with a build that knows of levels");
            }
            if (level.raise(found, build, limit())) {
                return build.newestLevel();
            }
            // A member was started meanwhile, perhaps with another build.
        }
    }

    private static StoreException refused(String why) {
        return new StoreException(StoreException.Kind.REFUSED, "the feature level is not raised: " + why);
    }

    /** Also those that are away: they are expected back. */
    private void requireAll() throws IOException {
        Map<String, String> hindrances = new TreeMap<>();
        Set<String> expected = new TreeSet<>(new BookieNodes(session).all(limit()).keySet());
        expected.addAll(new MemberNodes(session).names(limit()));
        Set<String> here = new TreeSet<>();
        for (String log : session.children(LogCluster.LOGS, limit())) {
            String path = LogCluster.LOGS + "/" + log;
            expected.addAll(cluster.flushedNodes(path).all(limit()).keySet());
            for (String member : session.children(ElectionNodes.members(path), limit())) {
                here.add(member);
                note(hindrances, member, BuildNodes.running(session, path, member, limit()), "runs");
            }
        }
        expected.removeAll(new BookieNodes(session).removed(limit()));
        expected.removeAll(here);
        for (String member : expected) {
            note(hindrances, member, BuildNodes.last(session, member, limit()), "is away, and has run");
        }
        if (!hindrances.isEmpty()) {
            throw refused("to level " + build.newestLevel() + ", as " + String.join("; ", hindrances.values()) + ". Start each with a build that knows it, or remove one that is gone for good"
                    + " (cluster remove)");
        }
    }

    private void note(Map<String, String> hindrances, String member, Build its, String what) {
        if (its == null) {
            hindrances.put(member, member + " " + what + " a build that tells no level");
        } else if (its.newestLevel() < build.newestLevel()) {
            hindrances.put(member, member + " " + what + " the build " + its.name() + ", which knows level " + its.newestLevel() + " at most");
        }
    }
}
