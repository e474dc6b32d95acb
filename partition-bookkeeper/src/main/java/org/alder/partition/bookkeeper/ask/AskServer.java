package org.alder.partition.bookkeeper.ask;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.alder.partition.bookkeeper.copy.CopySockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where other members ask this one. Each connection has two threads; there are {@value #MOST_CONNECTIONS} at most, and those on which nobody
 * has said who he is are closed after {@value AskSession#HELLO_MILLIS} ms. Thread safe; its owner closes it.
 */
public final class AskServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(AskServer.class);
    static final int MOST_CONNECTIONS = 32;
    private static final int LOOK_MILLIS = 500;

    private final ServerSocket socket;
    private final String name;
    private final Set<AskSession> sessions = ConcurrentHashMap.newKeySet();
    private final Thread accepting;
    private volatile Function<byte[], CompletableFuture<byte[]>> answering;
    private volatile boolean closing;

    private AskServer(ServerSocket socket, String name) throws IOException {
        this.socket = socket;
        this.name = name;
        this.accepting = new Thread(this::accept, "asked-" + socket.getLocalPort());
        socket.setSoTimeout(LOOK_MILLIS);
        accepting.setDaemon(true);
        accepting.start();
    }

    /**
     * Starts one, which answers nothing before {@link #answerWith}.
     *
     * @param sockets what it listens with
     * @param name    of this member
     * @param port    0 for any that is free
     * @throws IOException where the port is taken, naming it
     */
    public static AskServer start(CopySockets sockets, String name, String host, int port) throws IOException {
        try {
            return new AskServer(sockets.listening(port, MOST_CONNECTIONS, InetAddress.getByName(host)), name);
        } catch (IOException e) {
            throw new IOException("other members cannot hand on updates at " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    public int port() {
        return socket.getLocalPort();
    }

    /** What answers from now on. @param with null for nothing any more; must not block */
    public void answerWith(Function<byte[], CompletableFuture<byte[]>> with) {
        answering = with;
    }

    private void accept() {
        while (!closing) {
            try {
                begin(socket.accept());
            } catch (SocketTimeoutException e) {
                LOG.trace("nobody connects");
            } catch (IOException e) {
                if (!closing) {
                    LOG.warn("Other members cannot ask at port {}: {}", port(), e.toString());
                    pause();
                }
            }
            sessions.forEach(AskSession::endIfUnknown);
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
            LOG.warn("{} is not let in: {} others are connected where members ask each other, and that is the most", connection.getRemoteSocketAddress(),
                    MOST_CONNECTIONS);
            connection.close();
            return;
        }
        AskSession session = new AskSession(connection, name, () -> answering, sessions::remove);
        sessions.add(session);
        session.start();
    }

    @Override
    public void close() throws IOException {
        closing = true;
        socket.close();
        sessions.forEach(AskSession::end);
    }
}
