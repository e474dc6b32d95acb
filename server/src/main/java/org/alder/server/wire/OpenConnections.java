package org.alder.server.wire;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/** How many connections are open, in all and of each address. Thread safe. */
final class OpenConnections {
    private final ConnectionLimits limits;
    private final Map<InetAddress, Integer> ofAddress = new HashMap<>();
    private int all;

    OpenConnections(ConnectionLimits limits) {
        this.limits = limits;
    }

    /** Counts one more, which {@link #remove} takes back, unless it gives the reason why that is too many. */
    synchronized String add(InetAddress address) {
        if (all >= limits.connections()) {
            return "the server has " + all + " connections, as many as it may (maxConnections)";
        }
        int same = ofAddress.getOrDefault(address, 0);
        if (same >= limits.connectionsPerAddress()) {
            return "the server has " + same + " connections with " + address.getHostAddress()
                    + ", as many as it may with one address (maxConnectionsPerAddress)";
        }
        all++;
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
