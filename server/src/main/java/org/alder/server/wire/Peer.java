package org.alder.server.wire;

import java.security.cert.X509Certificate;
import java.util.List;
import org.alder.server.wire.layer.ChannelBinding;

/** What the transport says of who is at the other end of a connection. Thread safe. */
public interface Peer {
    /** Whether nobody on the way can read or change what is sent. */
    boolean isProtected();

    /** The client's certificate, found valid, and those that lead to its authority; empty if it has shown none. */
    List<X509Certificate> peerCertificates();

    /** What binds an authentication to this connection; null if it has nothing of the kind. */
    byte[] channelBinding(ChannelBinding type);

    /** Who has connected to a unix-domain socket; null on all other connections. */
    PeerCredentials peerCredentials();
}
