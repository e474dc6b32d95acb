package org.alder.partition.bookkeeper.roster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.apache.zookeeper.CreateMode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lines of members, which each puts into ZooKeeper when it starts (docs/format/replicated-log.md; do not change without a new version). Safe for several threads
 * and machines.
 */
public final class MemberNodes {
    private static final Logger LOG = LoggerFactory.getLogger(MemberNodes.class);
    private static final String FOLDER = "/alder/members";
    private static final String FIRST = "alder-member-line 1\nmember: ";

    private final ZooKeeperSession session;

    public MemberNodes(ZooKeeperSession session) {
        this.session = session;
    }

    private static String node(String name) {
        return FOLDER + "/" + name;
    }

    /** Of this member, in the place of what was there by its name. */
    public void put(Node own, Deadline deadline) throws IOException {
        session.put(node(own.name()), (FIRST + own.line() + '\n').getBytes(StandardCharsets.UTF_8), CreateMode.PERSISTENT, deadline);
    }

    /** It does not come back. */
    public void remove(String name, Deadline deadline) throws IOException {
        session.remove(node(name), deadline);
    }

    /** Of those that have put theirs, whether they are here or not. */
    public List<String> names(Deadline deadline) throws IOException {
        return session.watchedChildren(FOLDER, deadline);
    }

    /**
     * All members, by name, whether they are here or not: as they say themselves, else as the file of this one does. What cannot be read, as a newer build has written
     * it, counts as not said.
     */
    public Map<String, Node> all(List<Node> file, Deadline deadline) throws IOException {
        Map<String, Node> all = new TreeMap<>();
        file.forEach(each -> all.put(each.name(), each));
        session.watchedBelow(FOLDER, deadline).forEach((name, content) -> {
            Node said = parse(name, new String(content, StandardCharsets.UTF_8));
            if (said != null) {
                all.put(name, said);
            }
        });
        return all;
    }

    /** Null where it cannot be read. */
    static Node parse(String name, String text) {
        if (!text.startsWith(FIRST) || text.indexOf('\n', FIRST.length()) != text.length() - 1) {
            LOG.debug("znode {} is not the line of a member", node(name));
            return null;
        }
        try {
            Node node = ClusterFile.node(Path.of(node(name)), text.substring(FIRST.length()).strip());
            return node.name().equals(name) ? node : null;
        } catch (StoreException e) {
            LOG.debug("the line of a member cannot be read", e);
            return null;
        }
    }
}
