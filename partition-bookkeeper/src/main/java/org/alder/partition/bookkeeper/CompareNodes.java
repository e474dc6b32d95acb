package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.alder.partition.bookkeeper.compare.Board;
import org.alder.partition.store.Replica;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;

/** The {@link Board} of a log, in znodes below the log's (docs/format/replicated-log.md). Safe for several threads. */
final class CompareNodes implements Board {
    private final ZooKeeperSession session;
    private final int limitMillis;
    private final String path;
    private final ClusterView view;

    /** @param log the path of the log's znode, which is there */
    CompareNodes(ZooKeeperSession session, int limitMillis, String log) {
        this.session = session;
        this.limitMillis = limitMillis;
        this.path = log + "/compare/";
        this.view = new ClusterView(session, limitMillis, log);
    }

    @Override
    public byte[] read(String name) throws IOException {
        return session.content(path + name, Deadline.in(limitMillis));
    }

    @Override
    public void write(String name, byte[] text) throws IOException {
        String node = path + name;
        Deadline deadline = Deadline.in(limitMillis);
        try {
            session.call(deadline, zooKeeper -> zooKeeper.setData(node, text, -1));
        } catch (KeeperException.NoNodeException e) {
            create(node, text, deadline);
        } catch (KeeperException e) {
            throw ZooKeeperSession.refused(node, e);
        }
    }

    private void create(String node, byte[] text, Deadline deadline) throws IOException {
        try {
            LedgerListNode.createAbove(session, node, deadline);
            session.call(deadline, zooKeeper -> zooKeeper.create(node, text, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        } catch (KeeperException.NodeExistsException e) {
            // The answer to an earlier try was lost, or another one was faster.
            write(node.substring(path.length()), text);
        } catch (KeeperException e) {
            throw ZooKeeperSession.refused(node, e);
        }
    }

    @Override
    public void remove(String name) throws IOException {
        session.remove(path + name, Deadline.in(limitMillis));
    }

    @Override
    public List<String> members() throws IOException {
        Map<String, MemberState> states = view.states(Deadline.in(limitMillis));
        states.values().removeIf(state -> state.role() == Replica.Role.FAILED || !state.problem().equals("-"));
        return List.copyOf(states.keySet());
    }
}
