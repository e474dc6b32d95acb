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
        } else {
            updateTrafficMask(session);
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
