package org.alder.partition.bookkeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.alder.partition.bookkeeper.copy.RemoteStore;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile.Node;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.error.StoreException;
import org.alder.partition.jdbm.backup.StoreCopy;
import org.alder.partition.jdbm.disk.SystemDisk;
import org.alder.partition.store.ClusterService.Copying;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes a copy of another member's store for this one, of a replica where there is one, and else of the leader. The log is kept from what is
 * copied on: this member says so in ZooKeeper as one that has flushed that. One thread, used once.
 */
final class MemberCopy {
    private static final Logger LOG = LoggerFactory.getLogger(MemberCopy.class);
    /** So long are members waited for that give a copy, from when the last bytes came. */
    private static final int WAIT_MILLIS = 120_000;
    private static final int PAUSE_MILLIS = 1_000;
    private static final long TELL_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final long LOG_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final LogCluster cluster;
    private final String path;
    private final ClusterFile file;
    private final Sockets sockets;
    private final CopyNodes nodes;
    private Deadline waiting = Deadline.in(WAIT_MILLIS);
    private String from;
    private long beginNanos;
    private long toldNanos;
    private long loggedNanos;

    /**
     * @param path    of the log's znode
     * @param sockets what members are connected to with
     */
    MemberCopy(LogCluster cluster, String path, ClusterFile file, Sockets sockets) {
        this.cluster = cluster;
        this.path = path;
        this.file = file;
        this.sockets = sockets;
        this.nodes = new CopyNodes(cluster.session(), path);
    }

    private Deadline limit() {
        return Deadline.in(cluster.settings().resolveMillis());
    }

    /**
     * Puts a copy in the place of the store in a folder; it stays as it is where that fails.
     *
     * @param whenFetched called when all is here, perhaps more than once: from then on nobody may hold that store
     * @throws StoreException of kind OUTDATED where no member gave one for two minutes, DISK_FULL where there is no room
     */
    void into(Path folder, BookKeeperSharedLog log, Runnable whenFetched) throws IOException {
        log.beginCopy();
        try (StoreCopy copy = StoreCopy.open(SystemDisk.INSTANCE, folder, this::progress)) {
            String failure = null;
            while (true) {
                for (Node source : new CopySources(cluster, path, file).now()) {
                    failure = tryToCopy(source, copy, log, whenFetched);
                    if (failure == null) {
                        return;
                    }
                    LOG.warn("The copy of {} from {} failed, and goes on from where it is: {}", path, source.name(), failure);
                }
                if (waiting.isOver() || Thread.currentThread().isInterrupted()) {
                    throw new StoreException(StoreException.Kind.OUTDATED, "the store in " + folder + " is not there or outdated, and no member gave a copy"
                            + " of its own for " + WAIT_MILLIS / 1000 + " s; " + (failure == null ? "none is there that has copy=PORT in "
                                    + "its line and applies the log" : "the last one: " + failure));
                }
                Deadline pause = Deadline.in(PAUSE_MILLIS);
                while (!pause.isOver()) {
                    pause.pause();
                }
            }
        } finally {
            log.endCopy();
            nodes.remove(file.name(), limit());
        }
    }

    /** Null where it is in place; else why it is not, where another member or another try may help. */
    private String tryToCopy(Node source, StoreCopy copy, BookKeeperSharedLog log, Runnable whenFetched) {
        from = source.name();
        beginNanos = System.nanoTime();
        loggedNanos = beginNanos;
        try {
            // What another one is about to flush the log is not to give up before it is known what is copied.
            log.keepBehind(log.firstSequence() - 1);
            try (RemoteStore store = RemoteStore.connect(sockets, source.name(), source.host(), source.copyPort(), path)) {
                long sequence = copy.fetch(store, log.storeId(), log.generation(), kept -> keep(log, kept));
                keep(log, sequence);
                whenFetched.run();
                copy.putInPlace();
                LOG.info("Copied the segments of {} from {}, up to transaction {}: the log has what is behind it", path, from, sequence);
                return null;
            }
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.DISK_FULL || e.kind() == StoreException.Kind.CLOSED) {
                throw e;
            }
            return e.getMessage();
        } catch (IOException e) {
            return e.toString();
        }
    }

    /** @throws IOException where the log does not reach back so far, as when the copy took too long */
    private static void keep(BookKeeperSharedLog log, long sequence) throws IOException {
        log.keepBehind(sequence);
        if (log.firstSequence() > sequence + 1) {
            throw new IOException("what is copied ends with transaction " + sequence + ", but the log begins with " + log.firstSequence()
                    + " by now: the next try copies what is new");
        }
    }

    private void progress(String phase, long doneBytes, long totalBytes, long fetchedBytes) {
        long now = System.nanoTime();
        if (fetchedBytes > 0) {
            waiting = Deadline.in(WAIT_MILLIS);
        }
        if (now - toldNanos < TELL_NANOS) {
            return;
        }
        toldNanos = now;
        Copying copying = new Copying(from, doneBytes, totalBytes, fetchedBytes * TimeUnit.SECONDS.toNanos(1) / Math.max(1, now - beginNanos));
        if (now - loggedNanos >= LOG_NANOS || doneBytes == totalBytes) {
            loggedNanos = now;
            LOG.info("{} {} from {}: {} of {} MiB, {} MiB/s{}", phase, path, from, doneBytes >> 20, totalBytes >> 20, copying.bytesPerSecond() >> 20,
                    copying.secondsLeft() < 0 ? "" : ", " + copying.secondsLeft() + " s left");
        }
        try {
            nodes.put(file.name(), copying, limit());
        } catch (IOException e) {
            LOG.debug("The progress of the copy is told later: {}", e.toString());
        }
    }
}
