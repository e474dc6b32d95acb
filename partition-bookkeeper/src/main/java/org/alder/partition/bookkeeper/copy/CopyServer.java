package org.alder.partition.bookkeeper.copy;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
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
    private static final int LOOK_MILLIS = 1000;

    private final ServerSocket socket;
    private final Pace pace;
    private final Map<String, Path> stores = new ConcurrentHashMap<>();
    private final Set<CopySession> sessions = ConcurrentHashMap.newKeySet();
    private final Thread accepting;
    private volatile boolean closing;

    private CopyServer(ServerSocket socket, long bytesPerSecond) throws IOException {
        this.socket = socket;
        this.pace = new Pace(bytesPerSecond);
        this.accepting = new Thread(this::accept, "copies-" + socket.getLocalPort());
        socket.setSoTimeout(LOOK_MILLIS);
        accepting.setDaemon(true);
        accepting.start();
    }

    /**
     * Starts one.
     *
     * @param sockets what it listens with
     * @param port    0 for any that is free
     * @throws IOException where the port is taken, naming it
     */
    public static CopyServer start(CopySockets sockets, String host, int port, long bytesPerSecond) throws IOException {
        try {
            return new CopyServer(sockets.listening(port, MOST_CONNECTIONS, InetAddress.getByName(host)), bytesPerSecond);
        } catch (IOException e) {
            throw new IOException("copies cannot be given at " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    public int port() {
        return socket.getLocalPort();
    }

    /** From now on copies are given of the store in a folder. @param log the path of its log's znode */
    public void offer(String log, Path store) {
        stores.put(log, store);
    }

    private void accept() {
        while (!closing) {
            try {
                begin(socket.accept());
            } catch (SocketTimeoutException e) {
                LOG.trace("nobody asks for a copy");
            } catch (IOException e) {
                if (!closing) {
                    LOG.warn("Copies of stores cannot be given at port {}: {}", port(), e.toString());
                    pause();
                }
            }
            sessions.forEach(session -> session.endIfStuck(TimeUnit.MILLISECONDS.toNanos(IDLE_MILLIS)));
        }
    }

    private void pause() {
        try {
            Thread.sleep(LOOK_MILLIS);
        } catch (InterruptedException e) {
            closing = true;
        }
    }

    private void begin(Socket connection) throws IOException {
        if (sessions.size() >= MOST_CONNECTIONS) {
            LOG.info("A copy is not given to {}: {} are on their way, and that is the most", connection.getRemoteSocketAddress(), MOST_CONNECTIONS);
            connection.close();
            return;
        }
        CopySession session = new CopySession(connection, stores, pace, sessions::remove);
        sessions.add(session);
        Thread thread = new Thread(session, "copy-to-" + connection.getPort());
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() throws IOException {
        closing = true;
        socket.close();
        sessions.forEach(CopySession::end);
    }
}
