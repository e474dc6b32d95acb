package org.alder.partition.bookkeeper.election;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.alder.partition.bookkeeper.level.BuildNodes;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.WatchedNodes;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Build;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The znodes by which the members of a cluster elect a leader, in a session: {@code leader}, the lock, which is whose session made it;
 * {@code members/NAME} and {@code builds/NAME}; and {@code move}, which names who is to lead next. One thread; after an exception it is closed, and whoever
 * opened the session closes that.
 */
public final class ElectionNodes implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(ElectionNodes.class);
    private final ElectionSession session;
    private final ZooKeeper zooKeeper;
    private final WatchedNodes watched;
    private final String path;
    private final String own;
    private final Build build;
    private boolean isTaken;
    /** What was said last of what is not understood; null where nothing was. */
    private String misunderstood;

    /**
     * @param path        of the log's znode, which is there
     * @param own         the name of this member
     * @param build       that it runs
     * @param whenChanged told when somebody else has the lock, or is wanted, than when that was last asked for
     */
    ElectionNodes(ElectionSession session, String path, String own, Build build, Runnable whenChanged) {
        this.session = session;
        this.zooKeeper = session.zooKeeper();
        this.watched = new WatchedNodes(whenChanged);
        this.path = path;
        this.own = own;
        this.build = build;
    }

    public static String members(String path) {
        return path + "/members";
    }

    public static String leader(String path) {
        return path + "/leader";
    }

    public static String move(String path) {
        return path + "/move";
    }

    /** As the server has granted it, which is known when it has answered. */
    int sessionMillis() {
        return zooKeeper.getSessionTimeout();
    }

    /** Enters this member; false while another session has its name, or somebody else in this one. */
    boolean enter(MemberState state) throws KeeperException, InterruptedException {
        isTaken = isTaken || session.take(path);
        if (!isTaken) {
            return false;
        }
        createFolder(BuildNodes.here(path));
        createFolder(members(path));
        // First, so that nobody finds this member without it.
        return isMine(create(ownBuild(), BuildNodes.bytes(build))) && isMine(create(ownState(), state.bytes()));
    }

    private String ownBuild() {
        return BuildNodes.here(path) + "/" + own;
    }

    private String ownState() {
        return members(path) + "/" + own;
    }

    private void createFolder(String node) throws KeeperException, InterruptedException {
        try {
            zooKeeper.create(node, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
        } catch (KeeperException.NodeExistsException e) {
            // As from the second member on.
            return;
        }
    }

    /** What is there, whoever made it; null where it was gone before that could be seen. */
    private Stat create(String node, byte[] content) throws KeeperException, InterruptedException {
        try {
            zooKeeper.create(node, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
        } catch (KeeperException.NodeExistsException e) {
            // Somebody else's, or the answer to the first try was lost.
        }
        return zooKeeper.exists(node, false);
    }

    private boolean isMine(Stat stat) {
        return stat != null && stat.getEphemeralOwner() == zooKeeper.getSessionId();
    }

    void tell(MemberState state) throws KeeperException, InterruptedException {
        session.tell(ownState(), state.bytes());
    }

    /** The name of whoever has the lock; null where nobody has, also if that is only known by now. */
    String leader() throws KeeperException, InterruptedException {
        return text(leader(path));
    }

    private String text(String node) throws KeeperException, InterruptedException {
        byte[] content = watched.content(zooKeeper, node);
        return content == null ? null : new String(content, StandardCharsets.US_ASCII);
    }

    /** Whether this member has the lock now. */
    boolean lock() throws KeeperException, InterruptedException {
        boolean isLocked = isMine(create(leader(path), own.getBytes(StandardCharsets.US_ASCII)));
        watched.changed(leader(path));
        return isLocked;
    }

    /** Whether nobody has taken away the lock that this session had. */
    boolean isLocked() throws KeeperException, InterruptedException {
        return own.equals(leader());
    }

    /** Where this member has it. */
    void unlock() throws KeeperException, InterruptedException {
        deleteMine(leader(path));
        watched.changed(leader(path));
    }

    private void deleteMine(String node) throws KeeperException, InterruptedException {
        if (isMine(zooKeeper.exists(node, false))) {
            delete(node);
        }
    }

    private void delete(String node) throws KeeperException, InterruptedException {
        try {
            zooKeeper.delete(node, -1);
        } catch (KeeperException.NoNodeException e) {
            return;
        }
    }

    /** What a member tells of itself; null where it is not there, or tells what is not understood here: no other one is to stand still for that. */
    MemberState member(String name) throws KeeperException, InterruptedException {
        String node = members(path) + "/" + name;
        try {
            return MemberState.parse(session.read(node), node);
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (StoreException e) {
            if (!e.getMessage().equals(misunderstood)) {
                LOG.warn("What a member tells is left out: {}", e.getMessage());
                misunderstood = e.getMessage();
            }
            return null;
        }
    }

    /** Who is to lead next; null where nobody was named. */
    String wanted() throws KeeperException, InterruptedException {
        return text(move(path));
    }

    /** Whoever was named leads, or will not. */
    void forgetWanted() throws KeeperException, InterruptedException {
        delete(move(path));
    }

    /** What this member has is gone at once, where ZooKeeper can be reached; otherwise the session ends, and it goes with that. */
    @Override
    public void close() throws IOException {
        if (!isTaken) {
            return;
        }
        try {
            deleteMine(leader(path));
            // In this order, so that nobody finds this member without its build.
            deleteMine(ownState());
            deleteMine(ownBuild());
        } catch (KeeperException e) {
            session.close();
        } catch (InterruptedException e) {
            session.close();
            throw Deadline.interrupted(e);
        } finally {
            session.giveBack(path);
        }
    }
}
