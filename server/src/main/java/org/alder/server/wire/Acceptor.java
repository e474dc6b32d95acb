package org.alder.server.wire;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
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

/** Listens, and turns what clients send into messages. The only package that knows MINA. Thread safe. */
public final class Acceptor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    private static final AttributeKey CHANNEL = new AttributeKey(Acceptor.class, "channel");
    /** How often connections are looked at that may keep the server waiting. */
    private static final long LOOK_MILLIS = 500;

    private final WireSettings settings;
    private final SimpleIoProcessorPool<NioSession> loops;
    private final Handshakes handshakes;
    private final Shared shared;
    private final List<Bound> bound = new ArrayList<>();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Acceptor::clockThread);

    /** What all connections have in common. */
    private record Shared(WireSettings settings, MessageReceiver.Factory receivers, MemoryBudget unfinished, MemoryBudget unread,
                          OpenConnections open, LongAdder readBytes, LongAdder writtenBytes) {
    }

    /** A listener that listens. */
    private record Bound(Listener listener, NioSocketAcceptor mina) {
        int port() {
            return mina.getLocalAddress().getPort();
        }
    }

    private Acceptor(Shared shared, Counters counters) {
        this.settings = shared.settings();
        this.shared = shared;
        this.loops = new SimpleIoProcessorPool<>(TrafficProcessor.class, settings.ioThreads());
        this.handshakes = settings.tls() == null ? null
                : new Handshakes(settings.handshakeThreads(), shared.unfinished(), counters);
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
     * @throws IOException if an address cannot be bound; the message names it
     */
    public static Acceptor start(WireSettings settings, MessageReceiver.Factory receivers, MemoryBudget unfinished,
            MemoryBudget unread, Counters counters) throws IOException {
        Acceptor acceptor = new Acceptor(new Shared(settings, receivers, unfinished, unread,
                new OpenConnections(settings.limits(), counters), counters.counter("connections", "alderReadBytes"),
                counters.counter("connections", "alderWrittenBytes")), counters);
        boolean started = false;
        try {
            for (Listener listener : settings.listeners()) {
                acceptor.bind(listener);
            }
            acceptor.clock.scheduleWithFixedDelay(acceptor::endOverdue, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            started = true;
            return acceptor;
        } finally {
            if (!started) {
                acceptor.close();
            }
        }
    }

    private void bind(Listener listener) throws IOException {
        InetSocketAddress address = new InetSocketAddress(listener.host(), listener.port());
        String where = listener.host() + ":" + listener.port();
        if (address.isUnresolved()) {
            throw new IOException("cannot listen on " + where + ": unknown host");
        }
        NioSocketAcceptor mina = new NioSocketAcceptor(loops);
        mina.setReuseAddress(true);
        mina.setBacklog(settings.backlog());
        mina.setCloseOnDeactivation(false);
        configure(mina.getSessionConfig(), settings);
        mina.setHandler(new Handler(shared, listener, handshakes));
        try {
            mina.bind(address);
        } catch (IOException e) {
            mina.dispose();
            // MINA repeats the address; the system's reason is in the cause.
            Throwable reason = e.getCause() == null ? e : e.getCause();
            throw new IOException("cannot listen on " + where + ": " + reason.getMessage(), e);
        }
        bound.add(new Bound(listener, mina));
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

    /** The port of the first listener, also if the settings left the choice to the system. */
    public int port() {
        return bound.get(0).port();
    }

    /** Where clients find the server: one URL for each listener, in their order. */
    public List<String> urls() {
        return bound.stream().map(each -> each.listener().url(each.port())).toList();
    }

    private Stream<IoSession> sessions() {
        return bound.stream().flatMap(each -> each.mina().getManagedSessions().values().stream());
    }

    /** Accepts no more; open connections go on. */
    public void unbind() {
        bound.forEach(each -> each.mina().unbind());
    }

    /** Waits until all connections are closed, so long at most. */
    public void awaitClosed(long millis) {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        sessions().forEach(session -> {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left > 0) {
                session.getCloseFuture().awaitUninterruptibly(left);
            }
        });
    }

    private void endOverdue() {
        try {
            long now = System.nanoTime();
            sessions().forEach(session -> {
                Channel channel = (Channel) session.getAttribute(CHANNEL);
                if (channel != null) {
                    channel.endIfOverdue(now);
                }
            });
        } catch (RuntimeException e) {
            LOG.error("connections cannot be looked at", e);
        }
    }

    /** Stops listening and closes all connections. Idempotent. */
    @Override
    public void close() {
        clock.shutdown();
        sessions().forEach(IoSession::closeNow);
        bound.forEach(each -> each.mina().dispose(true));
        loops.dispose();
        if (handshakes != null) {
            handshakes.close();
        }
    }

    /** Whatever goes wrong with one connection ends that one: MINA lets an Error end the loop that serves many. */
    private static final class Handler extends IoHandlerAdapter {
        private static final AttributeKey ADDRESS = new AttributeKey(Handler.class, "address");

        private final Shared shared;
        private final Listener listener;
        private final Channel.TlsStart tlsStart;

        Handler(Shared shared, Listener listener, Handshakes handshakes) {
            this.shared = shared;
            this.listener = listener;
            this.tlsStart = handshakes == null ? null
                    : new Channel.TlsStart(shared.settings().tls(), listener.clients(), handshakes);
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
            String refusal = shared.open().add(address);
            if (refusal == null) {
                session.setAttribute(ADDRESS, address);
            }
            Connection connection = new Connection(session, shared.settings(), listener, shared.unread(), shared.writtenBytes());
            MessageFramer framer = new MessageFramer(connection::messageLimit, shared.unfinished().open());
            Channel channel = new Channel(connection, framer, shared.receivers().opened(connection), shared.settings().limits(),
                    tlsStart, System.nanoTime());
            session.setAttribute(CHANNEL, channel);
            if (listener.scheme() == Listener.Scheme.LDAPS) {
                connection.protect(channel.newTlsLayer());
            }
            if (refusal != null) {
                channel.receiver().overloaded(refusal);
            }
        }

        @Override
        public void messageReceived(IoSession session, Object message) {
            try {
                Channel channel = (Channel) session.getAttribute(CHANNEL);
                IoBuffer buffer = (IoBuffer) message;
                shared.readBytes().add(buffer.remaining());
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
                    shared.open().remove(address);
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
