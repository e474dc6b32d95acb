package org.alder.server.login;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.OperationContext;
import org.alder.server.wire.Peer;
import org.alder.server.wire.layer.SecurityLayer;
import org.ietf.jgss.GSSContext;
import org.ietf.jgss.GSSException;
import org.ietf.jgss.MessageProp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One authentication by Kerberos. Tokens go to and fro until the client has proven who it is. GSSAPI then has both sides agree on a
 * security layer, and the client says as whom it wants to act (RFC 4752 3.2); GSS-SPNEGO is done. All of it is calculated on the
 * threads for passwords: a ticket has to be decrypted.
 */
final class GssNegotiation implements SaslNegotiation {
    private static final Logger LOG = LoggerFactory.getLogger(GssNegotiation.class);
    /** Security layers (RFC 4752 3.3). */
    private static final int NO_LAYER = 1;
    private static final int INTEGRITY = 2;
    private static final int CONFIDENTIALITY = 4;
    /** One byte of layers, and three of the longest buffer that may be sent in one. */
    private static final int LAYER_BYTES = 4;
    /** The longest that we take, and send where clients do not say what they take. */
    private static final int MOST_BYTES = 1 << 16;

    private final Logins logins;
    private final OperationContext context;
    private final Peer peer;
    private final KerberosService kerberos;
    private final boolean negotiated;
    private GSSContext security;
    private Expected expected = Expected.TOKEN;

    /** What the client sends next: a token, nothing behind our last token, or its choice of a layer. */
    private enum Expected { TOKEN, NOTHING, CHOICE }

    GssNegotiation(Logins logins, OperationContext context, Peer peer, KerberosService kerberos, boolean negotiated) {
        this.logins = logins;
        this.context = context;
        this.peer = peer;
        this.kerberos = kerberos;
        this.negotiated = negotiated;
    }

    @Override
    public CompletableFuture<Step> respond(byte[] message) {
        return logins.calculate(context, this, () -> switch (expected) {
            case TOKEN -> accept(message);
            case NOTHING -> offer(message);
            case CHOICE -> chosen(message);
        });
    }

    private Step accept(byte[] token) throws DirectoryException {
        byte[] answer = proven(() -> {
            security = security == null ? kerberos.accept(negotiated) : security;
            return security.acceptSecContext(token, 0, token.length);
        });
        byte[] credentials = answer == null ? new byte[0] : answer;
        if (!security.isEstablished()) {
            return Step.challenge(credentials);
        } else if (negotiated) {
            return new Step(login(""), answer, agreed());
        } else if (credentials.length > 0) {
            expected = Expected.NOTHING;
            return Step.challenge(credentials);
        }
        return offer(new byte[0]);
    }

    private Step offer(byte[] message) throws DirectoryException {
        if (message.length > 0) {
            throw malformed("nothing behind the server's last token");
        }
        expected = Expected.CHOICE;
        int most = offered() == NO_LAYER ? 0 : MOST_BYTES;
        byte[] layers = {(byte) offered(), (byte) (most >> 16), (byte) (most >> 8), (byte) most};
        return Step.challenge(proven(() -> security.wrap(layers, 0, layers.length, new MessageProp(0, false))));
    }

    /** What nobody else can read or change needs no second layer. */
    private int offered() {
        return peer.isProtected() ? NO_LAYER : NO_LAYER | (security.getIntegState() ? INTEGRITY : 0)
                | (security.getConfState() ? CONFIDENTIALITY : 0);
    }

    /** GSS-SPNEGO has the layer that the client has asked for with its first token ([MS-ADTS] 5.1.2). */
    private SecurityLayer agreed() throws DirectoryException {
        return !security.getConfState() && !security.getIntegState() ? null
                : proven(() -> new GssLayer(security, security.getConfState(), MOST_BYTES));
    }

    private Step chosen(byte[] message) throws DirectoryException {
        byte[] choice = proven(() -> security.unwrap(message, 0, message.length, new MessageProp(0, false)));
        if (choice.length < LAYER_BYTES || Integer.bitCount(choice[0] & 0xFF) != 1 || (choice[0] & offered()) == 0) {
            throw malformed("one of the security layers that are offered, and an authorization identity");
        }
        int most = Math.min(MOST_BYTES, (choice[1] & 0xFF) << 16 | (choice[2] & 0xFF) << 8 | choice[3] & 0xFF);
        SecurityLayer layer = choice[0] == NO_LAYER ? null : proven(() -> new GssLayer(security, choice[0] == CONFIDENTIALITY, most));
        return new Step(login(Logins.text(choice, LAYER_BYTES, choice.length)), null, layer);
    }

    private Login login(String authorizationId) throws DirectoryException {
        String principal = proven(() -> security.getSrcName().toString());
        Dn dn = logins.userOfPrincipal(principal);
        if (dn == null) {
            LOG.debug("{} means nobody here", principal);
            throw Logins.wrong();
        }
        return logins.authorized(context, logins.proven(context, dn), authorizationId);
    }

    @FunctionalInterface
    private interface Proof<T> {
        T get() throws GSSException;
    }

    /**
     * What the library says to what the client has sent. What it finds wrong is told, such as a ticket that has expired or clocks that
     * differ: that says nothing of who has an entry here.
     */
    private static <T> T proven(Proof<T> proof) throws DirectoryException {
        try {
            return proof.get();
        } catch (GSSException e) {
            LOG.debug("a login by Kerberos fails", e);
            String reason = e.getMinorString();
            throw new DirectoryException(ResultCode.INVALID_CREDENTIALS, "Kerberos: " + (reason == null ? e.getMajorString() : reason));
        } catch (RuntimeException e) {
            LOG.debug("a login by Kerberos fails", e);
            throw Logins.wrong();
        }
    }

    private static DirectoryException malformed(String expected) {
        return new DirectoryException(ResultCode.PROTOCOL_ERROR, "GSSAPI: expected " + expected + " (RFC 4752 3.2)");
    }
}
