package org.alder.server.wire;

import java.nio.channels.ClosedSelectorException;
import org.apache.mina.core.service.IoProcessor;
import org.apache.mina.transport.socket.nio.NioSession;
import org.apache.mina.transport.socket.nio.NioSocketAcceptor;

/**
 * MINA's acceptor, which may start a second loop while it is disposed of: the first of the two closes the selector that the other waits
 * on, and MINA warns of that as of a fault. Thread safe.
 */
class TcpAcceptor extends NioSocketAcceptor {
    TcpAcceptor(IoProcessor<NioSession> loops) {
        super(loops);
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
