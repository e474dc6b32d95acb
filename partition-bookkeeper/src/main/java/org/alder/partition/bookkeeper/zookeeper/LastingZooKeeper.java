package org.alder.partition.bookkeeper.zookeeper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A ZooKeeper server that is started again, from its files, when it could not write them, as where a disk fails for a moment. ZooKeeper by itself goes on with what it has in
 * memory, and writes behind that: then transactions are missing in its files of which it has told others that it has them, and which it lacks when it is
 * started the next time. Started again it takes them from the others. Thread safe; whoever starts it closes it.
 */
public final class LastingZooKeeper implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(LastingZooKeeper.class);
    private static final long LOOK_MILLIS = 500;
    /** So many servers go on without one that lacks something, which may take it from them then. */
    private static final int LEAST_SERVERS = 3;

    private final Path folder;
    private final int number;
    private final List<EmbeddedZooKeeper.Server> servers;
    private final int tickMillis;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;
    /** Null where the last start failed. Written by the thread alone once that runs. */
    private volatile EmbeddedZooKeeper server;
    private long failures;

    private LastingZooKeeper(Path folder, int number, List<EmbeddedZooKeeper.Server> servers, int tickMillis, boolean founds) throws IOException {
        this.folder = folder;
        this.number = number;
        this.servers = List.copyOf(servers);
        this.tickMillis = tickMillis;
        start(founds);
        this.thread = new Thread(this::run, "zookeeper-" + number);
        thread.setDaemon(true);
    }

    /** As {@link EmbeddedZooKeeper#start}. */
    public static LastingZooKeeper start(Path folder, int number, List<EmbeddedZooKeeper.Server> servers, int tickMillis, boolean founds) throws IOException {
        LastingZooKeeper lasting = new LastingZooKeeper(folder, number, servers, tickMillis, founds);
        lasting.thread.start();
        return lasting;
    }

    private void start(boolean founds) throws IOException {
        server = EmbeddedZooKeeper.start(folder, number, servers, tickMillis, founds);
        // Each start begins to count anew.
        failures = EmbeddedZooKeeper.failures();
    }

    /** The one that runs; null where none could be started. */
    EmbeddedZooKeeper server() {
        return server;
    }

    private void run() {
        boolean isTold = false;
        try {
            while (!closing.await(LOOK_MILLIS, TimeUnit.MILLISECONDS)) {
                if (server == null || EmbeddedZooKeeper.failures() > failures) {
                    if (!isTold) {
                        LOG.error("ZooKeeper could not write to {}; it is started again from what is there as soon as that is possible", folder);
                    }
                    isTold = !restart();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Whether it runs. */
    private boolean restart() {
        try {
            EmbeddedZooKeeper failed = server;
            server = null;
            if (failed != null) {
                failed.close();
            }
            if (servers.size() >= LEAST_SERVERS) {
                ZooKeeperFiles.setAsideUnreadable(folder);
            }
            start(false);
            LOG.info("ZooKeeper runs again");
            return true;
        } catch (IOException | RuntimeException e) {
            LOG.debug("ZooKeeper cannot be started again yet", e);
            return false;
        }
    }

    @Override
    public void close() throws IOException {
        closing.countDown();
        // It may wait for the others.
        thread.interrupt();
        Deadline.join(thread);
        if (server != null) {
            server.close();
        }
    }
}
