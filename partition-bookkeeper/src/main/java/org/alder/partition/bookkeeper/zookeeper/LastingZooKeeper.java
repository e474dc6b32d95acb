package org.alder.partition.bookkeeper.zookeeper;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A ZooKeeper server that is started again, from its files, when it could not write them, as where a disk fails for a moment. ZooKeeper by itself goes on with what it has in
 * memory, and writes behind that: then transactions are missing in its files of which it has told others that it has them, and which it lacks when it is
 * started the next time. So it is ended before it can go on ({@link ServerFailures}); started again it takes what it lacks from the others. Thread safe; whoever starts it closes it.
 */
public final class LastingZooKeeper implements Closeable {
    private static final long LOOK_MILLIS = 500;
    /** So many servers go on without one that lacks something, which may take it from them then. */
    private static final int LEAST_SERVERS = 3;

    private final Path folder;
    private final int number;
    private final List<EmbeddedZooKeeper.Server> servers;
    private final int tickMillis;
    private final Restarting restarting;
    /** Null where the last start failed. Written by whoever starts it again alone once that looks. */
    private volatile EmbeddedZooKeeper server;
    private volatile long failures;
    private final Runnable failed;

    private LastingZooKeeper(Path folder, int number, List<EmbeddedZooKeeper.Server> servers, int tickMillis, boolean founds) throws IOException {
        this.folder = folder;
        this.number = number;
        this.servers = List.copyOf(servers);
        this.tickMillis = tickMillis;
        start(founds);
        this.restarting = Restarting.watch(new Restarting.Words("ZooKeeper could not write to " + folder + "; it is started again from what is there as soon as that is possible",
                "ZooKeeper runs again"), LOOK_MILLIS, () -> server != null && ServerFailures.count() <= failures, this::restart, "zookeeper-" + number);
        this.failed = restarting::look;
        ServerFailures.watch(failed);
    }

    /** As {@link EmbeddedZooKeeper#start}. */
    public static LastingZooKeeper start(Path folder, int number, List<EmbeddedZooKeeper.Server> servers, int tickMillis, boolean founds) throws IOException {
        return new LastingZooKeeper(folder, number, servers, tickMillis, founds);
    }

    private void start(boolean founds) throws IOException {
        long before = ServerFailures.count();
        server = EmbeddedZooKeeper.start(folder, number, servers, tickMillis, founds);
        failures = before;
    }

    /** The one that runs; null where none could be started. */
    EmbeddedZooKeeper server() {
        return server;
    }

    private void restart() throws IOException {
        EmbeddedZooKeeper before = server;
        server = null;
        if (before != null) {
            ServerFailures.end(before);
        }
        if (servers.size() >= LEAST_SERVERS) {
            ZooKeeperFiles.setAsideUnreadable(folder);
        }
        start(false);
    }

    @Override
    public void close() throws IOException {
        ServerFailures.unwatch(failed);
        restarting.close();
        if (server != null) {
            ServerFailures.end(server);
        }
    }
}
