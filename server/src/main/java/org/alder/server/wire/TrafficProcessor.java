package org.alder.server.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import org.apache.mina.core.buffer.IoBuffer;
import org.apache.mina.core.session.AttributeKey;
import org.apache.mina.core.session.IoSession;
import org.apache.mina.core.write.WriteRequest;
import org.apache.mina.transport.socket.nio.NioProcessor;
import org.apache.mina.transport.socket.nio.NioSession;

/**
 * MINA's I/O loop, with reading suspended and resumed by the loop's own thread whoever asks for it. MINA changes the interest
 * set on the caller's thread, where it races with the loop: an update can be lost, and nothing wakes the loop up to see it.
 * And with rounds that end: MINA writes for as long as there is something to write, and begins with new connections for as long as
 * there are new ones, before it looks at what others have sent. Public because MINA makes it by reflection.
 */
public final class TrafficProcessor extends NioProcessor {
    /** How much is written in one round; then only what is short still is. */
    private static final int ROUND_BYTES = 256 << 10;
    private static final int SHORT_BYTES = 4 << 10;
    private static final AttributeKey LOOP = new AttributeKey(TrafficProcessor.class, "loop");

    private volatile Thread loop;
    private volatile boolean waiting;
    /** Whose connections were begun with in this round. These and those below are the loop's. */
    private final List<TcpAcceptor> arrivals = new ArrayList<>();
    /** What has had to wait for the next round, and comes first there. */
    private final Set<NioSession> putOff = new LinkedHashSet<>();
    private int writtenBytes;
    /** What the loop's thread has written to in this round, and whether it is just doing so. */
    private final List<NioSession> queued = new ArrayList<>();
    private boolean queuing;

    public TrafficProcessor(Executor executor) {
        super(executor);
    }

    @Override
    public void updateTrafficControl(NioSession session) {
        if (Thread.currentThread() == loop) {
            super.updateTrafficControl(session);
            keepWriting(session);
        } else {
            updateTrafficMask(session);
        }
    }

    /** MINA looks at its queue alone, and forgets the message of which the operating system has taken a part: nothing sent the rest. */
    private void keepWriting(NioSession session) {
        if (session.getCurrentWriteRequest() != null && !session.isWriteSuspended()) {
            try {
                setInterestedInWrite(session, true);
            } catch (Exception e) {
                session.getFilterChain().fireExceptionCaught(e);
            }
        }
    }

    /** Which loop has the session; null where none has, as it has no socket. */
    static TrafficProcessor of(IoSession session) {
        return (TrafficProcessor) session.getAttribute(LOOP);
    }

    /**
     * Gives what is short to the operating system on the caller's thread if the loop waits: to wake it costs more. A loop that goes round
     * comes by anyway, and writes to several at once, so that these have their next requests together, too. On any thread, but only while
     * nothing is on its way to the client.
     *
     * @param buffer what the operating system has not taken is left in it, and is still to be written, also if the connection is gone
     */
    void writeNow(NioSession session, IoBuffer buffer) {
        if (waiting && buffer.remaining() <= SHORT_BYTES && !session.isClosing()) {
            try {
                super.write(session, buffer, buffer.remaining());
            } catch (IOException e) {
                // The loop meets the same, and ends the connection.
            }
        }
    }

    /** What the loop's own thread has to write it gets to in the same round: MINA wakes it up by two system calls, and goes round once more. */
    @Override
    public void write(NioSession session, WriteRequest request) {
        if (Thread.currentThread() == loop) {
            queuing = true;
            try {
                super.write(session, request);
            } finally {
                queuing = false;
            }
            queued.add(session);
        } else {
            super.write(session, request);
        }
    }

    @Override
    protected void wakeup() {
        if (!queuing || Thread.currentThread() != loop) {
            super.wakeup();
        }
    }

    @Override
    protected void init(NioSession session) throws Exception {
        session.setAttribute(LOOP, this);
        if (session.getService() instanceof TcpAcceptor acceptor) {
            arrivals.add(acceptor);
        }
        super.init(session);
    }

    /**
     * Room that is left says that nothing more has come: MINA asks the operating system once more to know it, for each message. What
     * comes later, the end too, the selector tells.
     */
    @Override
    protected int read(NioSession session, IoBuffer buffer) throws Exception {
        return buffer.position() > 0 && buffer.hasRemaining() ? 0 : super.read(session, buffer);
    }

    /** Says of what is put off that the operating system takes nothing. */
    @Override
    protected int write(NioSession session, IoBuffer buffer, int length) throws IOException {
        if (writtenBytes >= ROUND_BYTES && buffer.remaining() > SHORT_BYTES) {
            putOff.add(session);
            return 0;
        }
        int written = super.write(session, buffer, length);
        writtenBytes += Math.max(0, written);
        return written;
    }

    private void beginRound() {
        loop = Thread.currentThread();
        arrivals.forEach(TcpAcceptor::hasArrived);
        arrivals.clear();
        writtenBytes = 0;
        putOff.forEach(this::flush);
        putOff.clear();
        wakeUpForQueued();
        waiting = true;
    }

    /** Where a connection ends there may be something to write after all was written. */
    private void wakeUpForQueued() {
        boolean left = false;
        for (int i = 0; i < queued.size(); i++) {
            left |= queued.get(i).isScheduledForFlush();
        }
        queued.clear();
        if (left) {
            super.wakeup();
        }
    }

    @Override
    protected int select(long timeoutMillis) throws Exception {
        beginRound();
        try {
            return super.select(timeoutMillis);
        } finally {
            waiting = false;
        }
    }

    @Override
    protected int select() throws Exception {
        beginRound();
        try {
            return super.select();
        } finally {
            waiting = false;
        }
    }
}
