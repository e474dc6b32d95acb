package org.alder.server.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.service.SimpleIoProcessorPool;
import org.apache.mina.core.session.AttributeKey;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.socket.SocketSessionConfig;
import org.apache.mina.transport.socket.nio.NioSession;
import org.apache.mina.transport.socket.nio.NioSocketAcceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens on a TCP port and turns what clients send into messages. The only package that knows MINA. Thread safe. */
public final class Acceptor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final AttributeKey CHANNEL = new AttributeKey(Acceptor.class, "channel");

    private final NioSocketAcceptor acceptor;
    private final SimpleIoProcessorPool<NioSession> loops;

    private Acceptor(NioSocketAcceptor acceptor, SimpleIoProcessorPool<NioSession> loops) {
        this.acceptor = acceptor;
        this.loops = loops;
    }

    /**
     * Listens at once.
     *
     * @throws IOException if the address cannot be bound; the message names it
     */
    public static Acceptor start(WireSettings settings, MessageReceiver.Factory receivers) throws IOException {
        InetSocketAddress address = new InetSocketAddress(settings.host(), settings.port());
        String where = settings.host() + ":" + settings.port();
        if (address.isUnresolved()) {
            throw new IOException("cannot listen on " + where + ": unknown host");
        }
        SimpleIoProcessorPool<NioSession> loops = new SimpleIoProcessorPool<>(TrafficProcessor.class, settings.ioThreads());
        NioSocketAcceptor mina = new NioSocketAcceptor(loops);
        mina.setReuseAddress(true);
        mina.setBacklog(settings.backlog());
        mina.setCloseOnDeactivation(false);
        configure(mina.getSessionConfig(), settings);
        mina.setHandler(new Handler(settings, receivers));
        try {
            mina.bind(address);
        } catch (IOException e) {
            mina.dispose();
            loops.dispose();
            // MINA repeats the address; the system's reason is in the cause.
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new IOException("cannot listen on " + where + ": " + reason.getMessage(), e);
        }
        return new Acceptor(mina, loops);
    }

    private static void configure(SocketSessionConfig config, WireSettings settings) {
        config.setTcpNoDelay(true);
        config.setKeepAlive(true);
        config.setMinReadBufferSize(2048);
        config.setReadBufferSize(4096);
        config.setMaxReadBufferSize(65536);
        // The kernel would let its own buffer grow to megabytes, and hold them for a client that does not read.
        config.setSendBufferSize(settings.highWaterBytes());
        config.setWriteTimeout(settings.writeTimeoutSeconds());
    }

    /** The port that is listened on, also if the settings left the choice to the system. */
    public int port() {
        return acceptor.getLocalAddress().getPort();
    }

    /** Accepts no more; open connections go on. */
    public void unbind() {
        acceptor.unbind();
    }

    /** Waits until all connections are closed, so long at most. */
    public void awaitClosed(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        for (IoSession session : acceptor.getManagedSessions().values()) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left > 0) {
                session.getCloseFuture().awaitUninterruptibly(left);
            }
        }
    }

    /** Stops listening and closes all connections. Idempotent. */
    @Override
    public void close() {
        acceptor.getManagedSessions().values().forEach(IoSession::closeNow);
        acceptor.dispose(true);
        loops.dispose();
    }

    private record Channel(Connection connection, MessageFramer framer, MessageReceiver receiver) {
    }

    private static final class Handler extends IoHandlerAdapter {
        private final WireSettings settings;
        private final MessageReceiver.Factory receivers;

        Handler(WireSettings settings, MessageReceiver.Factory receivers) {
            this.settings = settings;
            this.receivers = receivers;
        }

        @Override
        public void sessionCreated(IoSession session) {
            Connection connection = new Connection(session, settings);
            MessageFramer framer = new MessageFramer(connection::messageLimit);
            session.setAttribute(CHANNEL, new Channel(connection, framer, receivers.opened(connection)));
        }

        @Override
        public void messageReceived(IoSession session, Object message) {
            Channel channel = (Channel) session.getAttribute(CHANNEL);
            IoBuffer buffer = (IoBuffer) message;
            byte[] bytes = buffer.array();
            channel.framer.accept(bytes, buffer.arrayOffset() + buffer.position(), buffer.remaining(), channel.receiver);
        }

        @Override
        public void sessionClosed(IoSession session) {
            Channel channel = (Channel) session.getAttribute(CHANNEL);
            if (channel != null) {
                channel.connection.closed();
                channel.receiver.closed();
            }
        }

        @Override
        public void exceptionCaught(IoSession session, Throwable cause) {
            if (cause instanceof IOException) {
                LOG.debug("connection {} from {} ends: {}", session.getId(), session.getRemoteAddress(), cause.toString());
            } else {
                LOG.error("connection {} from {} is closed after a fault", session.getId(), session.getRemoteAddress(), cause);
            }
            session.closeNow();
        }
    }
}
