package org.alder.server.wire;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.alder.server.wire.layer.ClientCertificates;
import org.alder.server.wire.layer.Handshakes;
import org.alder.server.wire.layer.SaslBuffers;
import org.alder.server.wire.layer.SecurityLayer;
import org.alder.server.wire.layer.TlsEngines;
import org.alder.server.wire.layer.TlsLayer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What belongs to one connection, and how long it keeps the server waiting. Receives on one thread; the rest is thread safe. */
final class Channel implements TlsLayer.Link {
    private static final Logger LOG = LoggerFactory.getLogger(Channel.class);

    /** How long a client may take nothing of what it is sent last. */
    private static final int FAREWELL_SECONDS = 5;

    private final Connection connection;
    private final MessageFramer framer;
    private final MessageReceiver receiver;
    private final ConnectionLimits limits;
    private final TlsStart tlsStart;
    private final AnswerPace pace = new AnswerPace();
    private volatile long lastNanos;
    private boolean begun;
    /** Guards in which security layer what is received is, so that none of it is taken for what it is not. Inside of that of TLS. */
    private final Object inputLock = new Object();
    private volatile SaslBuffers layer;
    private boolean broken;

    /** @param tlsStart null where there is no TLS */
    Channel(Connection connection, MessageFramer framer, MessageReceiver receiver, ConnectionLimits limits, TlsStart tlsStart,
            long nowNanos) {
        this.connection = connection;
        this.framer = framer;
        this.receiver = receiver;
        this.limits = limits;
        this.tlsStart = tlsStart;
        this.lastNanos = nowNanos;
        connection.attach(this);
    }

    /** How TLS begins on a connection: with which engine, and what its handshake may cost. */
    record TlsStart(TlsEngines engines, ClientCertificates clients, Handshakes handshakes) {
    }

    MessageReceiver receiver() {
        return receiver;
    }

    /** Whether the client has sent anything. */
    boolean hasBegun() {
        return begun;
    }

    boolean offersTls() {
        return tlsStart != null;
    }

    /** What is held of messages that are not whole. */
    long heldBytes() {
        return framer.memory().bytes();
    }

    /** While a message is received: how many bytes have come behind it. */
    int behind() {
        return framer.behind();
    }

    TlsLayer newTlsLayer() throws Handshakes.TooManyException {
        Handshakes.Handshake handshake = tlsStart.handshakes().begin(connection.source());
        return new TlsLayer(tlsStart.engines().newEngine(tlsStart.clients()), this, handshake);
    }

    void received(byte[] bytes, int offset, int length, long nowNanos) {
        begun = true;
        connection.turn().begin(nowNanos);
        boolean inside = isInside();
        int before = framer.messages();
        TlsLayer tls = connection.tls();
        if (tls == null) {
            decrypted(bytes, offset, length);
        } else {
            tls.received(bytes, offset, length);
        }
        if (!inside && !isHandshaking() || framer.messages() != before) {
            lastNanos = nowNanos;
        }
    }

    private boolean isInside() {
        TlsLayer tls = connection.tls();
        SaslBuffers buffers = layer;
        return framer.isInside() || tls != null && tls.isInside() || buffers != null && buffers.isInside();
    }

    private boolean isHandshaking() {
        TlsLayer tls = connection.tls();
        return tls != null && !tls.isOpen();
    }

    @Override
    public void sendRecords(byte[] records, int countedBytes) {
        connection.sendRecords(records, countedBytes);
    }

    @Override
    public void decrypted(byte[] bytes, int offset, int length) {
        synchronized (inputLock) {
            SaslBuffers buffers = layer;
            if (buffers == null) {
                framer.accept(bytes, offset, length, receiver);
            } else if (!broken) {
                reveal(buffers, bytes, offset, length);
            }
        }
    }

    private void reveal(SaslBuffers buffers, byte[] bytes, int offset, int length) {
        try {
            buffers.received(bytes, offset, length, (plain, from, count) -> framer.accept(plain, from, count, receiver));
        } catch (IOException e) {
            broken = true;
            receiver.malformed("security layer: " + e.getMessage());
        }
    }

    /**
     * From now on what is received has to be in this layer.
     *
     * @return whether no part of a message has come that is not
     */
    boolean receiveIn(SecurityLayer with) {
        synchronized (inputLock) {
            boolean clean = !framer.isInside() && (layer == null || !layer.isInside());
            layer = new SaslBuffers(with, connection::messageLimit, framer.memory());
            return clean;
        }
    }

    @Override
    public void opened() {
        LOG.debug("{} speaks {}", connection, connection.tls().session());
        connection.handshakeDone();
    }

    @Override
    public void holdReading(boolean hold) {
        connection.holdReadingForHandshake(hold);
    }

    @Override
    public void ended(String reason) {
        LOG.debug("{} ends{}", connection, reason == null ? "" : ", TLS: " + reason);
        connection.closeAfterWrites();
    }

    /** Ends the connection, telling the client why, if it has kept the server waiting for too long. */
    void endIfOverdue(long nowNanos) {
        long stalled = pace.stalledSeconds(nowNanos, connection.queuedBytes(), connection.takenBytes());
        if (connection.isClosing() && stalled >= FAREWELL_SECONDS) {
            connection.closeNow();
            return;
        }
        if (limits.answerSeconds() > 0 && stalled >= limits.answerSeconds()) {
            LOG.debug("{} is closed: for {} s it has taken too little of its answers, of which {} bytes wait; allowed are {} s"
                    + " (answerTimeoutSeconds)", connection, stalled, connection.queuedBytes(), limits.answerSeconds());
            connection.closeNow();
            return;
        }
        String unbound = connection.isAuthenticated() ? null : overdue(seconds(nowNanos, connection.unauthenticatedNanos()),
                limits.bindSeconds(), "no bind", "bindTimeoutSeconds");
        if (unbound != null) {
            receiver.overdue(unbound);
            return;
        }
        boolean serving = !receiver.isIdle() || connection.queuedBytes() > 0;
        if (connection.isSuspended() || !isInside() && !isHandshaking() && serving) {
            // The client waits for the server.
            lastNanos = nowNanos;
            return;
        }
        String reason = overdue(seconds(nowNanos, lastNanos));
        if (reason != null) {
            receiver.overdue(reason);
        }
    }

    private static long seconds(long nowNanos, long sinceNanos) {
        return TimeUnit.NANOSECONDS.toSeconds(nowNanos - sinceNanos);
    }

    private String overdue(long seconds) {
        if (isHandshaking()) {
            return overdue(seconds, limits.handshakeSeconds(), "no end of a TLS handshake", "tlsHandshakeTimeoutSeconds");
        } else if (isInside()) {
            return overdue(seconds, limits.messageSeconds(), "a message that is not whole", "messageTimeoutSeconds");
        } else if (framer.messages() == 0) {
            return overdue(seconds, limits.firstMessageSeconds(), "no message", "firstMessageTimeoutSeconds");
        }
        IdleLimit own = connection.idleLimit();
        if (own != null) {
            return overdue(seconds, own.seconds(), "no request", own.origin());
        } else if (connection.isAuthenticated()) {
            return overdue(seconds, limits.idleSeconds(), "no request", "idleTimeoutSeconds");
        }
        return overdue(seconds, limits.idleSecondsBeforeBind(), "no request and no bind", "idleTimeoutSecondsBeforeBind");
    }

    private static String overdue(long seconds, long most, String what, String key) {
        return most == 0 || seconds < most ? null : "for " + seconds + " s there was " + what + "; allowed are " + most + " s ("
                + key + ")";
    }

    void closed() {
        framer.close();
        connection.closed();
        receiver.closed();
    }
}
