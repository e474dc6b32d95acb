package org.alder.server.wire;

import java.net.SocketAddress;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.session.IoSession;

/**
 * A client's connection. Writes never block: they are queued, and whoever produces much asks {@link #isCongested()} between
 * writes and goes on with {@link #whenDrained}. Thread safe.
 */
public final class Connection {
    private final IoSession session;
    private final WireSettings settings;
    private final AtomicLong queuedBytes = new AtomicLong();
    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final Object readingLock = new Object();
    private boolean heldByReceiver;
    private boolean heldByOutput;
    private boolean suspended;
    private volatile int messageLimit;
    private volatile boolean closed;

    Connection(IoSession session, WireSettings settings) {
        this.session = session;
        this.settings = settings;
        this.messageLimit = settings.messageBytesBeforeBind();
    }

    /** Unique while the server runs; for logs. */
    public long id() {
        return session.getId();
    }

    public SocketAddress remoteAddress() {
        return session.getRemoteAddress();
    }

    /** Queues bytes, which are the connection's from now on. Void if the connection is closed. */
    public void write(byte[] bytes) {
        if (closed) {
            return;
        }
        long queued = queuedBytes.addAndGet(bytes.length);
        if (queued > 2L * settings.highWaterBytes()) {
            holdReadingForOutput(true);
        }
        session.write(IoBuffer.wrap(bytes)).addListener(future -> sent(bytes.length));
    }

    /** Closes when what was queued so far is sent. */
    public void closeAfterWrites() {
        session.closeOnFlush();
    }

    /** Whether so much output is queued that no more should be produced now. */
    public boolean isCongested() {
        return queuedBytes.get() >= settings.highWaterBytes();
    }

    /** Output not yet taken by the operating system. */
    public long queuedBytes() {
        return queuedBytes.get();
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
    public void setReading(boolean reading) {
        synchronized (readingLock) {
            heldByReceiver = !reading;
            applyHolds();
        }
    }

    /** Allows messages of the size that authenticated clients may send, or only of the other size again. */
    public void setAuthenticated(boolean authenticated) {
        messageLimit = authenticated ? settings.messageBytes() : settings.messageBytesBeforeBind();
    }

    int messageLimit() {
        return messageLimit;
    }

    void closed() {
        closed = true;
        runWaiting();
    }

    private void sent(int length) {
        queuedBytes.addAndGet(-length);
        if (isDrained()) {
            holdReadingForOutput(false);
            runWaiting();
        }
    }

    private boolean isDrained() {
        return closed || queuedBytes.get() <= settings.lowWaterBytes();
    }

    /**
     * What runs may fill the queue again, or even wait again before this returns: so each time anew, only while little is queued.
     */
    private void runWaiting() {
        while (isDrained()) {
            Runnable next = waiting.poll();
            if (next == null) {
                return;
            }
            next.run();
        }
    }

    private void holdReadingForOutput(boolean hold) {
        synchronized (readingLock) {
            heldByOutput = hold && !isDrained();
            applyHolds();
        }
    }

    private void applyHolds() {
        boolean hold = heldByReceiver || heldByOutput;
        if (hold != suspended) {
            suspended = hold;
            if (hold) {
                session.suspendRead();
            } else {
                session.resumeRead();
            }
        }
    }

    @Override
    public String toString() {
        return "connection " + id() + " from " + remoteAddress();
    }
}
