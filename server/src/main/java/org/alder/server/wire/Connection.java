package org.alder.server.wire;

import java.io.IOException;
import java.net.SocketAddress;
import java.security.cert.X509Certificate;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import javax.net.ssl.SSLSession;
import org.alder.server.resource.Holding;
import org.alder.server.resource.Holdings;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.wire.layer.ChannelBinding;
import org.alder.server.wire.layer.Handshakes;
import org.alder.server.wire.layer.SaslBuffers;
import org.alder.server.wire.layer.SecurityLayer;
import org.alder.server.wire.layer.TlsFacts;
import org.alder.server.wire.layer.TlsLayer;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.transport.socket.nio.NioSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's connection. Writes never block: they are queued, and whoever produces much asks {@link #isCongested()} between
 * writes and goes on with {@link #whenDrained}. A message that is produced while it is sent is a {@link LongMessage}; what others
 * write meanwhile follows it. Thread safe.
 */
public final class Connection implements Peer {
    private static final Logger LOG = LoggerFactory.getLogger(Connection.class);
    private static final int CHUNK_BYTES = 32 << 10;
    /** What a write costs beside its bytes: of short answers that is most of it. */
    static final int WRITE_BYTES = 256;
    /** What a client has to read before it gets more, while much is unread in all. */
    private static final int SCARCE_BYTES = 4 << 10;
    /** As the strongest ciphers have. */
    private static final int UNIX_STRENGTH = 256;

    private final IoSession session;
    /** Null if there is no socket. */
    private final TrafficProcessor loop;
    private final WireSettings settings;
    private final Listener listener;
    private final Remote remote;
    private final MemoryBudget budget;
    /** What is queued here of the budget. */
    private final MemoryBudget.Share unread;
    private final LongAdder writtenBytes;
    private final AtomicLong queuedBytes = new AtomicLong();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> waitingInMessage = new ConcurrentLinkedQueue<>();
    private final Queue<Runnable> waitingForTurn = new ConcurrentLinkedQueue<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private final Turn turn = new Turn();
    private final Reading reading;
    /** Guards the order of writes, the messages held, and whose turn it is. */
    private final Object writeLock = new Object();
    private final Queue<byte[]> held = new ArrayDeque<>();
    private LongMessage longMessage;
    /** Whether nothing may be written before the handshake is done. Guarded by the write lock. */
    private boolean handshaking;
    /** Whether the last message is written, or is to be when it may. Guarded by the write lock. */
    private boolean hasLast;
    private volatile Channel channel;
    private volatile TlsLayer tls;
    /** What is sent goes through it, and then through TLS. */
    private volatile SaslBuffers sasl;
    private volatile boolean authenticated;
    private volatile long unauthenticatedNanos = System.nanoTime();
    private volatile Consumer<Boolean> whenAuthenticated = authenticated -> { };
    /** Null if it has that of the settings. */
    private volatile IdleLimit idleLimit;
    private volatile boolean closing;
    private volatile boolean closed;

    /**
     * @param budget counts what clients have not read; it is never refused, but slows down who produces it
     * @param writtenBytes counts what is written
     */
    Connection(IoSession session, WireSettings settings, Listener listener, Remote remote, MemoryBudget budget, LongAdder writtenBytes) {
        this.listener = listener;
        this.remote = remote;
        this.writtenBytes = writtenBytes;
        this.session = session;
        this.loop = TrafficProcessor.of(session);
        this.reading = new Reading(session);
        this.settings = settings;
        this.budget = budget;
        this.unread = budget.open(Holding.UNREAD_ANSWER);
    }

    /** Is told whenever the client has authenticated, or has not any more. */
    void onAuthentication(Consumer<Boolean> listener) {
        whenAuthenticated = listener;
    }

    /** What receives for this connection; before anything else. */
    void attach(Channel receiving) {
        channel = receiving;
    }

    /** Unique while the server runs; for logs. */
    public long id() {
        return session.getId();
    }

    /** The client's, also if a proxy has connected for it; on a unix-domain socket that of the socket. */
    public SocketAddress remoteAddress() {
        return remote.address();
    }

    /** The client as it is shown: its address and port, or on a unix-domain socket {@code unix:} and its user. */
    public String client() {
        return remote.client();
    }

    /** Stands for the client where there are limits or turns: its address, or on a unix-domain socket its user. */
    public Object source() {
        return remote.source();
    }

    /**
     * Whether nobody on the way can read or change what is sent: TLS or a confidential security layer protects it, or it does not
     * leave the machine's kernel.
     */
    @Override
    public boolean isProtected() {
        SaslBuffers buffers = sasl;
        HandedClient handed = remote.handed();
        return handed != null ? handed.isProtected() : isTls() || peerCredentials() != null || buffers != null && buffers.isConfidential();
    }

    /** Whether there is a security layer of SASL. */
    public boolean hasLayer() {
        return sasl != null;
    }

    /**
     * From now on all that is received has to be in this layer, instead of the one before. To be called before the client is told.
     *
     * @return whether no part of a message has come that is not
     */
    public boolean receiveIn(SecurityLayer with) {
        return channel.receiveIn(with);
    }

    /**
     * Sends as before, and from then on in this layer.
     *
     * @return whether that can be now: not while a message is sent in parts
     */
    public boolean sendIn(SecurityLayer with, byte[] last) {
        synchronized (writeLock) {
            if (longMessage != null || handshaking) {
                return false;
            }
            SaslBuffers before = sasl;
            // First: who has read the answer may be done with the next request while this thread still sends.
            sasl = new SaslBuffers(with, this::messageLimit, unread);
            if (!closed) {
                send(last, before);
            }
            return true;
        }
    }

    /** The key bits of what protects it; 0 if nothing does. What does not leave the machine's kernel counts as 256. */
    public int strength() {
        HandedClient handed = remote.handed();
        return handed != null ? handed.strength() : isTls() ? TlsFacts.keyBits(tlsSession().getCipherSuite()) : isProtected() ? UNIX_STRENGTH : 0;
    }

    /** Whether TLS protects it. */
    public boolean isTls() {
        HandedClient handed = remote.handed();
        return handed != null ? !handed.tls().isEmpty() : tlsSession() != null;
    }

    /** Whose request another member of the cluster hands on here; null on all other connections. */
    public HandedClient handed() {
        return remote.handed();
    }

    /** Of its own TLS, or of that on the way before it; null without TLS. */
    private SSLSession tlsSession() {
        TlsLayer layer = tls;
        return layer != null && layer.isOpen() ? layer.session() : remote.tls();
    }

    /** Version and cipher suite of the TLS that protects it; null without TLS. */
    public String tlsName() {
        HandedClient handed = remote.handed();
        return !isTls() ? null : handed != null ? handed.tls() : tlsSession().getProtocol() + " " + tlsSession().getCipherSuite();
    }

    /** Whether TLS could be started here, or is there already. */
    public boolean offersTls() {
        return channel.offersTls();
    }

    public Turn turn() {
        return turn;
    }

    /** In {@link MessageReceiver#received} only: how many bytes of the client have been read behind the message. */
    public int inputBehind() {
        return channel.behind();
    }

    /**
     * Answers in clear, and from then on speaks TLS alone (RFC 4511 4.14). Only in {@link MessageReceiver#received}, if nothing has
     * been read behind the message and nothing else is being done for the client.
     *
     * @return null; or why there cannot be another handshake now, and nothing has been sent
     */
    public String startTls(byte[] response) {
        try {
            TlsLayer layer = channel.newTlsLayer();
            synchronized (writeLock) {
                send(response);
                protect(layer);
            }
            return null;
        } catch (Handshakes.TooManyException e) {
            return e.getMessage();
        }
    }

    /** From now on all that is read and written goes through this layer. */
    void protect(TlsLayer layer) {
        synchronized (writeLock) {
            handshaking = true;
            tls = layer;
        }
    }

    TlsLayer tls() {
        return tls;
    }

    /** The handshake is done: what had to wait for that is written. */
    void handshakeDone() {
        synchronized (writeLock) {
            handshaking = false;
            sendHeld();
        }
    }

    /** Whether clients may send passwords as they are: it is protected, or the listener takes them in clear from where they are. */
    public boolean acceptsPasswords() {
        HandedClient handed = remote.handed();
        return handed != null ? handed.acceptsPasswords() : isProtected() || listener.plaintextBind() == PlaintextBind.ALL
                || listener.plaintextBind() == PlaintextBind.LOCAL && remote.isLocal();
    }

    @Override
    public List<X509Certificate> peerCertificates() {
        return tlsSession() != null ? TlsFacts.peerCertificates(tlsSession()) : List.of();
    }

    @Override
    public byte[] channelBinding(ChannelBinding type) {
        return tlsSession() != null && type == ChannelBinding.TLS_SERVER_END_POINT ? TlsFacts.serverEndPoint(tlsSession()) : null;
    }

    @Override
    public PeerCredentials peerCredentials() {
        return remote.user();
    }

    /** Queues whole messages; the bytes are the connection's from now on. Void if the connection is closed. */
    public void write(byte[] bytes) {
        if (closed) {
            return;
        }
        synchronized (writeLock) {
            if (hasLast) {
                return;
            }
            if (longMessage == null && !handshaking) {
                send(bytes);
            } else {
                held.add(bytes);
                heldBytes.addAndGet(bytes.length);
                unread.take(bytes.length);
            }
        }
        holdReadingIfFull();
    }

    /** The same, and whatever is written after it is void. */
    public void writeLast(byte[] bytes) {
        synchronized (writeLock) {
            write(bytes);
            hasLast = true;
        }
    }

    private void holdReadingIfFull() {
        if (queuedBytes() > 2L * settings.highWaterBytes()) {
            reading.hold(Reading.Reason.OUTPUT, () -> !isDrained());
        }
    }

    private void send(byte[] bytes) {
        send(bytes, sasl);
    }

    private void send(byte[] bytes, SaslBuffers buffers) {
        TlsLayer layer = tls;
        try {
            byte[] sent = buffers == null ? bytes : buffers.sent(bytes);
            if (layer == null) {
                send(sent, sent.length);
            } else {
                layer.send(sent);
            }
        } catch (IOException e) {
            LOG.debug("{} is closed: nothing can be sent in its security layer: {}", this, e.getMessage());
            session.closeNow();
        }
    }

    private void send(byte[] bytes, int counted) {
        IoBuffer buffer = IoBuffer.wrap(bytes);
        if (loop != null && queuedBytes.get() == 0) {
            loop.writeNow((NioSession) session, buffer);
            if (!buffer.hasRemaining()) {
                writtenBytes.add(counted);
                return;
            }
        }
        queuedBytes.addAndGet(counted + WRITE_BYTES);
        unread.take(counted + WRITE_BYTES);
        session.write(buffer).addListener(future -> sent(counted));
    }

    /** Sends what TLS has made, of messages or of its own. */
    void sendRecords(byte[] records, int counted) {
        if (!closed) {
            send(records, counted);
            holdReadingIfFull();
        }
    }

    /** With the write lock. */
    private void sendHeld() {
        for (byte[] bytes = held.poll(); bytes != null; bytes = held.poll()) {
            heldBytes.addAndGet(-bytes.length);
            unread.shrink(bytes.length);
            send(bytes);
        }
    }

    /**
     * Starts a message that is written in parts, behind all that was written so far.
     *
     * @return null if another one is under way: {@link #whenLongMessageMayStart} says when to try again
     */
    public LongMessage startLongMessage() {
        synchronized (writeLock) {
            if (longMessage != null) {
                return null;
            }
            longMessage = new LongMessage();
            return longMessage;
        }
    }

    /** Runs the continuation once, when no long message is under way or the connection is closed. It must not block. */
    public void whenLongMessageMayStart(Runnable continuation) {
        waitingForTurn.add(continuation);
        boolean free;
        synchronized (writeLock) {
            free = longMessage == null;
        }
        if (free || closed) {
            runAll(waitingForTurn);
        }
    }

    private static void runAll(Queue<Runnable> queue) {
        for (Runnable next = queue.poll(); next != null; next = queue.poll()) {
            next.run();
        }
    }

    /** A message that is written in parts. One thread at a time. */
    public final class LongMessage {
        private LongMessage() {
        }

        /** As {@link Connection#write}, for the next part of this message. */
        public void write(byte[] bytes) {
            if (!closed) {
                send(bytes);
            }
        }

        /** Whether so much output is queued that no more of this message should be produced now. */
        public boolean isCongested() {
            return queuedBytes.get() >= highWaterBytes();
        }

        /** As {@link Connection#whenDrained}, for this message: what waits behind it does not count. */
        public void whenDrained(Runnable continuation) {
            waitingInMessage.add(continuation);
            runWaitingInMessage();
        }

        /** Sends what was held back; other messages may be written again. */
        public void end() {
            synchronized (writeLock) {
                longMessage = null;
                sendHeld();
            }
            runAll(waitingForTurn);
        }

        /** Closes the connection, because the message cannot be brought to its end and nothing else can follow. */
        public void giveUp() {
            closeAfterWrites();
        }
    }

    /** Whether nothing is waited for but that the client takes what was sent. */
    boolean isClosing() {
        return closing;
    }

    public boolean isClosed() {
        return closed;
    }

    /** Closes without a word: the client would not read it. */
    void closeNow() {
        session.closeNow();
    }

    /** Closes when what was queued so far is sent, or the client does not take it. */
    public void closeAfterWrites() {
        closing = true;
        TlsLayer layer = tls;
        if (layer != null) {
            layer.endOutput();
        }
        session.closeOnFlush();
    }

    /** Whether so much output is queued that no more should be produced now. */
    public boolean isCongested() {
        return queuedBytes() >= highWaterBytes();
    }

    private int highWaterBytes() {
        return budget.isScarce() ? Math.min(SCARCE_BYTES, settings.highWaterBytes()) : settings.highWaterBytes();
    }

    private int lowWaterBytes() {
        return budget.isScarce() ? Math.min(SCARCE_BYTES - 1, settings.lowWaterBytes()) : settings.lowWaterBytes();
    }

    /** About how much to write at once. */
    public int chunkBytes() {
        return budget.isScarce() ? SCARCE_BYTES : CHUNK_BYTES;
    }

    /** Output not yet taken by the operating system, with what waits behind a long message. */
    public long queuedBytes() {
        return queuedBytes.get() + heldBytes.get();
    }

    /** Adds what of the heap is held for the client here: answers it has not read, and a message that is not whole. */
    public void addTo(Holdings holdings) {
        holdings.add(unread);
        holdings.add(Holding.UNFINISHED_REQUEST, channel.heldBytes());
    }

    /** What the operating system has taken of what was queued, ever. */
    long takenBytes() {
        return session.getWrittenBytes();
    }

    /**
     * Runs the continuation once: at once if little output is queued, else when that is so or the connection is closed, on an I/O
     * thread.
     *
     * @param continuation must not block
     */
    public void whenDrained(Runnable continuation) {
        waiting.add(continuation);
        runWaiting();
    }

    /** Stops or resumes reading from the client. What was read before is still delivered. */
    public void setReading(boolean isRead) {
        reading.hold(Reading.Reason.RECEIVER, !isRead);
    }

    /** Whether input is held back, because the client has not read its answers or has asked for much at once. */
    boolean isSuspended() {
        return reading.isHeld();
    }

    void holdReadingForHandshake(boolean isHeld) {
        reading.hold(Reading.Reason.HANDSHAKE, isHeld);
    }

    /** Allows messages of the size that authenticated clients may send, or only of the other size again. */
    public void setAuthenticated(boolean isAuthenticated) {
        if (authenticated && !isAuthenticated) {
            unauthenticatedNanos = System.nanoTime();
        }
        authenticated = isAuthenticated;
        whenAuthenticated.accept(isAuthenticated);
    }

    /** Who is connected now may be idle for so long. @param limit null for what the settings say */
    public void setIdleLimit(IdleLimit limit) {
        idleLimit = limit;
    }

    /** Null for that of the settings. */
    IdleLimit idleLimit() {
        return idleLimit;
    }

    boolean isAuthenticated() {
        return authenticated;
    }

    /** Since when it has not authenticated, if it has not: a bind that fails changes nothing of that. */
    long unauthenticatedNanos() {
        return unauthenticatedNanos;
    }

    int messageLimit() {
        return authenticated ? settings.messageBytes() : settings.messageBytesBeforeBind();
    }

    void closed() {
        closed = true;
        TlsLayer layer = tls;
        if (layer != null) {
            layer.closed();
        }
        unread.close();
        runWaiting();
        runWaitingInMessage();
        runAll(waitingForTurn);
    }

    private void sent(int length) {
        queuedBytes.addAndGet(-length - WRITE_BYTES);
        writtenBytes.add(length);
        unread.shrink(length + WRITE_BYTES);
        runWaitingInMessage();
        if (isDrained()) {
            reading.hold(Reading.Reason.OUTPUT, false);
            runWaiting();
        }
    }

    private boolean isDrained() {
        return closed || queuedBytes() <= lowWaterBytes();
    }

    private void runWaitingInMessage() {
        if (closed || queuedBytes.get() <= lowWaterBytes()) {
            runAll(waitingInMessage);
        }
    }

    /** What runs may fill the queue again, or even wait again before this returns: so each time anew, only while little is queued. */
    private void runWaiting() {
        while (isDrained()) {
            Runnable next = waiting.poll();
            if (next == null) {
                return;
            }
            next.run();
        }
    }

    @Override
    public String toString() {
        return "connection " + id() + " from " + remote;
    }
}
