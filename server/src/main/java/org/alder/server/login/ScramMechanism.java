package org.alder.server.login;

import java.util.Arrays;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;
import org.alder.server.wire.layer.ChannelBinding;

/**
 * SCRAM with SHA-2 (RFC 5802, RFC 7677), with channel binding or without.
 *
 * @param bits of the digest
 * @param plus whether the client has to bind the proof to the TLS connection
 */
record ScramMechanism(Logins logins, String bits, boolean plus) implements SaslMechanism {
    @Override
    public String name() {
        return "SCRAM-SHA-" + bits + (plus ? "-PLUS" : "");
    }

    @Override
    public boolean isAvailable(Peer peer) {
        return !plus || canBind(peer);
    }

    static boolean canBind(Peer peer) {
        return Arrays.stream(ChannelBinding.values()).anyMatch(type -> peer.channelBinding(type) != null);
    }

    @Override
    public SaslNegotiation begin(OperationContext context, Peer peer) {
        return new ScramNegotiation(logins, context, peer, "SHA" + bits, plus);
    }
}
