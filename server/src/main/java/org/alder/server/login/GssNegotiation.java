package org.alder.server.login;

import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.directory.OperationContext;
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
    /** No security layer (RFC 4752 3.3). */
    private static final byte NO_LAYER = 1;
    /** One byte of layers, and three of the size of what may be sent in one. */
    private static final int LAYER_BYTES = 4;

    private final Logins logins;
    private final OperationContext context;
    private final KerberosService kerberos;
    private final boolean negotiated;
    private GSSContext security;
    private Expected expected = Expected.TOKEN;

    /** What the client sends next: a token, nothing behind our last token, or its choice of a layer. */
    private enum Expected { TOKEN, NOTHING, CHOICE }

    GssNegotiation(Logins logins, OperationContext context, KerberosService kerberos, boolean negotiated) {
        this.logins = logins;
        this.context = context;
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
            return new Step(login(""), answer);
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
        byte[] layers = {NO_LAYER, 0, 0, 0};
        return Step.challenge(proven(() -> security.wrap(layers, 0, layers.length, new MessageProp(0, false))));
    }

    private Step chosen(byte[] message) throws DirectoryException {
        byte[] choice = proven(() -> security.unwrap(message, 0, message.length, new MessageProp(0, false)));
        if (choice.length < LAYER_BYTES || choice[0] != NO_LAYER) {
            throw malformed("one of the security layers that are offered, which is none, and an authorization identity");
        }
        return new Step(login(Logins.text(choice, LAYER_BYTES, choice.length)), null);
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

    /** What the library says to what the client has sent; whatever it finds wrong has the same answer. */
    private static <T> T proven(Proof<T> proof) throws DirectoryException {
        try {
            return proof.get();
        } catch (GSSException | RuntimeException e) {
            LOG.debug("a login by Kerberos fails", e);
            throw Logins.wrong();
        }
    }

    private static DirectoryException malformed(String expected) {
        return new DirectoryException(ResultCode.PROTOCOL_ERROR, "GSSAPI: expected " + expected + " (RFC 4752 3.2)");
    }
}
