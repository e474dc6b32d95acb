package org.alder.server.wire;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProtocolException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.alder.server.resource.Holding;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.RareWarning;
import org.alder.server.wire.layer.Handshakes;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.service.IoHandlerAdapter;
import org.apache.mina.core.session.AttributeKey;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.core.session.IoSessionConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes connections of what a listener accepts, after the header of a proxy where there is one. Whatever goes wrong with one of
 * them ends that one: MINA lets an Error end the loop that serves many. Thread safe.
 */
final class SessionHandler extends IoHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(SessionHandler.class);
    private static final AttributeKey CHANNEL = new AttributeKey(SessionHandler.class, "channel");
    private static final AttributeKey PREFACE = new AttributeKey(SessionHandler.class, "preface");
    private static final AttributeKey COUNTED = new AttributeKey(SessionHandler.class, "counted");
    /** Stands for a source that is not known yet. */
    private static final Object NOBODY = new Object();
    /** As long as what is read at once may keep the thread that others wait for too. */
    private static final long PORTION_NANOS = 500_000;
    private static final int LEAST_PORTION_BYTES = 512;

    private final Shared shared;
    private final Handshakes handshakes;
    private volatile Listener listener;

    /** What all connections have in common. @param settings asked when one is opened */
    record Shared(Supplier<WireSettings> settings, MessageReceiver.Factory receivers, MemoryBudget unfinished, MemoryBudget unread,
                  OpenConnections open, LongAdder readBytes, LongAdder writtenBytes, RareWarning proxyFaults) {
    }

    /** What a proxy's connection has until it has said for whom it is. */
    private record Preface(ProxyHeader header, Remote proxy, long startedNanos) {
    }

    /** @param handshakes null where there is no TLS */
    SessionHandler(Shared shared, Listener listener, Handshakes handshakes) {
        this.shared = shared;
        this.listener = listener;
        this.handshakes = handshakes;
    }

    Listener listener() {
        return listener;
    }

    /** @param other what holds for those who come in from now on; it is the same place */
    void change(Listener other) {
        listener = other;
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
        if (session instanceof UnixAcceptor.UnixSession unix) {
            accept(session, Remote.of(unix.getRemoteAddress(), unix.peer()));
        } else if (session instanceof InnerConnection.Session inner) {
            accept(session, inner.remote());
        } else if (session.getRemoteAddress() instanceof InetSocketAddress address) {
            Remote remote = Remote.of(address);
            if (listener.isProxy(address.getAddress())) {
                acceptProxy(session, remote);
            } else {
                accept(session, remote);
            }
        } else {
            // The client is gone already.
            session.closeNow();
        }
    }

    private void accept(IoSession session, Remote remote) {
        String refusal = shared.open().add(remote.source());
        if (refusal == null) {
            session.setAttribute(COUNTED, remote.source());
        }
        open(session, remote, refusal);
    }

    private void acceptProxy(IoSession session, Remote proxy) {
        String refusal = shared.open().add(null);
        if (refusal == null) {
            session.setAttribute(COUNTED, NOBODY);
            session.setAttribute(PREFACE, new Preface(new ProxyHeader(), proxy, System.nanoTime()));
        } else {
            open(session, proxy, refusal);
        }
    }

    /** @param refusal null, or why the client is told to go */
    private void open(IoSession session, Remote remote, String refusal) {
        WireSettings now = shared.settings().get();
        Listener entrance = listener;
        Connection connection = new Connection(session, now, entrance, remote, shared.unread(), shared.writtenBytes());
        MessageFramer framer = new MessageFramer(connection::messageLimit, shared.unfinished().open(Holding.UNFINISHED_REQUEST));
        Channel channel = new Channel(connection, framer, shared.receivers().opened(connection), now.limits(),
                handshakes == null ? null : new Channel.TlsStart(now.tls(), entrance.clients(), handshakes), System.nanoTime());
        session.setAttribute(CHANNEL, channel);
        if (entrance.scheme() == Listener.Scheme.LDAPS) {
            try {
                connection.protect(channel.newTlsLayer());
            } catch (Handshakes.TooManyException e) {
                LOG.debug("{} is closed: {}", connection, e.getMessage());
                session.closeNow();
                return;
            }
        }
        if (refusal != null) {
            channel.receiver().overloaded(refusal);
            return;
        }
        connection.onAuthentication(authenticated -> shared.open().place(connection, channel.receiver(), authenticated));
        shared.open().place(connection, channel.receiver(), connection.isAuthenticated());
    }

    @Override
    public void messageReceived(IoSession session, Object message) {
        try {
            IoBuffer buffer = (IoBuffer) message;
            shared.readBytes().add(buffer.remaining());
            byte[] bytes = buffer.array();
            int offset = buffer.arrayOffset() + buffer.position();
            int length = buffer.remaining();
            Channel channel = (Channel) session.getAttribute(CHANNEL);
            if (channel == null && session.getAttribute(PREFACE) instanceof Preface preface) {
                int used = prefaceReceived(session, preface, bytes, offset, length);
                offset += used;
                length -= used;
                channel = length == 0 ? null : (Channel) session.getAttribute(CHANNEL);
            }
            if (channel != null && !channel.hasBegun() && ProxyHeader.begins(bytes, offset, length)) {
                endProxy(session, session.getRemoteAddress(), "it sends a header of the PROXY protocol, and proxyFrom of its listener does"
                        + " not name its address");
            } else if (channel != null) {
                receive(session, channel, bytes, offset, length);
            }
        } catch (Throwable e) {
            exceptionCaught(session, e);
        }
    }

    /** Of who sends what takes long less is read at once, so that others have their turn; MINA reads more again of who sends much. */
    private static void receive(IoSession session, Channel channel, byte[] bytes, int offset, int length) {
        long started = System.nanoTime();
        channel.received(bytes, offset, length, started);
        IoSessionConfig config = session.getConfig();
        int portion = config.getReadBufferSize();
        if (portion > LEAST_PORTION_BYTES && System.nanoTime() - started > PORTION_NANOS) {
            config.setReadBufferSize(portion / 2);
        }
    }

    private int prefaceReceived(IoSession session, Preface preface, byte[] bytes, int offset, int length) {
        try {
            int used = preface.header().accept(bytes, offset, length);
            if (preface.header().isComplete()) {
                session.removeAttribute(PREFACE);
                Remote remote = preface.header().remote(preface.proxy());
                String refusal = shared.open().identify(remote.source());
                if (refusal == null) {
                    session.setAttribute(COUNTED, remote.source());
                }
                open(session, remote, refusal);
            }
            return used;
        } catch (ProtocolException e) {
            endProxy(session, preface.proxy(), e.getMessage());
            return length;
        }
    }

    private void endProxy(IoSession session, Object proxy, String reason) {
        shared.proxyFaults().say("connection " + session.getId() + " of the proxy " + proxy + " is closed: " + reason, System.nanoTime());
        session.closeNow();
    }

    /** Whether nobody knows yet for whom it is. */
    static boolean isUnknown(IoSession session) {
        return session.getAttribute(CHANNEL) == null;
    }

    /** Ends the connection if it has kept the server waiting for too long. */
    void endIfOverdue(IoSession session, long nowNanos) {
        if (session.getAttribute(CHANNEL) instanceof Channel channel) {
            channel.endIfOverdue(nowNanos);
        } else if (session.getAttribute(PREFACE) instanceof Preface preface) {
            int most = shared.settings().get().limits().firstMessageSeconds();
            if (most > 0 && TimeUnit.NANOSECONDS.toSeconds(nowNanos - preface.startedNanos()) >= most) {
                endProxy(session, preface.proxy(), "for " + most + " s there was no header of the PROXY protocol"
                        + " (firstMessageTimeoutSeconds)");
            }
        }
    }

    @Override
    public void sessionClosed(IoSession session) {
        try {
            Object counted = session.removeAttribute(COUNTED);
            if (counted != null) {
                shared.open().remove(counted == NOBODY ? null : counted);
            }
            Channel channel = (Channel) session.getAttribute(CHANNEL);
            if (channel != null) {
                channel.closed();
                shared.open().forget(channel.receiver());
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
