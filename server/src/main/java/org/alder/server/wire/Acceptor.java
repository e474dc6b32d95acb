package org.alder.server.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;
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
    /** How often connections are looked at that may keep the server waiting. */
    private static final long LOOK_MILLIS = 500;

    private final NioSocketAcceptor acceptor;
    private final SimpleIoProcessorPool<NioSession> loops;
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Acceptor::clockThread);

    private Acceptor(NioSocketAcceptor acceptor, SimpleIoProcessorPool<NioSession> loops) {
        this.acceptor = acceptor;
        this.loops = loops;
        clock.scheduleWithFixedDelay(this::endOverdue, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Thread clockThread(Runnable task) {
        Thread thread = new Thread(task, "alder-connections");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Listens at once.
     *
     * @param unfinished counts what is held of messages that are not whole
     * @param unread counts the answers that clients have not read
     * @param counters gets the figures of connections and of what goes over them
     * @throws IOException if the address cannot be bound; the message names it
     */
    public static Acceptor start(WireSettings settings, MessageReceiver.Factory receivers, MemoryBudget unfinished,
            MemoryBudget unread, Counters counters) throws IOException {
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
        mina.setHandler(new Handler(settings, receivers, unfinished, unread, counters));
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

    private void endOverdue() {
        try {
            long now = System.nanoTime();
            for (IoSession session : acceptor.getManagedSessions().values()) {
                Channel channel = (Channel) session.getAttribute(CHANNEL);
                if (channel != null) {
                    channel.endIfOverdue(now);
                }
            }
        } catch (RuntimeException e) {
            LOG.error("connections cannot be looked at", e);
        }
    }

    /** Stops listening and closes all connections. Idempotent. */
    @Override
    public void close() {
        clock.shutdown();
        acceptor.getManagedSessions().values().forEach(IoSession::closeNow);
        acceptor.dispose(true);
        loops.dispose();
    }

    /** Whatever goes wrong with one connection ends that one: MINA lets an Error end the loop that serves many. */
    private static final class Handler extends IoHandlerAdapter {
        private static final AttributeKey ADDRESS = new AttributeKey(Handler.class, "address");

        private final WireSettings settings;
        private final MessageReceiver.Factory receivers;
        private final MemoryBudget unfinished;
        private final MemoryBudget unread;
        private final OpenConnections open;
        private final LongAdder readBytes;
        private final LongAdder writtenBytes;

        Handler(WireSettings settings, MessageReceiver.Factory receivers, MemoryBudget unfinished, MemoryBudget unread,
                Counters counters) {
            this.settings = settings;
            this.receivers = receivers;
            this.unfinished = unfinished;
            this.unread = unread;
            this.open = new OpenConnections(settings.limits(), counters);
            this.readBytes = counters.counter("connections", "alderReadBytes");
            this.writtenBytes = counters.counter("connections", "alderWrittenBytes");
        }

        @Override
        public void sessionCreated(IoSession session) {
            try {
                create(session);
            } catch (Throwable e) {
                exceptionCaught(session, e);
            }
        }

        private void create(IoSession session) {
            if (!(session.getRemoteAddress() instanceof InetSocketAddress remote)) {
                // The client is gone already.
                session.closeNow();
                return;
            }
            InetAddress address = remote.getAddress();
            String refusal = open.add(address);
            if (refusal == null) {
                session.setAttribute(ADDRESS, address);
            }
            Connection connection = new Connection(session, settings, unread, writtenBytes);
            MessageFramer framer = new MessageFramer(connection::messageLimit, unfinished.open());
            Channel channel = new Channel(connection, framer, receivers.opened(connection), settings.limits(), System.nanoTime());
            session.setAttribute(CHANNEL, channel);
            if (refusal != null) {
                channel.receiver().overloaded(refusal);
            }
        }

        @Override
        public void messageReceived(IoSession session, Object message) {
            try {
                Channel channel = (Channel) session.getAttribute(CHANNEL);
                IoBuffer buffer = (IoBuffer) message;
                readBytes.add(buffer.remaining());
                if (channel != null) {
                    channel.received(buffer.array(), buffer.arrayOffset() + buffer.position(), buffer.remaining(),
                            System.nanoTime());
                }
            } catch (Throwable e) {
                exceptionCaught(session, e);
            }
        }

        @Override
        public void sessionClosed(IoSession session) {
            try {
                InetAddress address = (InetAddress) session.removeAttribute(ADDRESS);
                if (address != null) {
                    open.remove(address);
                }
                Channel channel = (Channel) session.getAttribute(CHANNEL);
                if (channel != null) {
                    channel.closed();
                }
            } catch (Throwable e) {
                exceptionCaught(session, e);
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
