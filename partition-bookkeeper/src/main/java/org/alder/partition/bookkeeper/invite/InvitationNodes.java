package org.alder.partition.bookkeeper.invite;

import java.io.IOException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.function.Supplier;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.bookkeeper.zookeeper.ZooKeeperSession;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;

/**
 * The invitations that wait in ZooKeeper. Each is given to whoever asks first and nobody else, as often as that one asks, until he says that he has it or it ends.
 * Safe for several threads and machines.
 */
public final class InvitationNodes {
    static final String FOLDER = "/alder/invitations";
    /** So many may wait at once. */
    static final int MOST = 16;
    /** Whoever asks has not proven who he is, and waits for a thread of his own no longer. */
    private static final int LIMIT_MILLIS = 5_000;

    private final ZooKeeperSession session;
    private final Supplier<Instant> clock;

    public InvitationNodes(ZooKeeperSession session) {
        this(session, Instant::now);
    }

    InvitationNodes(ZooKeeperSession session, Supplier<Instant> clock) {
        this.session = session;
        this.clock = clock;
    }

    private static String node(byte[] id) {
        return FOLDER + "/" + HexFormat.of().formatHex(id);
    }

    /**
     * In the place of one that the same member has. Those that have ended are removed.
     *
     * @throws StoreException of kind REFUSED where too many wait
     */
    void put(byte[] id, String member, byte[] sealed, Deadline deadline) throws IOException {
        int waiting = 0;
        for (String name : session.children(FOLDER, deadline)) {
            byte[] content = session.content(FOLDER + "/" + name, deadline);
            if (content == null) {
                continue;
            }
            InvitationText other = InvitationText.parse(content, FOLDER + "/" + name);
            if (other.member().equals(member) || hasEnded(other)) {
                session.remove(FOLDER + "/" + name, deadline);
            } else {
                waiting++;
            }
        }
        if (waiting >= MOST) {
            throw new StoreException(StoreException.Kind.REFUSED, waiting + " other members are invited and have not come, more than " + MOST
                    + " may not be: wait until one has come or its invitation has ended");
        }
        try {
            session.createAbove(node(id), deadline);
            session.call(deadline, zooKeeper -> zooKeeper.create(node(id), new InvitationText(member, null, sealed).bytes(), ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT));
        } catch (KeeperException.NodeExistsException e) {
            // The answer to the first try was lost.
            return;
        } catch (KeeperException e) {
            throw ZooKeeperSession.refused(node(id), e);
        }
    }

    private boolean hasEnded(InvitationText text) {
        return !clock.get().isBefore(SealedText.ends(text.sealed()));
    }

    /**
     * @return what is sealed; nothing where the asker says that he has it
     * @throws DirectoryException the result, noSuchObject where there is no such invitation, it has ended, or somebody else has it
     */
    public byte[] answer(byte[] bytes) throws IOException, DirectoryException {
        InvitationRequest request = InvitationRequest.parse(bytes);
        String node = node(request.id());
        Deadline deadline = Deadline.in(LIMIT_MILLIS);
        while (true) {
            Stat stat = new Stat();
            byte[] content = session.content(node, stat, deadline);
            InvitationText found = content == null ? null : InvitationText.parse(content, node);
            if (found != null && hasEnded(found)) {
                session.remove(node, deadline);
                found = null;
            }
            if (found == null || found.asker() == null && request.isKept() || found.asker() != null && !MessageDigest.isEqual(found.asker(), request.asker())) {
                throw new DirectoryException(ResultCode.NO_SUCH_OBJECT, "there is no such invitation: it never was, it was used, or it has ended");
            }
            if (request.isKept()) {
                session.remove(node, deadline);
                return null;
            }
            if (found.asker() != null || isGivenTo(request.asker(), found, node, stat, deadline)) {
                return found.sealed();
            }
        }
    }

    /** @return false where somebody else was faster, or the answer to the first try was lost */
    private boolean isGivenTo(byte[] asker, InvitationText found, String node, Stat stat, Deadline deadline) throws IOException {
        try {
            session.call(deadline, zooKeeper -> zooKeeper.setData(node, new InvitationText(found.member(), asker, found.sealed()).bytes(), stat.getVersion()));
            return true;
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            if (deadline.isOver()) {
                throw new IOException("znode " + node + " changes all the time", e);
            }
            deadline.pause();
            return false;
        } catch (KeeperException e) {
            throw ZooKeeperSession.refused(node, e);
        }
    }
}
