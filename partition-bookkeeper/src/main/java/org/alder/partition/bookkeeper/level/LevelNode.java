package org.alder.partition.bookkeeper.level;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.NewerText;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.ClusterService.Build;
import org.alder.partition.store.FeatureLevel;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link FeatureLevel} of a cluster, in a znode (docs/format/replicated-log.md; do not change without a new version): no member is started with a build that does not know it,
 * and it is raised to none that a member's build does not know. Both change the znode by compare-and-set, each start too, so that neither misses the other. Safe for several
 * threads and machines.
 */
public final class LevelNode {
    private static final Logger LOG = LoggerFactory.getLogger(LevelNode.class);
    /** What a cluster has keeps below it. */
    private static final String ROOT = "/alder";
    private static final String PATH = ROOT + "/level";
    private static final String HEAD = "alder-level 1";
    private static final Pattern TEXT = Pattern.compile(HEAD + "\nlevel ([1-9][0-9]{0,8}) by ([^\n]{1,100})\n");
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final ZooKeeperSession session;
    /** 0 while it was not looked at. */
    private volatile int known;
    private volatile long lookedNanos;

    public LevelNode(ZooKeeperSession session) {
        this.session = session;
    }

    /**
     * As it was found.
     *
     * @param by      the build that has begun or raised it, as people call it
     * @param version of the znode
     */
    public record Found(int level, String by, int version) {
        private byte[] bytes() {
            return (HEAD + "\nlevel " + level + " by " + by + "\n").getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Null where there is none: the cluster is new, or no member has had a build yet that knows of levels. */
    public Found find(Deadline deadline) throws IOException {
        Stat stat = new Stat();
        byte[] content = session.content(PATH, stat, deadline);
        return content == null ? null : parse(content, stat.getVersion());
    }

    private static Found parse(byte[] content, int version) {
        Matcher text = TEXT.matcher(new String(content, StandardCharsets.UTF_8));
        if (!text.matches()) {
            NewerText.refuse(content, HEAD, PATH);
            throw new StoreException(StoreException.Kind.CORRUPT, "znode " + PATH + " is not that of a feature level: expected \"" + HEAD + "\" and a line \"level NUMBER by BUILD\"");
        }
        return new Found(Integer.parseInt(text.group(1)), text.group(2), version);
    }

    /** As of now. */
    public int level(Deadline deadline) throws IOException {
        learn(find(deadline));
        return known;
    }

    /** The same for who looks again and again: see {@link ZooKeeperSession#watched}. */
    public int watched(Deadline deadline) throws IOException {
        byte[] content = session.watched(PATH, deadline);
        learn(content == null ? null : parse(content, -1));
        return known;
    }

    /** @param found null where there is none */
    private synchronized void learn(Found found) {
        known = Math.max(known, found == null ? FeatureLevel.FIRST : found.level);
    }

    /** As of the last look; the first one where nobody has looked yet. Asks nobody. */
    public int known() {
        return Math.max(known, FeatureLevel.FIRST);
    }

    /** Where the last look was a while ago. */
    public void look(Deadline deadline) throws IOException {
        if (known == 0 || System.nanoTime() - lookedNanos > LOOK_NANOS) {
            lookedNanos = System.nanoTime();
            int before = known;
            if (level(deadline) > before && before > 0) {
                LOG.info("The cluster has feature level {} now, where it had {}: from now on no build goes with it that knows less", known, before);
            }
        }
    }

    /** @throws StoreException of kind REFUSED where a build does not go with the level */
    public void require(Build build, Deadline deadline) throws IOException {
        Found found = find(deadline);
        if (found != null) {
            require(found, build);
        }
        learn(found);
    }

    private static void require(Found found, Build build) {
        String of = "the cluster has feature level " + found.level + ", of the build " + found.by + ", and this is the build " + build.name() + ", which goes with "
                + (build.oldestLevel() == build.newestLevel() ? "level " : "levels " + build.oldestLevel() + " to ") + build.newestLevel() + ": ";
        if (found.level > build.newestLevel()) {
            throw new StoreException(StoreException.Kind.REFUSED, of + "start this member with a newer build");
        } else if (found.level < build.oldestLevel()) {
            throw new StoreException(StoreException.Kind.REFUSED, of + "start all members with a build that goes with both, one after the other, raise the level (cluster upgrade), and then go"
                    + " on with this one");
        }
    }

    /**
     * A member is started with a build.
     *
     * @throws StoreException of kind REFUSED, naming both, where the build does not go with the level
     */
    public void enter(String member, Build build, Deadline deadline) throws IOException {
        byte[] told = BuildNodes.bytes(build);
        String node = BuildNodes.node(member);
        while (true) {
            Found found = find(deadline);
            if (found == null) {
                begin(build, deadline);
            } else {
                require(found, build);
                boolean isKnown = session.content(node, deadline) != null;
                Op tell = isKnown ? Op.setData(node, told, -1) : Op.create(node, told, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
                if (isDone(node, List.of(Op.setData(PATH, found.bytes(), found.version), tell), deadline)) {
                    learn(found);
                    return;
                }
            }
            deadline.pause();
        }
    }

    /** What a new cluster begins with is the newest that this build knows; one of members of before has the first. */
    private void begin(Build build, Deadline deadline) throws IOException {
        int first = session.children(ROOT, deadline).isEmpty() ? build.newestLevel() : FeatureLevel.FIRST;
        byte[] text = new Found(first, BuildNodes.name(build), 0).bytes();
        isDone(PATH, List.of(Op.create(PATH, text, ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT)), deadline);
    }

    /**
     * Raises it, if nobody has changed it and no member was started since it was found.
     *
     * @param found before it was found out that all members know the next level
     */
    public boolean raise(Found found, Build build, Deadline deadline) throws IOException {
        Found next = new Found(build.newestLevel(), BuildNodes.name(build), found.version);
        boolean isRaised = isDone(PATH, List.of(Op.setData(PATH, next.bytes(), found.version)), deadline);
        if (isRaised) {
            learn(next);
        }
        return isRaised;
    }

    /** Whether these are done now, all at once; not where somebody else was faster, or an answer was lost. @param node that may have to be made, below others */
    private boolean isDone(String node, List<Op> steps, Deadline deadline) throws IOException {
        try {
            session.createAbove(node, deadline);
            session.call(deadline, zooKeeper -> zooKeeper.multi(steps));
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NodeExistsException | KeeperException.NoNodeException e) {
            if (deadline.isOver()) {
                throw new IOException("znode " + PATH + " changes all the time", e);
            }
            return false;
        } catch (KeeperException e) {
            throw ZooKeeperSession.refused(node, e);
        }
    }
}
