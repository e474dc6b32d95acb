package org.alder.partition.bookkeeper.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.SharedSchema;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;

/**
 * {@link SharedSchema} in ZooKeeper, a znode for each version (docs/format/replicated-log.md), and what of it this member has, which the
 * readers of its logs ask. Thread safe.
 */
public final class SchemaVersions implements SharedSchema {
    static final String PATH = "/alder/schema";
    /** Its version counts the turns. Not one of ten digits, so that no build takes it for a version of the schema. */
    private static final String TURN = PATH + "/turn";
    /** A reader waits so long for a version before it says that it lacks it. */
    private static final int AWAIT_MILLIS = 1000;

    private final ZooKeeperSession session;
    private final NumberedNodes<Version> nodes;
    private final int limitMillis;
    private volatile String logs;
    private volatile String name;
    private long adopted;
    private String hindrance;

    SchemaVersions(ZooKeeperSession session, int limitMillis) {
        this.session = session;
        this.nodes = new NumberedNodes<>(session, PATH, limitMillis, SchemaVersionText::parse);
        this.limitMillis = limitMillis;
    }

    /**
     * Who makes versions here.
     *
     * @param above  what stands before the names of the logs, as paths of their znodes
     * @param member the name by which this member leads
     */
    public SchemaVersions of(String above, String member) {
        logs = above;
        name = member;
        return this;
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
    public boolean publish(Version version, Held held) throws IOException {
        byte[] content = SchemaVersionText.bytes(version);
        if (content.length > NumberedNodes.MOST_BYTES) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "the definitions that were added to the schema would take " + content.length
                    + " bytes, and the cluster keeps at most " + NumberedNodes.MOST_BYTES + ": put some into files of the configuration (schemaFile), on all members");
        }
        Deadline deadline = limit();
        while (true) {
            List<Op> steps = steps(version, held, content, deadline);
            if (steps == null) {
                return isThere(version, content, deadline);
            }
            try {
                session.createAbove(nodes.node(version.number()), deadline);
                session.call(deadline, zooKeeper -> zooKeeper.multi(steps));
                nodes.forgetBefore(version.number(), deadline);
                return true;
            } catch (KeeperException.NodeExistsException e) {
                return isThere(version, content, deadline);
            } catch (KeeperException.BadVersionException e) {
                if (deadline.isOver()) {
                    throw new IOException("the lists of ledgers change all the time", e);
                }
                deadline.pause();
            } catch (KeeperException e) {
                throw ZooKeeperSession.refused(nodes.node(version.number()), e);
            }
        }
    }

    /** The answer to the first try may have been lost, and what hinders the next one may have come behind it: then that was made, and is shown. */
    private boolean isThere(Version version, byte[] content, Deadline deadline) throws IOException {
        return Arrays.equals(content, session.content(nodes.node(version.number()), deadline));
    }

    /** The turn has not ended, none of the logs is another leader's, and the version is there: all at once. Null where one is. */
    private List<Op> steps(Version version, Held held, byte[] content, Deadline deadline) throws IOException, StoreException {
        List<Op> steps = new ArrayList<>();
        if (held != Held.ALONE) {
            if (turn() != held.turn()) {
                return null;
            }
            steps.add(Op.check(TURN, (int) held.turn()));
        }
        for (Map.Entry<String, Position> each : version.behind().entrySet()) {
            String path = logs + each.getKey();
            Stat stat = new Stat();
            try {
                LedgerList list = LedgerList.parse(session.call(deadline, zooKeeper -> zooKeeper.getData(path, false, stat)), path);
                if (list.epoch() != each.getValue().epoch() || !list.leader().equals(held.leaders().getOrDefault(each.getKey(), name))) {
                    return null;
                }
            } catch (KeeperException e) {
                throw ZooKeeperSession.refused(path, e);
            }
            steps.add(Op.check(path, stat.getVersion()));
        }
        steps.add(Op.create(nodes.node(version.number()), content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        return steps;
    }

    @Override
    public long turn() throws IOException {
        Deadline deadline = limit();
        Stat stat = new Stat();
        while (session.content(TURN, stat, deadline) == null) {
            try {
                session.createAbove(TURN, deadline);
                session.call(deadline, zooKeeper -> zooKeeper.create(TURN, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            } catch (KeeperException.NodeExistsException e) {
                deadline.pause();
            } catch (KeeperException e) {
                throw ZooKeeperSession.refused(TURN, e);
            }
        }
        return stat.getVersion();
    }

    /**
     * Whoever makes a version in a turn does so in one step with a look at the number of the turn, which is another one from here on. What was made before
     * this the session sees: a server of ZooKeeper answers in the order in which all of them have changed something, this here and what was refused included.
     */
    @Override
    public void endTurn(long turn) throws IOException {
        try {
            session.call(limit(), zooKeeper -> zooKeeper.setData(TURN, new byte[0], (int) turn));
        } catch (KeeperException.BadVersionException e) {
            // Somebody else was first, or the answer to the first try was lost.
            return;
        } catch (KeeperException e) {
            throw ZooKeeperSession.refused(TURN, e);
        }
    }

    @Override
    public synchronized long adopted() {
        return adopted;
    }

    @Override
    public synchronized void adopted(long number) {
        adopted = number;
        hindrance = null;
        notifyAll();
    }

    @Override
    public synchronized void hindered(String why) {
        hindrance = why;
    }

    /** @throws IOException saying why, where this member cannot go by the schema of the others */
    public synchronized void requireUnhindered() throws IOException {
        if (hindrance != null) {
            throw new IOException(hindrance);
        }
    }

    /** Waits a moment for a version that a log needs. @throws IOException where this member does not have it then */
    synchronized void require(long number) throws IOException {
        Deadline deadline = Deadline.in(AWAIT_MILLIS);
        while (adopted < number) {
            requireUnhindered();
            if (deadline.isOver()) {
                throw new IOException("the log goes on with version " + number + " of the cluster's schema, and this member has " + adopted);
            }
            try {
                wait(deadline.leftMillis());
            } catch (InterruptedException e) {
                throw Deadline.interrupted(e);
            }
        }
    }

    /** What a leader writes is checked by the newest version. @throws IOException where this member does not have that yet */
    public void requireNewest() throws IOException {
        List<Long> numbers = nodes.numbers(limit());
        if (!numbers.isEmpty()) {
            require(numbers.get(numbers.size() - 1));
        }
    }
}
