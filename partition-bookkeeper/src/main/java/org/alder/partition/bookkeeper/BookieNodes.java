package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.error.StoreException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;

/**
 * How many bookies a member has had, in znodes (docs/format/replicated-log.md; do not change without a new version): one on a new disk is another one,
 * with a name of its own. Safe for several threads and machines.
 */
final class BookieNodes {
    private static final String FOLDER = "/alder/bookies";
    private static final Pattern TEXT = Pattern.compile("alder-bookie 1\nnumber ([1-9][0-9]{0,8}) missing ([0-9]{1,9}|-)\n");

    private final ZooKeeperSession session;

    BookieNodes(ZooKeeperSession session) {
        this.session = session;
    }

    /**
     * Of one member.
     *
     * @param number  of its bookie that counts, from 1; those before it have lost what they held
     * @param missing how many ledgers still name one of these, as was told last; -1 where they are not counted yet
     */
    record Bookie(int number, int missing) {
        byte[] bytes() {
            return ("alder-bookie 1\nnumber " + number + " missing " + (missing < 0 ? "-" : missing) + "\n").getBytes(StandardCharsets.US_ASCII);
        }

        /** @throws StoreException of kind CORRUPT, naming the znode */
        static Bookie parse(byte[] bytes, String path) {
            Matcher text = TEXT.matcher(new String(bytes, StandardCharsets.US_ASCII));
            if (!text.matches()) {
                NewerText.refuse(bytes, "alder-bookie 1", path);
                throw new StoreException(StoreException.Kind.CORRUPT, "znode " + path + " is not that of a bookie: expected \"alder-bookie 1\" and a "
                        + "line \"number NUMBER missing LEDGERS\"");
            }
            return new Bookie(Integer.parseInt(text.group(1)), text.group(2).equals("-") ? -1 : Integer.parseInt(text.group(2)));
        }
    }

    /** The name of a member's bookie. No member's name has a dot. */
    static String id(String member, int number) {
        return number == 1 ? member : member + "." + number;
    }

    /** Those of a member that have lost what they held. */
    static List<String> lost(String member, int number) {
        List<String> ids = new ArrayList<>();
        for (int i = 1; i < number; i++) {
            ids.add(id(member, i));
        }
        return ids;
    }

    private static String node(String member) {
        return FOLDER + "/" + member;
    }

    /** By the members' names. */
    Map<String, Bookie> all(Deadline deadline) throws IOException {
        Map<String, Bookie> found = new TreeMap<>();
        for (String member : session.children(FOLDER, deadline)) {
            byte[] content = session.content(node(member), deadline);
            if (content != null) {
                found.put(member, Bookie.parse(content, node(member)));
            }
        }
        return found;
    }

    /** The names of bookies that take requests now, or only reads as their disks are full. */
    List<String> here(Deadline deadline) throws IOException {
        String folder = LogCluster.BOOKKEEPER_ROOT + "/available";
        List<String> here = new ArrayList<>(session.children(folder, deadline));
        here.addAll(session.children(folder + "/readonly", deadline));
        here.remove("readonly");
        return here;
    }

    /** Whether a bookie of this name ever took entries, also before bookies were counted. */
    private boolean wasThere(String id, Deadline deadline) throws IOException {
        return session.content(LogCluster.BOOKKEEPER_ROOT + "/cookies/" + id, deadline) != null;
    }

    /** The number that is to be that of a member's bookie whose disk is empty: one that nobody had. */
    int draw(String member, Deadline deadline) throws IOException {
        boolean wasThere = wasThere(member, deadline);
        return change(member, known -> known != null ? new Bookie(known.number + 1, -1) : wasThere ? new Bookie(2, -1) : new Bookie(1, 0), deadline).number;
    }

    /** The number of a member's bookie that counts, where it says that its disk has a certain one. */
    int confirm(String member, int number, Deadline deadline) throws IOException {
        return change(member, known -> known != null ? known : new Bookie(number, 0), deadline).number;
    }

    /** How many ledgers name a bookie that has lost what it held. */
    void tellMissing(String member, int missing, Deadline deadline) throws IOException {
        change(member, known -> new Bookie(known == null ? 1 : known.number, missing), deadline);
    }

    /** @param change what to make of what there is, null where there is nothing; asked again where somebody else was faster */
    private Bookie change(String member, UnaryOperator<Bookie> change, Deadline deadline) throws IOException {
        String node = node(member);
        while (true) {
            try {
                Stat stat = new Stat();
                byte[] content = content(node, stat, deadline);
                Bookie next = change.apply(content == null ? null : Bookie.parse(content, node));
                if (content == null) {
                    LedgerListNode.createAbove(session, node, deadline);
                    session.call(deadline, zooKeeper -> zooKeeper.create(node, next.bytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
                } else {
                    // Also where nothing changes: what was read may be what was before.
                    session.call(deadline, zooKeeper -> zooKeeper.setData(node, next.bytes(), stat.getVersion()));
                }
                return next;
            } catch (KeeperException.NodeExistsException | KeeperException.BadVersionException e) {
                if (deadline.isOver()) {
                    throw new IOException("znode " + node + " changes all the time", e);
                }
            } catch (KeeperException e) {
                throw ZooKeeperSession.refused(node, e);
            }
            deadline.pause();
        }
    }

    private byte[] content(String node, Stat stat, Deadline deadline) throws IOException, KeeperException {
        try {
            return session.call(deadline, zooKeeper -> zooKeeper.getData(node, false, stat));
        } catch (KeeperException.NoNodeException e) {
            return null;
        }
    }
}
