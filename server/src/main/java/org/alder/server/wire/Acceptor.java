package org.alder.server.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.net.ssl.SSLSession;
import org.alder.partition.store.NeverWaits;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.RareWarning;
import org.alder.server.wire.layer.Handshakes;
import org.apache.mina.core.service.SimpleIoProcessorPool;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.socket.SocketSessionConfig;
import org.apache.mina.transport.socket.nio.NioSession;
import org.apache.mina.transport.socket.nio.NioSocketAcceptor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Listens, and turns what clients send into messages. The only package that knows MINA. Thread safe. */
public final class Acceptor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Acceptor.class);
    /** How often is looked for connections that keep the server waiting, and for what there is too much of. */
    private static final long LOOK_MILLIS = 500;
    private static final String GROUP = "connections";
    private static final String EXPIRY = "alderCertificateNotAfter";

    private final WireSettings settings;
    private final ExecutorService loopThreads = Executors.newCachedThreadPool(LoopThread::new);
    private final SimpleIoProcessorPool<NioSession> loops;
    private final Counters counters;
    private final Descriptors descriptors;
    private final Handshakes handshakes;
    private final SessionHandler.Shared shared;
    /** In the order of the settings. */
    private volatile List<Bound> bound = List.of();
    /** Those that listen no more, and still have connections. */
    private final Queue<Bound> ending = new ConcurrentLinkedQueue<>();
    private final SessionHandler insideHandler;
    private final Set<InnerConnection> inside = ConcurrentHashMap.newKeySet();
    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor(Acceptor::clockThread);

    /** A listener that listens, or has listened. */
    private record Bound(SessionHandler handler, NioSocketAcceptor mina, int port) {
        String url() {
            return handler.listener().url(port);
        }
    }

    /** Listeners that were made ready, in the place of those that there are. One thread. */
    public final class Prepared {
        private final List<Listener> wanted = new ArrayList<>();
        private final List<Bound> all = new ArrayList<>();
        private final List<Bound> added = new ArrayList<>();

        private void add(Listener listener, Bound held) throws IOException {
            Bound listening = held != null ? held : bind(listener);
            if (listening != null) {
                wanted.add(listener);
                all.add(listening);
                if (held == null) {
                    added.add(listening);
                }
            }
        }

        /** Those that there were and are not wanted accept no more; their connections go on. */
        public void take() {
            List<Bound> before = bound;
            for (int i = 0; i < all.size(); i++) {
                all.get(i).handler().change(wanted.get(i));
            }
            bound = List.copyOf(all);
            for (Bound each : before) {
                if (!all.contains(each)) {
                    LOG.info("listening no more on {}", each.url());
                    stop(each);
                    ending.add(each);
                }
            }
            if (!before.isEmpty()) {
                added.forEach(each -> LOG.info("listening on {}", each.url()));
            }
        }

        /** All is as before. */
        public void giveUp() {
            added.forEach(each -> {
                stop(each);
                each.mina().getManagedSessions().values().forEach(IoSession::closeNow);
                each.mina().dispose();
            });
        }
    }

    private Acceptor(SessionHandler.Shared shared, Counters counters) {
        this.counters = counters;
        this.descriptors = new Descriptors(counters);
        this.settings = shared.settings().get();
        this.shared = shared;
        this.insideHandler = new SessionHandler(shared, Listener.of(Listener.Scheme.LDAP, "inside", 0), null);
        this.loops = new SimpleIoProcessorPool<>(TrafficProcessor.class, loopThreads, settings.ioThreads(), null);
        this.handshakes = settings.tls() == null ? null
                : new Handshakes(settings.handshakeThreads(), settings.limits().handshakes(), shared.unfinished(), counters);
    }

    /** Of an I/O loop. */
    private static final class LoopThread extends Thread implements NeverWaits {
        LoopThread(Runnable loop) {
            super(loop);
        }
    }

    private static Thread clockThread(Runnable task) {
        Thread thread = new Thread(task, "alder-connections");
        thread.setDaemon(true);
        return thread;
    }

    /**
     * Listens at once.
     *
     * @param settings those of connections are asked for when one is opened, all others once
     * @param unfinished counts what is held of messages that are not whole
     * @param unread counts the answers that clients have not read
     * @param counters gets the figures of connections and of what goes over them
     * @throws IOException if an address cannot be bound; the message names it
     */
    public static Acceptor start(Supplier<WireSettings> settings, MessageReceiver.Factory receivers, MemoryBudget unfinished,
            MemoryBudget unread, Counters counters) throws IOException {
        Acceptor acceptor = new Acceptor(new SessionHandler.Shared(settings, receivers, unfinished, unread,
                new OpenConnections(() -> settings.get().limits(), counters), counters.counter(GROUP, "alderReadBytes"),
                counters.counter(GROUP, "alderWrittenBytes"), new RareWarning(LOG)), counters);
        boolean started = false;
        try {
            acceptor.prepare(acceptor.settings.listeners()).take();
            acceptor.clock.scheduleWithFixedDelay(acceptor::look, LOOK_MILLIS, LOOK_MILLIS, TimeUnit.MILLISECONDS);
            started = true;
            return acceptor;
        } finally {
            if (!started) {
                acceptor.close();
            }
        }
    }

    /**
     * Listens where the settings say, beside where the server listens already: what they say of those who come in holds after
     * {@link Prepared#take}.
     *
     * @throws IOException if an address cannot be listened on, and nothing has changed; the message names it
     */
    public Prepared prepare(List<Listener> listeners) throws IOException {
        Prepared prepared = new Prepared();
        List<Bound> left = new ArrayList<>(bound);
        boolean complete = false;
        try {
            for (Listener listener : listeners) {
                Bound held = left.stream().filter(each -> each.handler().listener().isAt(listener)).findFirst().orElse(null);
                left.remove(held);
                prepared.add(listener, held);
            }
            complete = true;
            return prepared;
        } finally {
            if (!complete) {
                prepared.giveUp();
            }
        }
    }

    /** Accepts no more. */
    private void stop(Bound listening) {
        listening.mina().unbind();
        counters.forget(GROUP, EXPIRY, listening.url());
    }

    /** Null if the server can do without it. */
    private Bound bind(Listener listener) throws IOException {
        NioSocketAcceptor mina = listener.socket() == null ? new TcpAcceptor(loops, settings.ioThreads(), descriptors)
                : new UnixAcceptor(loops, settings.ioThreads(), listener.socket(), descriptors);
        mina.setReuseAddress(true);
        mina.setBacklog(settings.backlog());
        mina.setCloseOnDeactivation(false);
        configure(mina.getSessionConfig(), settings);
        SessionHandler handler = new SessionHandler(shared, listener, handshakes);
        mina.setHandler(handler);
        try {
            mina.bind(address(listener));
            Bound listening = new Bound(handler, mina, listener.socket() == null ? mina.getLocalAddress().getPort() : 0);
            if (settings.tls() != null && listener.socket() == null) {
                counters.gauge(GROUP, EXPIRY, listening.url(), settings.tls()::notAfter);
            }
            return listening;
        } catch (IOException | UnsupportedOperationException e) {
            // The second one where files or sockets are not those of unix.
            mina.dispose();
            // MINA repeats the address; the reason is in the cause.
            Throwable reason = e.getCause() == null ? e : e.getCause();
            String problem = "cannot listen on " + where(listener) + ": " + reason.getMessage();
            if (listener.socket() == null || listener.socket().required()) {
                throw new IOException(problem, e);
            }
            LOG.warn("{}; the server does without", problem);
            return null;
        }
    }

    private static SocketAddress address(Listener listener) throws IOException {
        if (listener.socket() != null) {
            return UnixDomainSocketAddress.of(listener.socket().path());
        }
        InetSocketAddress address = new InetSocketAddress(listener.host(), listener.port());
        if (address.isUnresolved()) {
            throw new UnknownHostException("unknown host");
        }
        return address;
    }

    private static String where(Listener listener) {
        return listener.socket() == null ? listener.host() + ":" + listener.port() : listener.socket().path().toString();
    }

    private static void configure(SocketSessionConfig config, WireSettings settings) {
        config.setTcpNoDelay(true);
        config.setKeepAlive(true);
        config.setMinReadBufferSize(2048);
        config.setReadBufferSize(4096);
        config.setMaxReadBufferSize(65536);
        // The kernel would let its own buffer grow to megabytes, and hold them for a client that does not read.
        config.setSendBufferSize(settings.highWaterBytes());
        // Each channel looks itself at how its client reads.
        config.setWriteTimeout(0);
    }

    /** The port of the first TCP listener, also if the settings left the choice to the system; 0 if there is none. */
    public int port() {
        return bound.stream().mapToInt(Bound::port).filter(port -> port > 0).findFirst().orElse(0);
    }

    /** Where the server listens, by the URLs at which clients find it, in the order of the settings. */
    public Map<String, Listener> listeners() {
        Map<String, Listener> listeners = new LinkedHashMap<>();
        bound.forEach(each -> listeners.put(each.url(), each.handler().listener()));
        return listeners;
    }

    private Stream<IoSession> sessions() {
        return Stream.concat(Stream.concat(bound.stream(), ending.stream()).flatMap(each -> each.mina().getManagedSessions().values().stream()),
                inside.stream().map(InnerConnection::session));
    }

    /**
     * Opens a connection for a client in this process; it counts as one of the address that the client speaks for.
     *
     * @param tls what protects the way from there; null if nothing does
     */
    public InnerConnection open(InetSocketAddress from, SSLSession tls, InnerConnection.Client client) {
        return open(Remote.inside(from, tls), client);
    }

    /** The same for somebody whose request another member of the cluster hands on: who he is there he is here. */
    public InnerConnection open(HandedClient from, InnerConnection.Client client) {
        return open(Remote.of(from), client);
    }

    private InnerConnection open(Remote from, InnerConnection.Client client) {
        InnerConnection connection = new InnerConnection(insideHandler, from, client, clock, inside::remove);
        inside.add(connection);
        connection.open();
        return connection;
    }

    /** Accepts no more; open connections go on, but those for which a proxy has not said yet for whom they are. */
    public void unbind() {
        bound.forEach(each -> each.mina().unbind());
        sessions().filter(SessionHandler::isUnknown).forEach(IoSession::closeNow);
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

    private void look() {
        try {
            long now = System.nanoTime();
            counters.overload().look(now);
            endListeners();
            sessions().forEach(session -> {
                if (session.getHandler() instanceof SessionHandler handler) {
                    handler.endIfOverdue(session, now);
                }
            });
        } catch (RuntimeException e) {
            LOG.error("connections and marks cannot be looked at", e);
        }
    }

    private void endListeners() {
        for (Bound each : ending) {
            if (each.mina().getManagedSessionCount() == 0 && ending.remove(each)) {
                each.mina().dispose();
            }
        }
    }

    /** Stops listening and closes all connections. Idempotent. */
    @Override
    public void close() {
        // First: those without a socket end on its thread.
        sessions().forEach(IoSession::closeNow);
        clock.shutdown();
        Stream.concat(bound.stream(), ending.stream()).forEach(each -> each.mina().dispose(true));
        loops.dispose();
        loopThreads.shutdown();
        if (handshakes != null) {
            handshakes.close();
        }
    }
}
