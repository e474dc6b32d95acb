package org.alder.partition.bookkeeper.copy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.alder.partition.bookkeeper.socket.SessionPort;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives copies of this member's stores to other members that have none, or an outdated one. Each connection holds the segments of one store
 * as they are when it begins, and has a thread; there are four at most. All of them together read no faster than they may. Thread safe;
 * its owner closes it.
 */
public final class CopyServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(CopyServer.class);
    static final int MOST_CONNECTIONS = 4;
    /** So long may the other one take for its next request, or to take an answer. */
    static final int IDLE_MILLIS = 60_000;

    private final Pace pace;
    private final Map<String, Path> stores = new ConcurrentHashMap<>();
    private final SessionPort port;

    private CopyServer(ServerSocket socket, long bytesPerSecond) throws IOException {
        this.pace = new Pace(bytesPerSecond);
        this.port = new SessionPort(socket, "copies", MOST_CONNECTIONS, new Sessions());
    }

    /**
     * Starts one.
     *
     * @param sockets what it listens with
     * @param port    0 for any that is free
     * @throws IOException where the port is taken, naming it
     */
    public static CopyServer start(Sockets sockets, String host, int port, long bytesPerSecond) throws IOException {
        try {
            return new CopyServer(sockets.listening(port, MOST_CONNECTIONS, InetAddress.getByName(host)), bytesPerSecond);
        } catch (IOException e) {
            throw new IOException("copies cannot be given at " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    public int port() {
        return port.port();
    }

    /** From now on copies are given of the store in a folder. @param log the path of its log's znode */
    public void offer(String log, Path store) {
        stores.put(log, store);
    }

    /** No copies are given of it any more, but those that are on their way. */
    public void withdraw(String log) {
        stores.remove(log);
    }

    private final class Sessions implements SessionPort.Owner {
        @Override
        public SessionPort.Session session(Socket connection, Consumer<SessionPort.Session> ended) {
            return new CopySession(connection, stores, pace, ended);
        }

        @Override
        public void refused(Socket connection) {
            LOG.info("A copy is not given to {}: {} are on their way, and that is the most", connection.getRemoteSocketAddress(), MOST_CONNECTIONS);
        }

        @Override
        public void failed(int at, IOException cause) {
            LOG.warn("Copies of stores cannot be given at port {}: {}", at, cause.toString());
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
