package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
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
final class SchemaVersions implements SharedSchema {
    static final String PATH = "/alder/schema";
    /** ZooKeeper takes 1 MiB. */
    static final int MOST_BYTES = 900_000;
    /** A member that is further behind goes on with the first one there is. */
    static final int MOST_KEPT = 100;
    /** A reader waits so long for a version before it says that it lacks it. */
    private static final int AWAIT_MILLIS = 1000;

    private final ZooKeeperSession session;
    private final int limitMillis;
    private volatile String logs;
    private volatile String name;
    private long adopted;
    private String hindrance;

    SchemaVersions(ZooKeeperSession session, int limitMillis) {
        this.session = session;
        this.limitMillis = limitMillis;
    }

    /**
     * Who makes versions here.
     *
     * @param above  what stands before the names of the logs, as paths of their znodes
     * @param member the name by which this member leads
     */
    SchemaVersions of(String above, String member) {
        logs = above;
        name = member;
        return this;
    }

    private Deadline limit() {
        return Deadline.in(limitMillis);
    }

    private static String node(long number) {
        return String.format(Locale.ROOT, "%s/%010d", PATH, number);
    }

    /** In their order. */
    private List<Long> numbers(Deadline deadline) throws IOException {
        return session.children(PATH, deadline).stream().filter(each -> each.matches("[0-9]{10}")).map(Long::valueOf).sorted().toList();
    }

    @Override
    public Version newest() throws IOException {
        List<Long> numbers = numbers(limit());
        return numbers.isEmpty() ? null : version(numbers.get(numbers.size() - 1));
    }

    @Override
    public Version next(long number) throws IOException {
        for (long each : numbers(limit())) {
            Version found = each > number ? version(each) : null;
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Null where it is not kept any more. */
    private Version version(long number) throws IOException {
        byte[] content = session.content(node(number), limit());
        return content == null ? null : SchemaVersionText.parse(content, node(number));
    }

    @Override
    public boolean publish(Version version) throws IOException {
        byte[] content = SchemaVersionText.bytes(version);
        if (content.length > MOST_BYTES) {
            throw new StoreException(StoreException.Kind.TOO_LARGE, "the definitions that were added to the schema would take " + content.length
                    + " bytes, and the cluster keeps at most " + MOST_BYTES + ": put some into files of the configuration (schemaFile), on all members");
        }
        Deadline deadline = limit();
        while (true) {
            List<Op> steps = steps(version, content, deadline);
            if (steps == null) {
                return false;
            }
            try {
                LedgerListNode.createAbove(session, node(version.number()), deadline);
                session.call(deadline, zooKeeper -> zooKeeper.multi(steps));
                forget(version.number() - MOST_KEPT, deadline);
                return true;
            } catch (KeeperException.NodeExistsException e) {
                // The answer to the first try may have been lost.
                return Arrays.equals(content, session.content(node(version.number()), deadline));
            } catch (KeeperException.BadVersionException e) {
                if (deadline.isOver()) {
                    throw new IOException("the lists of ledgers change all the time", e);
                }
                deadline.pause();
            } catch (KeeperException e) {
                throw ZooKeeperSession.refused(node(version.number()), e);
            }
        }
    }

    /** None of the logs is another leader's, and the version is there: all at once. Null where one is. */
    private List<Op> steps(Version version, byte[] content, Deadline deadline) throws IOException, StoreException {
        List<Op> steps = new ArrayList<>();
        for (Map.Entry<String, Position> each : version.behind().entrySet()) {
            String path = logs + each.getKey();
            Stat stat = new Stat();
            try {
                LedgerList list = LedgerList.parse(session.call(deadline, zooKeeper -> zooKeeper.getData(path, false, stat)), path);
                if (list.epoch() != each.getValue().epoch() || !list.leader().equals(name)) {
                    return null;
                }
            } catch (KeeperException e) {
                throw ZooKeeperSession.refused(path, e);
            }
            steps.add(Op.check(path, stat.getVersion()));
        }
        steps.add(Op.create(node(version.number()), content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        return steps;
    }

    /** What is left over is forgotten with the next one. */
    private void forget(long upTo, Deadline deadline) throws IOException {
        for (long each : numbers(deadline)) {
            if (each <= upTo) {
                session.remove(node(each), deadline);
            }
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
    synchronized void requireUnhindered() throws IOException {
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
    void requireNewest() throws IOException {
        List<Long> numbers = numbers(limit());
        if (!numbers.isEmpty()) {
            require(numbers.get(numbers.size() - 1));
        }
    }
}
