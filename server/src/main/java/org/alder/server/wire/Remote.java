package org.alder.server.wire;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import javax.net.ssl.SSLSession;

/**
 * Who is at the other end of a connection. Immutable.
 *
 * @param address the client's, also if a proxy has connected for it; of a unix-domain socket, which its clients share
 * @param user who has connected to a unix-domain socket; null on all others
 * @param proxy the address of the proxy that has connected for the client, or null
 * @param isLocal whether all of the way from the client is on this machine
 * @param tls what protects the way before the connection, which has no TLS of its own then; null for nothing
 * @param handed whose request another member hands on; null on all other connections
 */
record Remote(SocketAddress address, PeerCredentials user, InetAddress proxy, boolean isLocal, SSLSession tls, HandedClient handed) {
    Remote(SocketAddress address, PeerCredentials user, InetAddress proxy, boolean isLocal, SSLSession tls) {
        this(address, user, proxy, isLocal, tls, null);
    }

    /** Stands for all connections of a user, whatever group each has. */
    private record User(long uid, String name) {
        @Override
        public String toString() {
            return "user " + name;
        }
    }

    static Remote of(InetSocketAddress address) {
        return new Remote(address, null, null, address.getAddress().isLoopbackAddress(), null);
    }

    static Remote of(SocketAddress socket, PeerCredentials user) {
        return new Remote(socket, user, null, true, null);
    }

    /** Whom a client in this process speaks for. @param tls null for none */
    static Remote inside(InetSocketAddress from, SSLSession tls) {
        return new Remote(from, null, null, from.getAddress().isLoopbackAddress(), tls);
    }

    /** For whom another member of the cluster speaks. */
    static Remote of(HandedClient handed) {
        boolean isUnix = handed.address() == null;
        return new Remote(isUnix ? UnixDomainSocketAddress.of("") : handed.address(),
                isUnix ? new PeerCredentials(handed.user(), handed.uid(), -1, false) : null, null, false, null, handed);
    }

    /** @param client as whom the proxy at this end has named; null if the proxy does not know it either */
    Remote behind(InetSocketAddress client) {
        InetAddress by = ((InetSocketAddress) address).getAddress();
        return client == null ? new Remote(address, null, by, false, null)
                : new Remote(client, null, by, isLocal && client.getAddress().isLoopbackAddress(), null);
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
        return handed != null ? client() + " at " + handed.member() : proxy == null ? client() : client() + " by " + proxy.getHostAddress();
    }
}
