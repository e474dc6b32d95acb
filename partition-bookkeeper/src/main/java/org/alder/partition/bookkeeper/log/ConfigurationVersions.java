package org.alder.partition.bookkeeper.log;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SharedConfiguration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;

/** {@link SharedConfiguration} in ZooKeeper, a znode for each version (docs/format/replicated-log.md). Thread safe. */
public final class ConfigurationVersions implements SharedConfiguration {
    static final String PATH = "/alder/configuration";

    private final ZooKeeperSession session;
    private final NumberedNodes<Version> nodes;
    private final int limitMillis;
    private volatile String hindrance;

    ConfigurationVersions(ZooKeeperSession session, int limitMillis) {
        this.session = session;
        this.nodes = new NumberedNodes<>(session, PATH, limitMillis, ConfigurationVersionText::parse);
        this.limitMillis = limitMillis;
    }

    private Deadline limit() {
        return Deadline.in(limitMillis);
    }

    @Override
    public Version newest() throws IOException {
        return nodes.newest();
    }

    @Override
    public Version next(long number) throws IOException {
        return nodes.next(number);
    }

    @Override
    public boolean publish(Version version) throws IOException {
        byte[] content = ConfigurationVersionText.bytes(version);
        if (content.length > NumberedNodes.MOST_BYTES) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "what the members of the cluster are configured with in common would take "
                    + content.length + " bytes, expected at most " + NumberedNodes.MOST_BYTES);
        }
        String node = nodes.node(version.number());
        Deadline deadline = limit();
        List<Long> numbers = nodes.numbers(deadline);
        if (!numbers.isEmpty() && numbers.get(numbers.size() - 1) > version.number()) {
            return false;
        }
        try {
            session.createAbove(node, deadline);
            session.call(deadline, zooKeeper -> zooKeeper.create(node, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        } catch (KeeperException.NodeExistsException e) {
            // The answer to the first try may have been lost.
            return Arrays.equals(content, session.content(node, deadline));
        } catch (KeeperException e) {
            throw ZooKeeperSession.refused(node, e);
        }
        forgetOld(version.number());
        return true;
    }

    /** The version is made, whatever becomes of this. */
    private void forgetOld(long newest) {
        try {
            nodes.forgetBefore(newest, limit());
        } catch (IOException e) {
            // The next one does it.
            return;
        }
    }

    @Override
    public void hindered(String why) {
        hindrance = why;
    }

    /** Why this member cannot go by a version; null where nothing is in the way. */
    public String hindrance() {
        return hindrance;
    }
}
