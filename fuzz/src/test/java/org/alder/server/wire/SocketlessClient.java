package org.alder.server.wire;

import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.AlderServer;
import org.alder.server.ServerSettings;
import org.alder.server.resource.Counters;
import org.alder.server.resource.RareWarning;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.future.DefaultWriteFuture;
import org.apache.mina.core.future.WriteFuture;
import org.apache.mina.core.session.DummySession;
import org.slf4j.LoggerFactory;

/**
 * Clients of a server without a network between them: what one sends, the thread that sends it handles, as the thread of the socket
 * would; what one is sent is taken at once. One thread; the answers come on any.
 */
public final class SocketlessClient implements AutoCloseable {
    private static final InetSocketAddress ADDRESS = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    private static final int PIECE_BYTES = 2048;

    private final SessionHandler handler;
    private final Session session = new Session();
    private final MessageReceiver receiver;

    /** How clients come to a server. */
    public static final class Entrance {
        private final SessionHandler handler;
        private MessageReceiver last;

        public Entrance(AlderServer server, ServerSettings settings) {
            WireSettings wire = settings.wire();
            MessageReceiver.Factory receivers = connection -> {
                last = server.service().opened(connection);
                return last;
            };
            handler = new SessionHandler(new SessionHandler.Shared(() -> wire, receivers, server.memory().unfinished(),
                    server.memory().operations(), new OpenConnections(wire::limits, new Counters()), new LongAdder(), new LongAdder(),
                    new RareWarning(LoggerFactory.getLogger(SocketlessClient.class))), wire.listeners().get(0), null);
        }

        public SocketlessClient connect() {
            return new SocketlessClient(this);
        }
    }

    private static final class Session extends DummySession {
        private final ByteArrayOutputStream answers = new ByteArrayOutputStream();

        Session() {
            setRemoteAddress(ADDRESS);
        }

        @Override
        public WriteFuture write(Object message) {
            IoBuffer buffer = (IoBuffer) message;
            synchronized (answers) {
                answers.write(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining());
            }
            WriteFuture future = new DefaultWriteFuture(this);
            future.setWritten();
            return future;
        }
    }

    private SocketlessClient(Entrance entrance) {
        handler = entrance.handler;
        handler.sessionCreated(session);
        receiver = entrance.last;
    }

    /** Sends it in pieces, as much of it as the server takes. */
    public void send(byte[] bytes) {
        for (int at = 0; at < bytes.length && !isClosedByServer(); at += PIECE_BYTES) {
            handler.messageReceived(session, IoBuffer.wrap(bytes, at, Math.min(PIECE_BYTES, bytes.length - at)));
        }
    }

    public boolean isClosedByServer() {
        return session.isClosing();
    }

    /** Whether nothing of what it has sent is still to be answered. */
    public boolean hasAllAnswers() {
        return isClosedByServer() || receiver.isIdle();
    }

    /** All that was sent to it so far. */
    public byte[] answers() {
        synchronized (session.answers) {
            return session.answers.toByteArray();
        }
    }

    /** Goes away. */
    @Override
    public void close() {
        handler.sessionClosed(session);
    }
}
