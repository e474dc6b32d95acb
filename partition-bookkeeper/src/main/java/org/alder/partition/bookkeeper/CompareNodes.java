package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.alder.partition.bookkeeper.compare.Board;
import org.alder.partition.bookkeeper.election.MemberState;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.store.Replica;
import org.apache.zookeeper.CreateMode;

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
        return session.watched(path + name, Deadline.in(limitMillis));
    }

    @Override
    public void write(String name, byte[] text) throws IOException {
        session.put(path + name, text, CreateMode.PERSISTENT, Deadline.in(limitMillis));
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
