package org.alder.partition.bookkeeper.roster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.apache.zookeeper.CreateMode;

/** The znode that says which members hold the store of a log (docs/format/replicated-log.md; do not change without a new version). Thread safe. */
public final class PlacementNode {
    private static final String FIRST = "alder-placement 1";
    private static final Pattern TEXT = Pattern.compile(FIRST + "\nmembers ([A-Za-z0-9-]{1,32}(?: [A-Za-z0-9-]{1,32}){0,63})\n");

    private final ZooKeeperSession session;
    private final String node;

    /** @param log the path of the log's znode */
    public PlacementNode(ZooKeeperSession session, String log) {
        this.session = session;
        this.node = log + "/placement";
    }

    /**
     * In the order of their names; null where all members hold it.
     *
     * @throws StoreException of kind CORRUPT, naming the znode
     */
    public List<String> members(Deadline deadline) throws IOException {
        byte[] content = session.watched(node, deadline);
        if (content == null) {
            return null;
        }
        Matcher text = TEXT.matcher(new String(content, StandardCharsets.UTF_8));
        if (!text.matches()) {
            NewerText.refuse(content, FIRST, node);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + node + " does not say who holds a log: expected \"" + FIRST
                    + "\" and a line \"members NAME NAME ...\"");
        }
        return List.copyOf(new TreeSet<>(List.of(text.group(1).split(" "))));
    }

    /** @param members at least one; null for all, also those that come later */
    public void put(List<String> members, Deadline deadline) throws IOException {
        if (members == null) {
            session.remove(node, deadline);
            return;
        }
        session.put(node, (FIRST + "\nmembers " + String.join(" ", new TreeSet<>(members)) + '\n').getBytes(StandardCharsets.UTF_8), CreateMode.PERSISTENT, deadline);
    }
}
