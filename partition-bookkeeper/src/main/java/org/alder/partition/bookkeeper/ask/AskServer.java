package org.alder.partition.bookkeeper.ask;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.alder.partition.bookkeeper.socket.SessionPort;
import org.alder.partition.bookkeeper.socket.Sockets;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where other members ask this one. Each connection has two threads; there are {@value #MOST_CONNECTIONS} at most, and those on which nobody
 * has said who he is are closed after {@value AskSession#HELLO_MILLIS} ms. Thread safe; its owner closes it.
 */
public final class AskServer implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(AskServer.class);
    static final int MOST_CONNECTIONS = 32;

    private final String name;
    private volatile Function<byte[], CompletableFuture<byte[]>> answering;
    private final SessionPort port;

    private AskServer(ServerSocket socket, String name) throws IOException {
        this.name = name;
        this.port = new SessionPort(socket, "asked", MOST_CONNECTIONS, new Sessions());
    }

    /**
     * Starts one, which answers nothing before {@link #answerWith}.
     *
     * @param sockets what it listens with
     * @param name    of this member
     * @param port    0 for any that is free
     * @throws IOException where the port is taken, naming it
     */
    public static AskServer start(Sockets sockets, String name, String host, int port) throws IOException {
        try {
            return new AskServer(sockets.listening(port, MOST_CONNECTIONS, InetAddress.getByName(host)), name);
        } catch (IOException e) {
            throw new IOException("other members cannot hand on updates at " + host + ":" + port + ": " + e.getMessage(), e);
        }
    }

    public int port() {
        return port.port();
    }

    /** What answers from now on. @param with null for nothing any more; must not block */
    public void answerWith(Function<byte[], CompletableFuture<byte[]>> with) {
        answering = with;
    }

    private final class Sessions implements SessionPort.Owner {
        @Override
        public SessionPort.Session session(Socket connection, Consumer<SessionPort.Session> ended) {
            return new AskSession(connection, name, () -> answering, ended);
        }

        @Override
        public void refused(Socket connection) {
            LOG.warn("{} is not let in: {} others are connected where members ask each other, and that is the most", connection.getRemoteSocketAddress(),
                    MOST_CONNECTIONS);
        }

        @Override
        public void failed(int at, IOException cause) {
            LOG.warn("Other members cannot ask at port {}: {}", at, cause.toString());
        }
    }

    @Override
    public void close() throws IOException {
        port.close();
    }
}
