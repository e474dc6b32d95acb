package org.alder.server.login;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;

/** EXTERNAL (RFC 4422 A): the transport says who it is, by a certificate or by the operating system. */
record ExternalMechanism(Logins logins) implements SaslMechanism {
    @Override
    public String name() {
        return "EXTERNAL";
    }

    @Override
    public boolean isAvailable(Peer peer) {
        return peer.peerCredentials() != null || !peer.peerCertificates().isEmpty();
    }

    @Override
    public SaslNegotiation begin(OperationContext context, Peer peer) {
        return new SaslNegotiation() {
            /** Without credentials no identity is asked for but that of the transport (RFC 4513 5.2.3.1). */
            @Override
            public boolean needsMessage() {
                return false;
            }

            @Override
            public CompletableFuture<Step> respond(byte[] message) throws DirectoryException {
                return CompletableFuture.completedFuture(new Step(login(context, peer, message), null));
            }
        };
    }

    private Login login(OperationContext context, Peer peer, byte[] message) throws DirectoryException {
        String authorizationId = Logins.text(message, 0, message.length);
        List<X509Certificate> certificates = peer.peerCertificates();
        Dn dn = certificates.isEmpty() ? logins.user(peer.peerCredentials()) : logins.user(certificates.get(0));
        if (dn == null) {
            throw Logins.wrong();
        }
        return logins.authorized(context, logins.proven(context, dn), authorizationId);
    }
}
