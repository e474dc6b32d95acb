package org.alder.server.wire;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;
import org.alder.server.resource.Counters;

/** How many connections are open, in all and of each address. Thread safe. */
final class OpenConnections {
    private final ConnectionLimits limits;
    private final Map<InetAddress, Integer> ofAddress = new HashMap<>();
    private final LongAdder accepted;
    private final LongAdder refused;
    private int all;

    OpenConnections(ConnectionLimits limits, Counters counters) {
        this.limits = limits;
        this.accepted = counters.counter("connections", "alderConnectionsAccepted");
        this.refused = counters.counter("connections", "alderConnectionsRefused");
        counters.gauge("connections", "alderConnections", this::count);
        counters.gauge("connections", "alderConnectionLimit", limits::connections);
    }

    /** Counts one more, which {@link #remove} takes back, unless it gives the reason why that is too many. */
    synchronized String add(InetAddress address) {
        if (all >= limits.connections()) {
            refused.increment();
            return "the server has " + all + " connections, as many as it may (maxConnections)";
        }
        int same = ofAddress.getOrDefault(address, 0);
        if (same >= limits.connectionsPerAddress()) {
            refused.increment();
            return "the server has " + same + " connections with " + address.getHostAddress()
                    + ", as many as it may with one address (maxConnectionsPerAddress)";
        }
        all++;
        accepted.increment();
        ofAddress.put(address, same + 1);
        return null;
    }

    synchronized void remove(InetAddress address) {
        all--;
        ofAddress.computeIfPresent(address, (key, same) -> same == 1 ? null : same - 1);
    }

    synchronized int count() {
        return all;
    }
}
