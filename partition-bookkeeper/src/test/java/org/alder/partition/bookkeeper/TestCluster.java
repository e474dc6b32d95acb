package org.alder.partition.bookkeeper;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.alder.partition.bookkeeper.bookie.EmbeddedBookie;
import org.alder.partition.bookkeeper.level.ThisBuild;
import org.alder.partition.bookkeeper.log.ClusterSettings;
import org.alder.partition.bookkeeper.zookeeper.EmbeddedZooKeeper;
import org.alder.partition.testing.Await;

/** A ZooKeeper server and three bookies in this process, with folders of their own and whichever ports are free. */
public final class TestCluster implements Closeable {
    public static final String HOST = "127.0.0.1";
    public static final UUID STORE = new UUID(7, 9);
    public static final String PATH = "/alder/logs/test";
    public static final int BOOKIES = 3;
    public static final int SESSION_MILLIS = 10_000;
    private static final int TICK_MILLIS = 500;
    private static final int TRIES = 20;
    private static final double MOST_DISK_FILLED = 0.999;

    private final Path folder;
    private final EmbeddedZooKeeper zooKeeper;
    private final EmbeddedBookie[] bookies = new EmbeddedBookie[BOOKIES];
    public final String servers;

    public TestCluster(Path folder) throws IOException {
        this.folder = folder;
        int[] port = new int[1];
        zooKeeper = onFreePort(found -> {
            port[0] = found;
            return EmbeddedZooKeeper.start(folder.resolve("zookeeper-" + found), 1, List.of(new EmbeddedZooKeeper.Server(HOST, found, 0, 0)),
                    TICK_MILLIS, true);
        });
        servers = HOST + ":" + port[0];
        for (int i = 0; i < BOOKIES; i++) {
            start(i);
        }
    }

    /** What is started on a port. */
    public interface Start<T> {
        T on(int port) throws IOException;
    }

    /** Between finding a port and listening on it somebody else may take it: then another one. */
    public static <T> T onFreePort(Start<T> start) throws IOException {
        IOException failure = null;
        for (int i = 0; i < TRIES; i++) {
            try {
                return start.on(freePort());
            } catch (IOException e) {
                failure = e;
            }
        }
        throw failure;
    }

    /** All of them different. */
    public static int[] freePorts(int count) throws IOException {
        List<ServerSocket> sockets = new ArrayList<>();
        try {
            int[] ports = new int[count];
            for (int i = 0; i < count; i++) {
                sockets.add(new ServerSocket(0, 1, InetAddress.getByName(HOST)));
                ports[i] = sockets.get(i).getLocalPort();
            }
            return ports;
        } finally {
            for (ServerSocket socket : sockets) {
                socket.close();
            }
        }
    }

    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getByName(HOST))) {
            return socket.getLocalPort();
        }
    }

    /** Bookies keep their names and folders, and may come back on another port. */
    public void start(int number) throws IOException {
        if (bookies[number] == null) {
            onFreePort(port -> start(number, port));
        }
    }

    public EmbeddedBookie start(int number, int port) throws IOException {
        bookies[number] = EmbeddedBookie.start(new EmbeddedBookie.Place(folder.resolve("bookie-" + number), "bookie-" + number, HOST, port,
                MOST_DISK_FILLED, false), servers, SESSION_MILLIS, null);
        return bookies[number];
    }

    public void stop(int number) {
        if (bookies[number] != null) {
            bookies[number].close();
            bookies[number] = null;
        }
    }

    public EmbeddedBookie bookie(int number) {
        return bookies[number];
    }

    public int running() {
        int count = 0;
        for (EmbeddedBookie bookie : bookies) {
            count += bookie == null ? 0 : 1;
        }
        return count;
    }

    /** Patient: for a busy machine. */
    public ClusterSettings settings() {
        return settings(Await.MILLIS, 64L << 20);
    }

    public ClusterSettings settings(int resolveMillis, long rollBytes) {
        return settings(resolveMillis, rollBytes, 1000);
    }

    ClusterSettings settings(int resolveMillis, long rollBytes, int mostLedgers) {
        return new ClusterSettings(servers, SESSION_MILLIS, 2_000, resolveMillis, Await.MILLIS, rollBytes, mostLedgers, 10,
                "secret".getBytes(StandardCharsets.US_ASCII), null, ThisBuild.BUILD);
    }

    @Override
    public void close() {
        for (int i = 0; i < BOOKIES; i++) {
            stop(i);
        }
        zooKeeper.close();
    }
}
