package org.alder.server.wire.layer;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.alder.server.resource.MemoryBudget;

/**
 * TLS (RFC 8446, RFC 5246) between a connection and its messages. There is one handshake, and no other after it. Holds what was
 * received of one record and nothing that was decrypted. Thread safe; what was decrypted is handed on in order, one piece at a
 * time, on the connection's I/O thread, or on one of the handshakes if it came along with the end of a handshake.
 *
 * <p>MINA's filter would do, but for this: it fails with an exception when 64 writes wait, and it has six on their way at most.
 */
public final class TlsLayer {
    /** Records have at most 16 KiB and a little (RFC 8446 5.2); more than a few of them are not read while a handshake calculates. */
    private static final int MOST_HELD_BYTES = 256 << 10;
    private static final int LEAST_BYTES = 1024;
    private static final byte[] NONE = {};
    private static final ByteBuffer EMPTY = ByteBuffer.allocate(0);
    private static final ThreadLocal<ByteBuffer> PLAIN = ThreadLocal.withInitial(() -> ByteBuffer.allocate(17 << 10));
    /** For a chunk of a search's answers (as many bytes as a connection makes it) and the room that the engine wants behind it. */
    private static final ThreadLocal<ByteBuffer> OUTPUT = ThreadLocal.withInitial(() -> ByteBuffer.allocate(52 << 10));

    private final SSLEngine engine;
    private final Link link;
    private final Handshakes.Handshake handshake;
    private final MemoryBudget.Share memory;
    /** Guards the order of records that are sent. Taken inside of all other locks. */
    private final Object outputLock = new Object();
    private byte[] pending = NONE;
    private volatile int pendingBytes;
    private boolean calculating;
    private volatile boolean open;
    private volatile boolean ended;

    /** What the layer lies on, and what it serves. */
    public interface Link {
        /** Sends records. @param countedBytes as how many bytes they count while they are not read */
        void sendRecords(byte[] records, int countedBytes);

        /** Bytes of messages, shared with the layer: what is kept beyond the call must be copied. */
        void decrypted(byte[] bytes, int offset, int length);

        /** The handshake is done. */
        void opened();

        /** Nothing is to be read for now, or it is again. */
        void holdReading(boolean hold);

        /** Nothing more will be received: the connection is to be closed. @param reason null if the client has said so */
        void ended(String reason);
    }

    public TlsLayer(SSLEngine engine, Link link, Handshakes.Handshake handshake) {
        this.engine = engine;
        this.link = link;
        this.handshake = handshake;
        this.memory = handshake.memory();
    }

    /** Whether the handshake is done. */
    public boolean isOpen() {
        return open;
    }

    /** Whether a record has begun and is not whole. */
    public boolean isInside() {
        return pendingBytes > 0;
    }

    /** Only once the handshake is done. */
    public SSLSession session() {
        return engine.getSession();
    }

    public synchronized void received(byte[] bytes, int offset, int length) {
        if (ended) {
            return;
        }
        try {
            if (calculating) {
                keep(bytes, offset, length);
            } else if (pendingBytes == 0) {
                advance(bytes, offset, length);
            } else {
                keep(bytes, offset, length);
                advancePending();
            }
        } catch (SSLException e) {
            fail(e.getMessage());
        }
    }

    private void advancePending() throws SSLException {
        byte[] all = pending;
        int length = pendingBytes;
        pending = NONE;
        pendingBytes = 0;
        try {
            advance(all, 0, length);
        } finally {
            memory.shrink(Math.max(0, all.length - LEAST_BYTES));
        }
    }

    private void keep(byte[] bytes, int offset, int length) throws SSLException {
        int all = pendingBytes + length;
        if (all > MOST_HELD_BYTES) {
            throw new SSLException("the client sends more than " + MOST_HELD_BYTES + " bytes during a handshake");
        }
        if (all > pending.length) {
            int capacity = Math.max(LEAST_BYTES, all + all / 4);
            int more = capacity - Math.max(LEAST_BYTES, pending.length);
            if (!memory.tryGrow(more)) {
                throw new SSLException(memory.refusal(more));
            }
            pending = Arrays.copyOf(pending, capacity);
        }
        System.arraycopy(bytes, offset, pending, pendingBytes, length);
        pendingBytes = all;
    }

    private void advance(byte[] bytes, int offset, int length) throws SSLException {
        ByteBuffer in = ByteBuffer.wrap(bytes, offset, length);
        while (!ended && !calculating && step(in)) {
            // Each step is one record, or an answer to one.
        }
        if (!ended && in.hasRemaining()) {
            keep(bytes, in.position(), in.remaining());
        }
    }

    /** Whether there may be more to do with what has been received. */
    private boolean step(ByteBuffer in) throws SSLException {
        HandshakeStatus status = engine.getHandshakeStatus();
        if (status == HandshakeStatus.NEED_TASK) {
            calculate();
            return false;
        }
        if (status == HandshakeStatus.NEED_WRAP) {
            answer();
            return true;
        }
        if (!in.hasRemaining()) {
            return false;
        }
        ByteBuffer plain = PLAIN.get();
        if (plain.capacity() < engine.getSession().getApplicationBufferSize()) {
            plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
            PLAIN.set(plain);
        }
        plain.clear();
        SSLEngineResult result = engine.unwrap(in, plain);
        if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
            opened();
        }
        if (plain.position() > 0) {
            link.decrypted(plain.array(), 0, plain.position());
        }
        return switch (result.getStatus()) {
            case OK -> result.bytesConsumed() > 0 || result.getHandshakeStatus() == HandshakeStatus.NEED_WRAP
                    || result.getHandshakeStatus() == HandshakeStatus.NEED_TASK;
            case BUFFER_UNDERFLOW -> false;
            case BUFFER_OVERFLOW -> throw new SSLException("a record that is longer than records may be");
            case CLOSED -> closedByClient();
        };
    }

    private void opened() {
        if (!open) {
            open = true;
            handshake.done();
            link.opened();
        }
    }

    private boolean closedByClient() {
        ended = true;
        release();
        link.ended(null);
        return false;
    }

    /** Lets another thread calculate, and then goes on there with what has come. */
    private void calculate() throws SSLException {
        if (open) {
            throw new SSLException("the client wants another handshake, which is refused");
        }
        calculating = true;
        link.holdReading(true);
        try {
            handshake.threads().execute(this::calculateAndGoOn);
        } catch (RejectedExecutionException e) {
            throw new SSLException("the server is shutting down", e);
        }
    }

    private void calculateAndGoOn() {
        try {
            for (Runnable task = engine.getDelegatedTask(); task != null && !ended; task = engine.getDelegatedTask()) {
                task.run();
            }
        } catch (RuntimeException | Error e) {
            fail("the handshake failed: " + e);
        }
        synchronized (this) {
            calculating = false;
            if (ended) {
                return;
            }
            try {
                advancePending();
            } catch (SSLException e) {
                fail(e.getMessage());
            } catch (RuntimeException | Error e) {
                fail("a fault: " + e);
                throw e;
            }
            if (!calculating) {
                link.holdReading(false);
            }
        }
    }

    private synchronized void fail(String reason) {
        if (ended) {
            return;
        }
        ended = true;
        handshake.failed();
        release();
        try {
            answer();
        } catch (SSLException e) {
            // There is no alert that could be sent.
        }
        link.ended(reason);
    }

    /** Sends what the engine has to say of itself: parts of the handshake, alerts. */
    private void answer() throws SSLException {
        boolean finished = false;
        synchronized (outputLock) {
            while (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
                ByteBuffer record = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
                SSLEngineResult result = engine.wrap(EMPTY, record);
                if (record.position() == 0) {
                    throw new SSLException("nothing to answer with: " + result);
                }
                link.sendRecords(Arrays.copyOf(record.array(), record.position()), record.position());
                finished |= result.getHandshakeStatus() == HandshakeStatus.FINISHED;
            }
        }
        if (finished) {
            opened();
        }
    }

    /** Encrypts and sends; only once the handshake is done. */
    public void send(byte[] plain) {
        try {
            synchronized (outputLock) {
                int packet = engine.getSession().getPacketBufferSize();
                ByteBuffer in = ByteBuffer.wrap(plain);
                ByteBuffer out = output(packet + plain.length + plain.length / 64);
                while (in.hasRemaining()) {
                    if (out.remaining() < packet) {
                        out = ByteBuffer.allocate(out.capacity() + packet).put(out.flip());
                    }
                    SSLEngineResult result = engine.wrap(in, out);
                    if (result.getStatus() != SSLEngineResult.Status.OK || result.bytesConsumed() + result.bytesProduced() == 0) {
                        // The client has closed.
                        return;
                    }
                }
                link.sendRecords(Arrays.copyOf(out.array(), out.position()), plain.length);
            }
        } catch (SSLException e) {
            link.ended(e.getMessage());
        }
    }

    private static ByteBuffer output(int capacity) {
        ByteBuffer shared = OUTPUT.get();
        return capacity <= shared.capacity() ? shared.clear() : ByteBuffer.allocate(capacity);
    }

    /** Tells the client that nothing more will be sent. */
    public void endOutput() {
        if (!open) {
            ended = true;
            return;
        }
        engine.closeOutbound();
        try {
            answer();
        } catch (SSLException e) {
            // The client learns it from the end of the connection.
        }
    }

    /** The connection is gone. */
    public void closed() {
        ended = true;
        release();
    }

    private void release() {
        handshake.end();
        memory.close();
    }
}
