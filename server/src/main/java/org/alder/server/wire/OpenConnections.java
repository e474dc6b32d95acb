package org.alder.server.wire;

import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Counters;
import org.alder.server.resource.Quota;

/** How many connections are open, in all and of each address or user. Thread safe. */
final class OpenConnections {
    private final Quota quota;
    private final LongAdder accepted;
    private final LongAdder refused;

    OpenConnections(ConnectionLimits limits, Counters counters) {
        this.quota = new Quota(limits.connections(), limits.connectionsPerAddress(), "connections", "maxConnections",
                "maxConnectionsPerAddress");
        this.accepted = counters.counter("connections", "alderConnectionsAccepted");
        this.refused = counters.counter("connections", "alderConnectionsRefused");
        counters.gauge("connections", "alderConnections", quota::count);
        counters.gauge("connections", "alderConnectionLimit", limits::connections);
    }

    /**
     * Counts one more, which {@link #remove} takes back, unless it gives the reason why that is too many.
     *
     * @param source null if a proxy has yet to say for whom it connects
     */
    String add(Object source) {
        String refusal = quota.add(source);
        (refusal == null ? accepted : refused).increment();
        return refusal;
    }

    /** Says whose one is that was counted without a source; it still has none, if it gives the reason why that is too many. */
    String identify(Object source) {
        String refusal = quota.identify(source);
        if (refusal != null) {
            refused.increment();
        }
        return refusal;
    }

    void remove(Object source) {
        quota.remove(source);
    }
}
