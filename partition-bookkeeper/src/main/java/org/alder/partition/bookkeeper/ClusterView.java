package org.alder.partition.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import org.alder.partition.bookkeeper.compare.Results;
import org.alder.partition.bookkeeper.election.ElectionNodes;
import org.alder.partition.bookkeeper.election.MemberState;
import org.alder.partition.bookkeeper.level.BuildNodes;
import org.alder.partition.bookkeeper.level.LevelNode;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.FlushedNodes.Flushed;
import org.alder.partition.bookkeeper.log.FlushedNodes;
import org.alder.partition.bookkeeper.log.LedgerList;
import org.alder.partition.bookkeeper.log.LedgerListNode;
import org.alder.partition.bookkeeper.roster.MemberNodes;
import org.alder.partition.bookkeeper.roster.PlacementNode;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Build;
import org.alder.partition.store.ClusterService.Status;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.Comparison;
import org.alder.partition.store.FeatureLevel;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;

/**
 * What ZooKeeper knows of the members that share a log, and what administrators change of it. Needs no bookies. Safe for several threads;
 * whoever makes it closes it.
 */
public final class ClusterView implements Closeable {
    private static final int LEAST_HOLDERS = 2;

    private final ZooKeeperSession session;
    private final int limitMillis;
    private final String path;
    private final LedgerListNode ledgers;

    /** @param path of the log's znode */
    public ClusterView(ClusterSettings settings, String path) {
        this(new ZooKeeperSession(settings.zooKeeper(), settings.sessionMillis()), settings.resolveMillis(), path);
    }

    /** @param session that is closed with this; a view that is not closed leaves it to whoever has it */
    ClusterView(ZooKeeperSession session, int limitMillis, String path) {
        this.session = session;
        this.limitMillis = limitMillis;
        this.path = path;
        this.ledgers = new LedgerListNode(session, path);
    }

    /**
     * A member.
     *
     * @param state     what it tells of itself; null where it is not there
     * @param flushed   the last transaction that it has in its segments; -1 where it has told none
     * @param isDropped whether the log waits for it no more, as it was too far behind
     * @param copying   how far it is with a copy of another one's store; null where it takes none
     * @param build     that it runs, or has run when it was here; null where it has told none
     */
    public record Member(String name, MemberState state, long flushed, boolean isDropped, ClusterService.Copying copying, Build build) {
    }

    /**
     * All of them, by name.
     *
     * @param leader        the name of whoever has the lock; null where nobody has
     * @param epoch         of the log
     * @param firstSequence the first transaction in the log
     * @param parts         of the log
     * @param comparison    the last one; null where there was none
     * @param level         of the cluster
     */
    public record Members(String leader, long epoch, long firstSequence, int parts, List<Member> members,
            Comparison comparison, int level, List<String> holders) {
        /** As others are told. @param logBytes -1 where that is not known */
        Status status(long logBytes) {
            long last = members.stream().filter(each -> each.state() != null && each.name().equals(leader))
                    .mapToLong(each -> each.state().sequence()).findFirst().orElse(-1);
            return new Status(leader, epoch, firstSequence, parts, logBytes, members.stream().map(member -> shown(member, last)).toList(), comparison,
                    level, holders);
        }

        private static ClusterService.Member shown(Member member, long leaderSequence) {
            MemberState state = member.state();
            if (state == null) {
                return new ClusterService.Member(member.name(), null, null, 0, 0, 0, member.flushed(), member.isDropped(), null,
                        member.copying(), member.build());
            }
            return new ClusterService.Member(member.name(), state.url(), state.role(), state.epoch(), state.sequence(),
                    Math.max(0, leaderSequence - state.sequence()), member.flushed(), member.isDropped(),
                    state.problem().equals("-") ? null : state.problem(), member.copying(), member.build());
        }
    }

    /** @throws IOException where ZooKeeper does not answer, or there is no log */
    public Members members() throws IOException {
        Deadline deadline = Deadline.in(limitMillis);
        LedgerList list = ledgers.watched(deadline);
        Map<String, Flushed> flushed = new FlushedNodes(session, path).all(deadline);
        Map<String, MemberState> states = states(deadline);
        CopyNodes copies = new CopyNodes(session, path);
        List<Member> members = new ArrayList<>();
        Map<String, Object> names = new TreeMap<>(flushed);
        names.putAll(states);
        for (String name : names.keySet()) {
            Flushed known = flushed.get(name);
            members.add(new Member(name, states.get(name), known == null ? -1 : known.sequence(), known != null && known.isDropped(),
                    copies.of(name, deadline), states.containsKey(name) ? BuildNodes.running(session, path, name, deadline) : BuildNodes.last(session, name, deadline)));
        }
        byte[] leader = session.watched(ElectionNodes.leader(path), deadline);
        return new Members(leader == null ? null : new String(leader, StandardCharsets.US_ASCII), list.epoch(), list.firstSequence(),
                list.ledgers().size(), members, Results.last(new CompareNodes(session, limitMillis, path)), new LevelNode(session).watched(deadline),
                new PlacementNode(session, path).members(deadline));
    }

    /** What those that are there tell of themselves, by name. */
    Map<String, MemberState> states(Deadline deadline) throws IOException {
        Map<String, MemberState> states = new TreeMap<>();
        String folder = ElectionNodes.members(path);
        session.below(folder, deadline).forEach((name, content) -> states.put(name, MemberState.parse(content, folder + "/" + name)));
        return states;
    }

    /** Asks the leader to hand over to a member. It does so soon, or forgets it where that one is not there: {@link #members} tells. */
    public void moveLeader(String name) throws IOException {
        byte[] content = name.getBytes(StandardCharsets.US_ASCII);
        String node = ElectionNodes.move(path);
        Deadline deadline = Deadline.in(limitMillis);
        while (!isAsked(node, content, deadline)) {
            if (deadline.isOver()) {
                throw new IOException("znode " + node + " comes and goes all the time");
            }
            deadline.pause();
        }
    }

    /** False where the leader takes a wish that was there, or somebody else has another one, at the same time. A log that is not there is not made. */
    private boolean isAsked(String node, byte[] content, Deadline deadline) throws IOException {
        boolean isThere = session.content(node, deadline) != null;
        try {
            if (isThere) {
                session.call(deadline, zooKeeper -> zooKeeper.setData(node, content, -1));
            } else {
                session.call(deadline, zooKeeper -> zooKeeper.create(node, content, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
            }
            return true;
        } catch (KeeperException e) {
            if (e instanceof KeeperException.NodeExistsException || isThere && e instanceof KeeperException.NoNodeException) {
                return false;
            }
            throw ZooKeeperSession.refused(node, e);
        }
    }

    /** Asks the leader to have the members compared now. @return the number of the comparison that is awaited */
    public long compare() throws IOException {
        return Results.ask(new CompareNodes(session, limitMillis, path));
    }

    /** The log waits no more for a member that is gone for good. */
    public void forget(String name) throws IOException {
        new FlushedNodes(session, path).remove(name, Deadline.in(limitMillis));
    }

    /**
     * Says who is to hold the store from now on. Those that are here see it within a second.
     *
     * @param names null for all members
     * @throws StoreException of kind REFUSED where members have a build that does not know that, or one of these is none
     */
    public void place(List<String> names) throws IOException {
        Deadline deadline = Deadline.in(limitMillis);
        int level = new LevelNode(session).level(deadline);
        if (level < FeatureLevel.PLACED_STORES) {
            throw new StoreException(StoreException.Kind.REFUSED, "the cluster has feature level " + level + ", at which all members hold all: \"cluster upgrade\" raises it to "
                    + FeatureLevel.PLACED_STORES + " when all have a build that knows it");
        }
        List<String> known = new MemberNodes(session).names(deadline);
        String unknown = names == null ? null : names.stream().filter(each -> !known.contains(each)).findFirst().orElse(null);
        if (names != null && names.size() < LEAST_HOLDERS) {
            throw new StoreException(StoreException.Kind.REFUSED, path + " is to be held by " + LEAST_HOLDERS + " members or more: what one disk has alone is lost with it");
        } else if (unknown != null) {
            throw new StoreException(StoreException.Kind.REFUSED, unknown + " cannot hold " + path + ": the members are " + String.join(", ", new TreeSet<>(known)));
        }
        ledgers.read(deadline);
        new PlacementNode(session, path).put(names, deadline);
    }

    @Override
    public void close() throws IOException {
        session.close();
    }
}
