package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Copying;
import org.apache.zookeeper.CreateMode;

/**
 * How far members are that take a copy of another one's store, in ephemeral znodes below the log's (docs/format/replicated-log.md; do not
 * change without a new version). Safe for several threads and machines.
 */
final class CopyNodes {
    private static final Pattern TEXT = Pattern.compile("alder-copy 1\nfrom ([A-Za-z0-9.-]{1,64})\n"
            + "bytes ([0-9]{1,18}) of ([0-9]{1,18}) per-second ([0-9]{1,18})\n");

    private final ZooKeeperSession session;
    private final String path;

    /** @param log the path of the log's znode, which is there */
    CopyNodes(ZooKeeperSession session, String log) {
        this.session = session;
        this.path = log + "/copies";
    }

    /** Null where it takes none. @throws StoreException of kind CORRUPT, naming the znode */
    Copying of(String name, Deadline deadline) throws IOException {
        String node = path + "/" + name;
        byte[] content = session.watched(node, deadline);
        if (content == null) {
            return null;
        }
        Matcher text = TEXT.matcher(new String(content, StandardCharsets.US_ASCII));
        if (!text.matches()) {
            NewerText.refuse(content, "alder-copy 1", node);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + node + " is not that of a copy: expected \"alder-copy 1\", "
                    + "\"from NAME\" and \"bytes DONE of TOTAL per-second RATE\"");
        }
        return new Copying(text.group(1), Long.parseLong(text.group(2)), Long.parseLong(text.group(3)), Long.parseLong(text.group(4)));
    }

    /** It goes with the session. */
    void put(String name, Copying copying, Deadline deadline) throws IOException {
        byte[] content = ("alder-copy 1\nfrom " + copying.from() + "\nbytes " + copying.doneBytes() + " of " + copying.totalBytes()
                + " per-second " + copying.bytesPerSecond() + "\n").getBytes(StandardCharsets.US_ASCII);
        session.put(path + "/" + name, content, CreateMode.EPHEMERAL, deadline);
    }

    void remove(String name, Deadline deadline) throws IOException {
        session.remove(path + "/" + name, deadline);
    }
}
