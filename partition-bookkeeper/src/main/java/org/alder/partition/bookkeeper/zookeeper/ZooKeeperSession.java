package org.alder.partition.bookkeeper.zookeeper;

import java.io.Closeable;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.data.Stat;

/**
 * A session with ZooKeeper for reads and compare-and-set, followed by another one where it expires: nothing that is done in it depends on
 * which session it is. Safe for several threads.
 */
public final class ZooKeeperSession implements Closeable {
    private final String servers;
    private final int sessionMillis;
    private final WatchedNodes watched = new WatchedNodes(() -> { });
    private ZooKeeper client;
    private boolean closed;

    public ZooKeeperSession(String servers, int sessionMillis) {
        this.servers = servers;
        this.sessionMillis = sessionMillis;
    }

    /** What is asked of ZooKeeper; may be asked again. */
    public interface Call<T> {
        T on(ZooKeeper zooKeeper) throws KeeperException, InterruptedException;
    }

    /** A handle that is not connected yet. @param requestMillis how long an answer may take */
    public static ZooKeeper connect(String servers, int sessionMillis, int requestMillis) throws IOException {
        ZKClientConfig config = new ZKClientConfig();
        config.setProperty(ZKClientConfig.ENABLE_CLIENT_SASL_KEY, "false");
        config.setProperty(ZKClientConfig.ZOOKEEPER_REQUEST_TIMEOUT, Integer.toString(requestMillis));
        return new ZooKeeper(servers, sessionMillis, event -> { }, config);
    }

    /**
     * The answer to a call, which is made again where the connection is lost before it is there; so it may have been carried out before.
     *
     * @throws IOException     where there is none in time
     * @throws KeeperException where ZooKeeper refuses
     */
    public <T> T call(Deadline deadline, Call<T> call) throws IOException, KeeperException {
        while (true) {
            try {
                return call.on(client());
            } catch (KeeperException.ConnectionLossException | KeeperException.SessionExpiredException
                    | KeeperException.OperationTimeoutException | KeeperException.RequestTimeoutException e) {
                if (deadline.isOver()) {
                    throw new IOException("no answer from ZooKeeper at " + servers + " in time: " + e.getMessage(), e);
                }
            } catch (InterruptedException e) {
                throw Deadline.interrupted(e);
            }
            deadline.pause();
        }
    }

    /** What a znode holds; null where it is not there. */
    public byte[] content(String node, Deadline deadline) throws IOException {
        return content(node, null, deadline);
    }

    /** What a znode holds; null where it is not there. @param stat filled in where it is; null where nobody asks */
    public byte[] content(String node, Stat stat, Deadline deadline) throws IOException {
        try {
            return call(deadline, zooKeeper -> zooKeeper.getData(node, false, stat));
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (KeeperException e) {
            throw refused(node, e);
        }
    }

    /**
     * The same for who looks again and again, and asks ZooKeeper only where it is another one. What others have written shows when the server has told so, what this
     * session has {@link #put} or removed at once.
     */
    public byte[] watched(String node, Deadline deadline) throws IOException {
        try {
            return call(deadline, zooKeeper -> watched.content(zooKeeper, node));
        } catch (KeeperException e) {
            throw refused(node, e);
        }
    }

    /** Has a znode hold something, made where it is not there. @param mode of one that is made */
    public void put(String node, byte[] content, CreateMode mode, Deadline deadline) throws IOException {
        while (true) {
            try {
                call(deadline, zooKeeper -> zooKeeper.setData(node, content, -1));
                watched.changed(node);
                return;
            } catch (KeeperException.NoNodeException e) {
                if (isCreated(node, content, mode, deadline)) {
                    return;
                }
            } catch (KeeperException e) {
                throw refused(node, e);
            }
            deadline.pause();
        }
    }

    private boolean isCreated(String node, byte[] content, CreateMode mode, Deadline deadline) throws IOException {
        try {
            createAbove(node, deadline);
            call(deadline, zooKeeper -> zooKeeper.create(node, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, mode));
            watched.changed(node);
            return true;
        } catch (KeeperException.NodeExistsException e) {
            // Somebody else was first, or the answer to the first try was lost.
            if (deadline.isOver()) {
                throw new IOException("znode " + node + " comes and goes all the time", e);
            }
            return false;
        } catch (KeeperException e) {
            throw refused(node, e);
        }
    }

    /** Makes the znodes above one that are not there. */
    public void createAbove(String node, Deadline deadline) throws IOException, KeeperException {
        for (int end = node.indexOf('/', 1); end > 0; end = node.indexOf('/', end + 1)) {
            String above = node.substring(0, end);
            try {
                call(deadline, zooKeeper -> zooKeeper.create(above, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            } catch (KeeperException.NodeExistsException e) {
                // Somebody else was first, or the answer to the first try was lost.
                continue;
            }
        }
    }

    /** The names of the znodes below one; none where that is not there. */
    public List<String> children(String node, Deadline deadline) throws IOException {
        try {
            return call(deadline, zooKeeper -> zooKeeper.getChildren(node, false));
        } catch (KeeperException.NoNodeException e) {
            return List.of();
        } catch (KeeperException e) {
            throw refused(node, e);
        }
    }

    /** The same for who looks again and again, as with {@link #watched}. */
    public List<String> watchedChildren(String node, Deadline deadline) throws IOException {
        try {
            List<String> found = call(deadline, zooKeeper -> watched.children(zooKeeper, node));
            return found == null ? List.of() : found;
        } catch (KeeperException e) {
            throw refused(node, e);
        }
    }

    /** What the znodes below one hold, by their names, as with {@link #watched}; none where that is not there. */
    public Map<String, byte[]> watchedBelow(String node, Deadline deadline) throws IOException {
        Map<String, byte[]> contents = new TreeMap<>();
        for (String name : watchedChildren(node, deadline)) {
            byte[] content = watched(node + "/" + name, deadline);
            if (content != null) {
                contents.put(name, content);
            }
        }
        return contents;
    }

    /** The same where others write what they hold again and again: that is asked for each time, by one request. */
    public Map<String, byte[]> below(String node, Deadline deadline) throws IOException {
        List<String> names = watchedChildren(node, deadline);
        List<Op> questions = names.stream().map(name -> Op.getData(node + "/" + name)).toList();
        Map<String, byte[]> contents = new TreeMap<>();
        try {
            List<OpResult> answers = names.isEmpty() ? List.of() : call(deadline, zooKeeper -> zooKeeper.multi(questions));
            for (int i = 0; i < answers.size(); i++) {
                // Else it has just been removed.
                if (answers.get(i) instanceof OpResult.GetDataResult found) {
                    contents.put(names.get(i), found.getData());
                }
            }
        } catch (KeeperException e) {
            throw refused(node, e);
        }
        return contents;
    }

    /** Removes a znode, where it is there. */
    public void remove(String node, Deadline deadline) throws IOException {
        try {
            call(deadline, zooKeeper -> {
                zooKeeper.delete(node, -1);
                return null;
            });
            watched.changed(node);
        } catch (KeeperException.NoNodeException e) {
            return;
        } catch (KeeperException e) {
            throw refused(node, e);
        }
    }

    /** What becomes of a refusal for which nobody has an answer. */
    public static IOException refused(String node, KeeperException e) {
        return new IOException("ZooKeeper refuses znode " + node + ": " + e.getMessage(), e);
    }

    private synchronized ZooKeeper client() throws IOException {
        if (closed) {
            throw new IOException("the session with ZooKeeper is closed");
        }
        if (client == null || !client.getState().isAlive()) {
            shut();
            client = connect(servers, sessionMillis, sessionMillis);
        }
        return client;
    }

    private void shut() throws IOException {
        if (client != null) {
            try {
                client.close();
            } catch (InterruptedException e) {
                throw Deadline.interrupted(e);
            }
        }
    }

    @Override
    public synchronized void close() throws IOException {
        closed = true;
        shut();
    }
}
