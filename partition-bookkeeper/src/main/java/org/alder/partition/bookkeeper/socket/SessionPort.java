package org.alder.partition.bookkeeper.socket;

import java.io.Closeable;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A port at which members connect: each connection is a session, and there are so many at most. Thread safe; its owner closes it. */
public final class SessionPort implements Closeable {
    private static final Logger LOG = LoggerFactory.getLogger(SessionPort.class);
    /** How often sessions are looked at. */
    private static final int LOOK_MILLIS = 500;

    private final ServerSocket socket;
    private final int mostSessions;
    private final Owner owner;
    private final Set<Session> sessions = ConcurrentHashMap.newKeySet();
    private final Thread accepting;
    private volatile boolean closing;

    /** One connection. It closes its socket when it ends. */
    public interface Session {
        /** Begins, on threads of its own. */
        void start();

        /** Ends it where it takes too long. Must not block. */
        void look();

        /** Ends it; it may have ended. */
        void end();
    }

    /** What is said there. Called on the thread of the port. */
    public interface Owner {
        /** @param ended to be told when the session has ended */
        Session session(Socket connection, Consumer<Session> ended);

        /** There are as many as there may be; the connection is closed next. */
        void refused(Socket connection);

        /** Nobody is let in for a moment. */
        void failed(int port, IOException cause);
    }

    /**
     * Lets members in from now on.
     *
     * @param socket closed with this
     * @param name   that of its thread, before the number of the port
     */
    public SessionPort(ServerSocket socket, String name, int mostSessions, Owner owner) throws IOException {
        this.socket = socket;
        this.mostSessions = mostSessions;
        this.owner = owner;
        this.accepting = new Thread(this::accept, name + "-" + socket.getLocalPort());
        socket.setSoTimeout(LOOK_MILLIS);
        accepting.setDaemon(true);
        accepting.start();
    }

    public int port() {
        return socket.getLocalPort();
    }

    private void accept() {
        while (!closing) {
            try {
                begin(socket.accept());
            } catch (SocketTimeoutException e) {
                LOG.trace("nobody connects");
            } catch (IOException e) {
                if (!closing) {
                    owner.failed(port(), e);
                    pause();
                }
            }
            sessions.forEach(Session::look);
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
        if (sessions.size() >= mostSessions) {
            owner.refused(connection);
            connection.close();
            return;
        }
        Session session = owner.session(connection, sessions::remove);
        sessions.add(session);
        session.start();
    }

    @Override
    public void close() throws IOException {
        closing = true;
        socket.close();
        sessions.forEach(Session::end);
    }
}
