package org.alder.server.wire;

import java.nio.channels.ClosedSelectorException;
import java.nio.channels.ServerSocketChannel;
import org.apache.mina.core.service.IoProcessor;
import org.apache.mina.transport.socket.nio.NioSession;
import org.apache.mina.transport.socket.nio.NioSocketAcceptor;

/**
 * MINA's acceptor, which accepts while there are descriptors for that. It may start a second loop while it is disposed of: the first of
 * the two closes the selector that the other waits on, and MINA warns of that as of a fault. Thread safe.
 */
class TcpAcceptor extends NioSocketAcceptor {
    private final Descriptors descriptors;

    TcpAcceptor(IoProcessor<NioSession> loops, Descriptors descriptors) {
        super(loops);
        this.descriptors = descriptors;
    }

    /** Whether a connection may be accepted now. */
    final boolean mayAccept() {
        return descriptors.areLeft();
    }

    @Override
    protected NioSession accept(IoProcessor<NioSession> loops, ServerSocketChannel channel) throws Exception {
        return mayAccept() ? super.accept(loops, channel) : null;
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
