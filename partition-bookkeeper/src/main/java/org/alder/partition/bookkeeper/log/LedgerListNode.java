package org.alder.partition.bookkeeper.log;

import java.io.IOException;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;

/** The znode of a log's {@link LedgerList}, changed by compare-and-set alone. Safe for several threads and machines. */
public final class LedgerListNode {
    private final ZooKeeperSession session;
    private final String path;
    /** What was watched last; null where nobody watches. */
    private volatile Parsed parsed;

    /** @param path of the znode; those above it are made */
    public LedgerListNode(ZooKeeperSession session, String path) {
        this.session = session;
        this.path = path;
    }

    public String path() {
        return path;
    }

    private record Versioned(LedgerList list, int version) {
    }

    /** Makes it with an empty list where it is not there. @param level see {@link LedgerList#level} */
    void create(UUID storeId, int level, Deadline deadline) throws IOException {
        try {
            session.createAbove(path, deadline);
            session.call(deadline, zooKeeper -> zooKeeper.create(path, LedgerList.empty(storeId, level).bytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT));
        } catch (KeeperException.NodeExistsException e) {
            return;
        } catch (KeeperException e) {
            throw refused(e);
        }
    }

    /** The list as it is, or was a moment ago: a ZooKeeper server may lag behind others. */
    public LedgerList read(Deadline deadline) throws IOException {
        return versioned(deadline).list;
    }

    /** The same for who looks again and again, and asks ZooKeeper only where it has changed: until then it is the same object. */
    public LedgerList watched(Deadline deadline) throws IOException {
        byte[] bytes = session.watched(path, deadline);
        if (bytes == null) {
            throw refused(new KeeperException.NoNodeException(path));
        }
        Parsed now = parsed;
        if (now == null || now.bytes != bytes) {
            now = new Parsed(bytes, LedgerList.parse(bytes, path));
            parsed = now;
        }
        return now.list;
    }

    private record Parsed(byte[] bytes, LedgerList list) {
    }

    private Versioned versioned(Deadline deadline) throws IOException {
        try {
            Stat stat = new Stat();
            byte[] bytes = session.call(deadline, zooKeeper -> zooKeeper.getData(path, false, stat));
            return new Versioned(LedgerList.parse(bytes, path), stat.getVersion());
        } catch (KeeperException e) {
            throw refused(e);
        }
    }

    /** The list as it is: nothing that was changed before this was called is missing in it. */
    public LedgerList readNewest(Deadline deadline) throws IOException {
        while (true) {
            Versioned found = versioned(deadline);
            try {
                session.call(deadline, zooKeeper -> zooKeeper.setData(path, found.list.bytes(), found.version));
                return found.list;
            } catch (KeeperException.BadVersionException e) {
                if (deadline.isOver()) {
                    throw new IOException("the list of ledgers in znode " + path + " changes all the time", e);
                }
            } catch (KeeperException e) {
                throw refused(e);
            }
        }
    }

    /**
     * Changes the list.
     *
     * @param change what to make of the list there is; asked again where somebody else was faster or the answer was lost, so a list that has
     *     the change already is returned as it is. What it throws ends this
     * @return the list with the change
     */
    LedgerList change(Deadline deadline, UnaryOperator<LedgerList> change) throws IOException {
        while (true) {
            Versioned found = versioned(deadline);
            LedgerList next = change.apply(found.list);
            if (next.equals(found.list)) {
                return next;
            }
            try {
                session.call(deadline, zooKeeper -> zooKeeper.setData(path, next.bytes(), found.version));
                return next;
            } catch (KeeperException.BadVersionException e) {
                if (deadline.isOver()) {
                    throw new IOException("the list of ledgers in znode " + path + " changes all the time", e);
                }
                deadline.pause();
            } catch (KeeperException e) {
                throw refused(e);
            }
        }
    }

    private IOException refused(KeeperException e) {
        return e instanceof KeeperException.NoNodeException ? new IOException("there is no log at znode " + path, e)
                : ZooKeeperSession.refused(path, e);
    }

    /** @throws StoreException of kind OUTDATED where the log begins behind a transaction that somebody needs */
    public void checkReachesBack(LedgerList list, long sequence) {
        if (list.firstSequence() > sequence) {
            throw new StoreException(StoreException.Kind.OUTDATED, "the log at znode " + path + " begins with transaction "
                    + list.firstSequence() + " of generation " + list.data().generation() + ", and " + sequence
                    + " is needed: the replica needs a copy of another one");
        }
    }

    /** @throws StoreException where the list is another store's */
    public static void checkStore(LedgerList list, UUID storeId, String path) {
        if (!list.storeId().equals(storeId)) {
            throw new StoreException(StoreException.Kind.REFUSED, "znode " + path + " is the log of store " + list.storeId()
                    + ", not of " + storeId);
        }
    }
}
