package org.alder.server.login;

import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Utf8;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;
import org.alder.server.auth.scheme.ScramKeys;
import org.alder.server.directory.AuthorizationIdentities;
import org.alder.server.directory.OperationContext;
import org.alder.server.policy.AccountLogins;
import org.alder.server.resource.HashingThreads;
import org.alder.server.wire.PeerCredentials;

/** What all SASL mechanisms share: who a name means, what proves it, and in whose name its owner may act. Thread safe. */
public final class Logins {
    private static final int MOST_NAME_BYTES = 1024;

    private final Authenticator authenticator;
    private final Passwords passwords;
    private final HashingThreads threads;
    private final IdentityMapping mapping;
    private final AuthorizationIdentities identities;

    public Logins(Authenticator authenticator, Passwords passwords, HashingThreads threads,
            IdentityMapping mapping, AuthorizationIdentities identities) {
        this.authenticator = authenticator;
        this.passwords = passwords;
        this.threads = threads;
        this.mapping = mapping;
        this.identities = identities;
    }

    /** @return null if it means nobody, or several */
    Dn user(String name) {
        return mapping.user(name);
    }

    /** @return null if it means nobody, or several */
    Dn user(PeerCredentials peer) {
        return mapping.user(peer);
    }

    /** @return null if it means nobody, or several */
    Dn user(X509Certificate certificate) {
        return mapping.user(certificate);
    }

    /** @return null if it means nobody, or several */
    Dn userOfPrincipal(String name) {
        return mapping.principal(name);
    }

    /** Who has this password; an unknown name takes the time of a wrong password. */
    CompletableFuture<Login> authenticate(OperationContext context, String name, byte[] password) {
        return authenticator.authenticate(context, user(name), password);
    }

    /** Ends a login by a proof of the password that was right. @throws DirectoryException if the account may not be logged in to */
    Login right(OperationContext context, Dn dn) throws DirectoryException {
        return authenticator.right(context, dn);
    }

    /** Ends a login by a proof of the password that was wrong. @param dn null for nobody's  @return the client's answer */
    DirectoryException wrong(OperationContext context, Dn dn) {
        return authenticator.wrong(context, dn);
    }

    /** Ends a login that the transport or a ticket vouches for. @throws DirectoryException if the account is out of use */
    Login proven(OperationContext context, Dn dn) throws DirectoryException {
        return authenticator.proven(context, dn);
    }

    /** What SCRAM needs of a user; what nobody knows the password of, if there is no user or nothing is stored of use. */
    CompletableFuture<ScramKeys> scramKeys(OperationContext context, String digest, String name) {
        Dn dn = user(name);
        List<byte[]> stored = authenticator.storedPasswords(dn);
        return threads.run(context.source(), dn == null ? name : dn, () -> passwords.scramKeys(digest, name, stored));
    }

    /** What takes about as long as a hash, on the threads for those. @param subject whom turns within an address are about */
    <T> CompletableFuture<T> calculate(OperationContext context, Object subject, Callable<T> work) {
        return threads.run(context.source(), subject, work);
    }

    /**
     * The identity to act as, if one may log in at all: one's own, unless another is asked for (RFC 4513 5.2.1.8).
     *
     * @throws DirectoryException invalidCredentials for who may not log in; insufficientAccessRights for another's that he may not act as
     */
    Login authorized(OperationContext context, Login login, String authorizationId) throws DirectoryException {
        Identity own = login.identity();
        if (!identities.mayLogIn(context, own)) {
            throw wrong();
        }
        if (authorizationId.isEmpty() || own.dn().equals(mapping.authorization(authorizationId))) {
            return login;
        }
        try {
            return login.as(identities.proxied(context.withIdentity(own), authorizationId));
        } catch (DirectoryException e) {
            throw new DirectoryException(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, e.getMessage());
        }
    }

    /** The same answer for all that may be wrong with a name or a proof. */
    static DirectoryException wrong() {
        return AccountLogins.refused(null);
    }

    /** @throws DirectoryException protocolError for what is no UTF-8, or too long */
    static String text(byte[] message, int start, int end) throws DirectoryException {
        int length = end - start;
        String text = length > MOST_NAME_BYTES ? null : Utf8.decodeOrNull(message, start, length);
        if (text == null) {
            throw new DirectoryException(ResultCode.PROTOCOL_ERROR,
                    "SASL: expected UTF-8 of at most " + MOST_NAME_BYTES + " bytes");
        }
        return text;
    }
}
