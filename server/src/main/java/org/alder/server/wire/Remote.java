package org.alder.server.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;

/**
 * Who is at the other end of a connection. Immutable.
 *
 * @param address the client's, also if a proxy has connected for it; of a unix-domain socket, which its clients share
 * @param user who has connected to a unix-domain socket; null on all others
 * @param proxy the address of the proxy that has connected for the client, or null
 * @param isLocal whether all of the way from the client is on this machine
 */
record Remote(SocketAddress address, PeerCredentials user, InetAddress proxy, boolean isLocal) {
    /** Stands for all connections of a user, whatever group each has. */
    private record User(long uid, String name) {
        @Override
        public String toString() {
            return "user " + name;
        }
    }

    static Remote of(InetSocketAddress address) {
        return new Remote(address, null, null, address.getAddress().isLoopbackAddress());
    }

    static Remote of(SocketAddress socket, PeerCredentials user) {
        return new Remote(socket, user, null, true);
    }

    /** @param client as whom the proxy at this end has named; null if the proxy does not know it either */
    Remote behind(InetSocketAddress client) {
        InetAddress by = ((InetSocketAddress) address).getAddress();
        return client == null ? new Remote(address, null, by, false)
                : new Remote(client, null, by, isLocal && client.getAddress().isLoopbackAddress());
    }

    /** What limits and turns go by: the client's address, or the user of this machine. */
    Object source() {
        return user != null ? new User(user.uid(), user.user()) : ((InetSocketAddress) address).getAddress();
    }

    /** As it is shown, without the proxy. */
    String client() {
        return user != null ? "unix:" + user.user()
                : ((InetSocketAddress) address).getAddress().getHostAddress() + ':' + ((InetSocketAddress) address).getPort();
    }

    @Override
    public String toString() {
        return proxy == null ? client() : client() + " by " + proxy.getHostAddress();
    }
}
