package org.alder.partition.bookkeeper.bookie;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.apache.bookkeeper.net.BookieId;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;

/**
 * How many bookies a member has had, in znodes (docs/format/replicated-log.md; do not change without a new version): one on a new disk is another one,
 * with a name of its own. Safe for several threads and machines.
 */
public final class BookieNodes {
    private static final String FOLDER = "/alder/bookies";
    private static final String REMOVED = "/alder/removed";
    private static final String AVAILABLE = LogCluster.BOOKKEEPER_ROOT + "/available";
    private static final byte[] REMOVED_TEXT = "alder-removed 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern TEXT = Pattern.compile("alder-bookie 1\nnumber ([1-9][0-9]{0,8}) missing ([0-9]{1,9}|-)\n");

    private final ZooKeeperSession session;

    public BookieNodes(ZooKeeperSession session) {
        this.session = session;
    }

    /**
     * Of one member.
     *
     * @param number  of its bookie that counts, from 1; those before it have lost what they held
     * @param missing of how many ledgers it lacks a copy of something that it is to have, as was told last; -1 where they are not counted yet
     */
    public record Bookie(int number, int missing) {
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
    public static String id(String member, int number) {
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

    /** A bookie, and those of the same member that have lost what they held. */
    static List<String> upTo(String id) {
        int dot = id.lastIndexOf('.');
        List<String> ids = dot < 0 ? new ArrayList<>() : lost(id.substring(0, dot), Integer.parseInt(id.substring(dot + 1)));
        ids.add(id);
        return ids;
    }

    static Set<BookieId> ids(List<String> names) {
        return names.stream().map(BookieId::parse).collect(Collectors.toSet());
    }

    /** The bookies that never come back, as far as is known: those that have lost what they held, and those of members that were removed. */
    Set<String> gone(Deadline deadline) throws IOException {
        Set<String> gone = new HashSet<>();
        Set<String> removed = removed(deadline);
        all(deadline).forEach((member, bookie) -> gone.addAll(lost(member, removed.contains(member) ? bookie.number + 1 : bookie.number)));
        return gone;
    }

    /** The members that were removed. */
    public Set<String> removed(Deadline deadline) throws IOException {
        return Set.copyOf(session.children(REMOVED, deadline));
    }

    /** A member does not come back, as an administrator says. The number of its bookie stays known: one that comes by its name gets another one. */
    public void remove(String member, Deadline deadline) throws IOException {
        session.put(REMOVED + "/" + member, REMOVED_TEXT, CreateMode.PERSISTENT, deadline);
    }

    /** It has come back all the same, or another one by its name. */
    void isBack(String member, Deadline deadline) throws IOException {
        session.remove(REMOVED + "/" + member, deadline);
    }

    private static String node(String member) {
        return FOLDER + "/" + member;
    }

    /** By the members' names. */
    public Map<String, Bookie> all(Deadline deadline) throws IOException {
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
    public List<String> here(Deadline deadline) throws IOException {
        List<String> here = new ArrayList<>(writable(deadline));
        here.addAll(session.children(AVAILABLE + "/readonly", deadline));
        return here;
    }

    /** Whether a member's bookie takes requests now. */
    public boolean isHere(String member, Deadline deadline) throws IOException {
        Bookie known = all(deadline).get(member);
        return known != null && here(deadline).contains(id(member, known.number));
    }

    /** What ZooKeeper has of a bookie that is known not to run any more, and whose session may last for a while. */
    void forget(String id, Deadline deadline) throws IOException {
        session.remove(AVAILABLE + "/" + id, deadline);
        session.remove(AVAILABLE + "/readonly/" + id, deadline);
    }

    /** The names of bookies that take entries now. */
    List<String> writable(Deadline deadline) throws IOException {
        return session.children(AVAILABLE, deadline).stream().filter(each -> !each.equals("readonly")).toList();
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

    /** Of how many ledgers it lacks something; -1 where they are not counted yet. */
    void tellMissing(String member, int missing, Deadline deadline) throws IOException {
        change(member, known -> new Bookie(known == null ? 1 : known.number, missing), deadline);
    }

    /** @param change what to make of what there is, null where there is nothing; asked again where somebody else was faster */
    private Bookie change(String member, UnaryOperator<Bookie> change, Deadline deadline) throws IOException {
        String node = node(member);
        while (true) {
            try {
                Stat stat = new Stat();
                byte[] content = session.content(node, stat, deadline);
                Bookie next = change.apply(content == null ? null : Bookie.parse(content, node));
                if (content == null) {
                    session.createAbove(node, deadline);
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
}
