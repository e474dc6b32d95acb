package org.alder.partition.bookkeeper.log;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.apache.zookeeper.CreateMode;

/**
 * What each replica of a log has in its segments, in znodes below the log's (docs/format/replicated-log.md; do not change without a new
 * version): the log may give up what all of them have. Safe for several threads and machines.
 */
public final class FlushedNodes {
    private static final String FOLDER = "/replicas";
    private static final Pattern TEXT = Pattern.compile("alder-replica 1\ngeneration ([0-9]{1,18}) flushed ([0-9]{1,18})( dropped)?\n");

    private final ZooKeeperSession session;
    private final String path;

    /** @param log the path of the log's znode, which is there */
    public FlushedNodes(ZooKeeperSession session, String log) {
        this.session = session;
        this.path = log + FOLDER;
    }

    /**
     * Of one replica.
     *
     * @param generation of its data
     * @param sequence   the last transaction that it has in its segments
     * @param isDropped  whether the log does not wait for it any more, as it was too far behind
     */
    public record Flushed(long generation, long sequence, boolean isDropped) {
        byte[] bytes() {
            return ("alder-replica 1\ngeneration " + generation + " flushed " + sequence + (isDropped ? " dropped\n" : "\n"))
                    .getBytes(StandardCharsets.US_ASCII);
        }

        /** @throws StoreException of kind CORRUPT, naming the znode */
        static Flushed parse(byte[] bytes, String path) {
            Matcher text = TEXT.matcher(new String(bytes, StandardCharsets.US_ASCII));
            if (!text.matches()) {
                NewerText.refuse(bytes, "alder-replica 1", path);
                throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + " is not that of a replica: expected \"alder-replica 1\" "
                        + "and a line \"generation NUMBER flushed SEQUENCE\"");
            }
            return new Flushed(Long.parseLong(text.group(1)), Long.parseLong(text.group(2)), text.group(3) != null);
        }
    }

    /** By the replicas' names, for who looks again and again. */
    public Map<String, Flushed> all(Deadline deadline) throws IOException {
        Map<String, Flushed> found = new TreeMap<>();
        session.watchedBelow(path, deadline).forEach((name, content) -> found.put(name, Flushed.parse(content, node(name))));
        return found;
    }

    private String node(String name) {
        return path + "/" + name;
    }

    /** Null where it has told nothing, or was removed. */
    public Flushed of(String name, Deadline deadline) throws IOException {
        byte[] content = session.content(node(name), deadline);
        return content == null ? null : Flushed.parse(content, node(name));
    }

    public void put(String name, Flushed flushed, Deadline deadline) throws IOException {
        session.put(node(name), flushed.bytes(), CreateMode.PERSISTENT, deadline);
    }

    /** The log waits for it no more, and forgets it. */
    public void remove(String name, Deadline deadline) throws IOException {
        session.remove(node(name), deadline);
    }
}
