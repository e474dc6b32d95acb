package org.alder.server.login;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.HexFormat;
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
        Dn dn = null;
        for (String name : names(peer)) {
            dn = dn == null ? logins.user(name) : dn;
        }
        if (dn == null) {
            throw Logins.wrong();
        }
        return logins.authorized(context, logins.proven(dn), authorizationId);
    }

    /** What the rules may know of the client. */
    private static List<String> names(Peer peer) throws DirectoryException {
        List<String> names = new ArrayList<>();
        if (peer.peerCredentials() != null) {
            names.add(IdentityMapping.UNIX + peer.peerCredentials().user());
        }
        if (!peer.peerCertificates().isEmpty()) {
            X509Certificate certificate = peer.peerCertificates().get(0);
            names.add(IdentityMapping.FINGERPRINT + fingerprint(certificate));
            names.add(IdentityMapping.SUBJECT + certificate.getSubjectX500Principal().getName());
        }
        return names;
    }

    private static String fingerprint(X509Certificate certificate) throws DirectoryException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (CertificateEncodingException e) {
            throw Logins.wrong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java platform has no SHA-256", e);
        }
    }
}
