package org.alder.server.wire;

import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Counters;
import org.alder.server.resource.MemoryBudget;
import org.alder.server.resource.RareWarning;
import org.slf4j.LoggerFactory;

/** What an acceptor is to a server, in a simulation: it makes connections of {@link SimulatedSocket}s. */
public final class SimulatedWire {
    private final SessionHandler handler;
    private int connected;

    public SimulatedWire(WireSettings settings, MessageReceiver.Factory receivers, MemoryBudget unfinished, MemoryBudget unread,
            Counters counters) {
        handler = new SessionHandler(new SessionHandler.Shared(() -> settings, receivers, unfinished, unread,
                new OpenConnections(settings::limits, counters), new LongAdder(), new LongAdder(),
                new RareWarning(LoggerFactory.getLogger(SimulatedWire.class))), settings.listeners().get(0), null);
    }

    /** @param source the last byte of the client's address */
    public SimulatedSocket connect(int source, SimulatedSocket.Client client) {
        SimulatedSocket socket = SimulatedSocket.connect(handler, source, 1000 + connected++, client);
        handler.sessionCreated(socket);
        return socket;
    }

    /** As the acceptor's clock does for each. */
    public void endIfOverdue(SimulatedSocket socket, long nowNanos) {
        if (!socket.hasEnded()) {
            handler.endIfOverdue(socket, nowNanos);
        }
    }
}
