package org.alder.server.wire;

import java.util.concurrent.Executor;
import org.apache.mina.transport.socket.nio.NioProcessor;
import org.apache.mina.transport.socket.nio.NioSession;

/**
 * MINA's I/O loop, with reading suspended and resumed by the loop's own thread whoever asks for it. MINA changes the interest
 * set on the caller's thread, where it races with the loop: an update can be lost, and nothing wakes the loop up to see it.
 * Public because MINA makes it by reflection.
 */
public final class TrafficProcessor extends NioProcessor {
    private volatile Thread loop;

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

    @Override
    protected int select(long timeoutMillis) throws Exception {
        loop = Thread.currentThread();
        return super.select(timeoutMillis);
    }

    @Override
    protected int select() throws Exception {
        loop = Thread.currentThread();
        return super.select();
    }
}
