package org.alder.partition.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.log.LogCluster;
import org.alder.partition.bookkeeper.member.ClusterFile;
import org.alder.partition.bookkeeper.member.MemberKeys;
import org.alder.partition.bookkeeper.zookeeper.Deadline;
import org.alder.partition.store.ClusterService.Build;

/**
 * A command's connections to a cluster, by the file of a member. Whoever opens it closes it.
 *
 * @param tls closed after the cluster
 */
record CommandConnection(ClusterFile file, Closeable tls, LogCluster cluster) implements Closeable {
    private static final int CONNECT_MILLIS = 20_000;
    private static final int LOOK_MILLIS = 2_000;

    /** @throws org.alder.partition.error.StoreException of kind REFUSED where this build does not go with the level of the cluster */
    static CommandConnection open(Path file, Build build) throws IOException {
        ClusterFile read = ClusterFile.read(file);
        MemberKeys keys = BookKeeperCluster.keys(read);
        Closeable tls = BookKeeperCluster.tls(keys);
        LogCluster cluster = null;
        boolean done = false;
        try {
            cluster = connect(read.zooKeeperAddresses(), keys, build);
            cluster.level().require(build, Deadline.in(cluster.settings().resolveMillis()));
            done = true;
            return new CommandConnection(read, tls, cluster);
        } finally {
            if (!done) {
                close(cluster, tls);
            }
        }
    }

    /**
     * Connects by those servers of ZooKeeper that are there: BookKeeper's client gives up where the first one that it asks is away.
     *
     * @throws IOException where none is, or they do not answer
     */
    private static LogCluster connect(String zooKeeper, MemberKeys keys, Build build) throws IOException {
        Deadline deadline = Deadline.in(CONNECT_MILLIS);
        while (true) {
            String here = Stream.of(zooKeeper.split(",")).filter(CommandConnection::isHere).collect(Collectors.joining(","));
            try {
                if (here.isEmpty()) {
                    throw new IOException("none of the cluster's ZooKeeper servers is there: " + zooKeeper);
                }
                return LogCluster.connect(ClusterSettings.of(here, keys, build));
            } catch (IOException e) {
                if (deadline.isOver() || Thread.currentThread().isInterrupted()) {
                    throw e;
                }
                deadline.pause();
            }
        }
    }

    private static boolean isHere(String address) {
        int colon = address.lastIndexOf(':');
        if (!address.matches(".+:[0-9]{1,5}")) {
            return true;
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))), LOOK_MILLIS);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        close(cluster, tls);
    }

    /** @param cluster null for none */
    private static void close(LogCluster cluster, Closeable tls) throws IOException {
        if (cluster != null) {
            cluster.close();
        }
        tls.close();
    }
}
