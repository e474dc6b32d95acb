package org.alder.partition.bookkeeper.election;

import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.alder.partition.bookkeeper.log.Lease;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.store.Replica;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has whoever leads hand over to a command that puts other data in the place of all there are, when it comes to that: until it is closed
 * nobody else is elected, who would have to be fenced again and again. One thread at a time.
 */
public final class LoadersTurn implements Leadership, Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LoadersTurn.class);
    private static final int HAND_OVER_MILLIS = 60_000;
    private static final String LOADING = "puts other data in the place of those of all members";

    private final LogCluster cluster;
    private final String path;
    private final String name;
    private final String url;
    private ElectionSession session;
    private ElectionNodes nodes;

    /**
     * @param path of the log's znode
     * @param name of the member that stands for the command, and does not run
     * @param url  of that member
     */
    public LoadersTurn(LogCluster cluster, String path, String name, String url) {
        this.cluster = cluster;
        this.path = path;
        this.name = name;
        this.url = url;
    }

    /** @throws StoreException of kind REFUSED where the member runs, or whoever leads does not hand over: nothing was changed */
    @Override
    public Lease lease() {
        Deadline deadline = Deadline.in(HAND_OVER_MILLIS);
        Exception failure = null;
        try {
            while (!deadline.isOver()) {
                try {
                    if (nodes == null) {
                        session = ElectionSession.open(cluster.settings(), cluster.settings().sessionMillis());
                        nodes = new ElectionNodes(session, path, name, cluster.settings().build(), () -> { });
                    }
                    if (isMine()) {
                        return Lease.HELD;
                    }
                } catch (KeeperException | IOException e) {
                    failure = e;
                    close();
                }
                deadline.pause();
            }
        } catch (InterruptedException | IOException e) {
            throw new StoreException(StoreException.Kind.IO, "interrupted while whoever leads was to hand over: nothing was changed", e);
        }
        throw new StoreException(StoreException.Kind.REFUSED, "nothing was changed: for " + HAND_OVER_MILLIS / 1000 + " s nobody has handed the lead over to "
                + name + ", or a member of that name is running" + (failure == null ? "" : ": " + failure.getMessage()), failure);
    }

    private boolean isMine() throws KeeperException, InterruptedException, IOException {
        if (!nodes.enter(new MemberState(url, Replica.Role.REPLICA, 0, 0, LOADING))) {
            return false;
        }
        if (nodes.lock()) {
            nodes.forgetWanted();
            return true;
        }
        if (!name.equals(nodes.wanted())) {
            cluster.session().put(ElectionNodes.move(path), name.getBytes(StandardCharsets.US_ASCII), CreateMode.PERSISTENT,
                    Deadline.in(cluster.settings().resolveMillis()));
        }
        return false;
    }

    /** Others may be elected. */
    @Override
    public void close() {
        ElectionSession open = session;
        nodes = null;
        session = null;
        if (open != null) {
            try {
                // The nodes end with it.
                open.close();
            } catch (IOException e) {
                LOG.debug("A session ends by itself: {}", e.getMessage());
            }
        }
    }
}
