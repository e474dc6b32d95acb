package org.alder.server.wire;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.ServerSocketChannel;
import java.util.concurrent.TimeUnit;
import org.apache.mina.core.service.IoProcessor;
import org.apache.mina.transport.socket.nio.NioSession;
import org.apache.mina.transport.socket.nio.NioSocketAcceptor;

/**
 * MINA's acceptor, which accepts while there are descriptors for that, and no faster than the I/O loops go round: a loop begins with all
 * new connections there are before it looks at those it has, so that many who come would keep those waiting who are there. The others
 * wait in the listener's backlog. MINA may start a second loop while it is disposed of: the first of the two closes the selector that
 * the other waits on, and MINA warns of that as of a fault. Thread safe.
 */
class TcpAcceptor extends NioSocketAcceptor {
    /** New connections for each loop in one round. */
    static final int ARRIVALS_OF_LOOP = 4;
    /** Then one more is accepted, whatever has become of those before. */
    private static final long MOST_WAIT_MILLIS = 1000;

    private final Descriptors descriptors;
    private final int mostArriving;
    private final Object lock = new Object();
    /** Accepted, but no loop has gone round with them yet. Guarded by the lock. */
    private int arriving;

    /** @param loopCount how many loops there are */
    TcpAcceptor(IoProcessor<NioSession> loops, int loopCount, Descriptors descriptors) {
        super(loops);
        this.descriptors = descriptors;
        this.mostArriving = ARRIVALS_OF_LOOP * loopCount;
    }

    @Override
    protected final NioSession accept(IoProcessor<NioSession> loops, ServerSocketChannel channel) throws Exception {
        awaitLoops();
        NioSession session = descriptors.areLeft() ? take(loops, channel) : null;
        if (session != null) {
            synchronized (lock) {
                arriving++;
            }
        }
        return session;
    }

    /** Makes a session of one who waits in the backlog; null if nobody does any more. */
    NioSession take(IoProcessor<NioSession> loops, ServerSocketChannel channel) throws Exception {
        return super.accept(loops, channel);
    }

    /** On the acceptor's own thread. */
    private void awaitLoops() throws InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(MOST_WAIT_MILLIS);
        synchronized (lock) {
            for (long left = MOST_WAIT_MILLIS; arriving >= mostArriving && left > 0;
                    left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime())) {
                lock.wait(left);
            }
        }
    }

    /** A loop has gone round with one of those that were accepted. */
    final void hasArrived() {
        synchronized (lock) {
            arriving = Math.max(0, arriving - 1);
            lock.notify();
        }
    }

    @Override
    protected int select() throws Exception {
        try {
            return super.select();
        } catch (ClosedSelectorException e) {
            if (isDisposing()) {
                return 0;
            }
            throw e;
        }
    }
}
