package org.alder.partition.bookkeeper.election;

import java.io.Closeable;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.GroupedRequests;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooKeeper;

/**
 * A session of ZooKeeper in which a member stands for election, of one partition or of all that it holds. What is told and asked of several at the same time
 * goes as one request, so that to hold many costs little more than to hold one. Its ephemeral znodes end with it, and those of a partition where the member
 * leaves that. Thread safe.
 */
final class ElectionSession implements Closeable {
    private final ZooKeeper zooKeeper;
    private final GroupedRequests tellings;
    private final GroupedRequests questions;
    /** The paths of what the member stands for here. */
    private final Set<String> entered = ConcurrentHashMap.newKeySet();

    private ElectionSession(ZooKeeper zooKeeper) {
        this.zooKeeper = zooKeeper;
        tellings = new GroupedRequests(zooKeeper);
        questions = new GroupedRequests(zooKeeper);
    }

    /** Is not connected yet. @param requestMillis how long an answer may take */
    static ElectionSession open(ClusterSettings settings, int requestMillis) throws IOException {
        return new ElectionSession(ZooKeeperSession.connect(settings.zooKeeper(), settings.sessionMillis(), requestMillis));
    }

    ZooKeeper zooKeeper() {
        return zooKeeper;
    }

    boolean isAlive() {
        return zooKeeper.getState().isAlive();
    }

    /** Takes a path for whoever asks; false while somebody else of this process has it. */
    boolean take(String path) {
        return entered.add(path);
    }

    void giveBack(String path) {
        entered.remove(path);
    }

    /** What is written most of ZooKeeper's servers have. */
    void tell(String node, byte[] content) throws KeeperException, InterruptedException {
        tellings.ask(Op.setData(node, content, -1));
    }

    /** What one of ZooKeeper's servers shows. */
    byte[] read(String node) throws KeeperException, InterruptedException {
        return ((OpResult.GetDataResult) questions.ask(Op.getData(node))).getData();
    }

    /** What the session has is gone at once, where ZooKeeper can be reached. */
    @Override
    public void close() throws IOException {
        try {
            zooKeeper.close();
        } catch (InterruptedException e) {
            throw Deadline.interrupted(e);
        }
    }
}
