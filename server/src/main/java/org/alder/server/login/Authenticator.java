package org.alder.server.login;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.auth.Administrator;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;
import org.alder.server.directory.Accounts;
import org.alder.server.directory.OperationContext;
import org.alder.server.resource.HashingThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out whether clients are who they say. Thread safe. */
public final class Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(Authenticator.class);
    /** The part of the queue up to which weak hashes are replaced. */
    private static final int UPGRADE_SHARE = 4;

    private final Accounts accounts;
    private final Administrator administrator;
    private final Passwords passwords;
    private final HashingThreads threads;

    public Authenticator(Accounts accounts, Administrator administrator, Passwords passwords, HashingThreads threads) {
        this.accounts = accounts;
        this.administrator = administrator;
        this.passwords = passwords;
        this.threads = threads;
    }

    /**
     * Who has this DN and password. A wrong password, an unknown DN, an entry that is locked and one without a password get the
     * same answer, invalidCredentials, after the same time. Only what needs no hashing to be right is answered at once.
     *
     * <p>The administrator may have an entry, as any DN may: its password is that of the configuration, and one that the entry has
     * is of no use. The configuration always has one.
     *
     * @param dn null for a name that means nobody
     * @return fails with busy if too much waits to be hashed; whoever cancels it takes his place in the queue away
     */
    public CompletableFuture<Identity> authenticate(OperationContext context, Dn dn, byte[] password) {
        Identity identity = dn == null ? Identity.ANONYMOUS : identity(dn);
        boolean isAdministrator = identity.administrator();
        List<byte[]> stored = dn == null || isAdministrator ? List.of() : accounts.passwords(dn);
        if (isAdministrator && administrator.isPassword(password)) {
            return CompletableFuture.completedFuture(identity);
        }
        byte[] plain = passwords.matchingPlainly(password, stored);
        if (plain != null) {
            upgrade(context, dn, password, plain);
            return CompletableFuture.completedFuture(identity);
        }
        CompletableFuture<byte[]> check = threads.run(context.source(), dn, () -> passwords.matching(password, stored));
        CompletableFuture<Identity> found = check.thenApply(matching -> {
            if (matching == null) {
                throw new CompletionException(invalidCredentials());
            }
            upgrade(context, dn, password, matching);
            return identity;
        });
        found.whenComplete((who, failure) -> {
            if (found.isCancelled()) {
                check.cancel(false);
            }
        });
        return found;
    }

    /**
     * For what has passwords in its request or its response.
     *
     * @throws DirectoryException confidentialityRequired if somebody else could read them on the way
     */
    public static void requireConfidential(OperationContext context) throws DirectoryException {
        if (context.client() != null && !context.client().acceptsPasswords()) {
            throw new DirectoryException(ResultCode.CONFIDENTIALITY_REQUIRED, "passwords are not taken in clear from another machine:"
                    + " start TLS first, or use ldaps (plaintextBind)");
        }
    }

    /** Replaces a weak hash, if there is nothing more important to do: else there will be another login. */
    private void upgrade(OperationContext context, Dn dn, byte[] password, byte[] stored) {
        if (!passwords.settings().upgrade() || passwords.keepsClearText()
                || threads.waiting() > passwords.settings().mostWaiting() / UPGRADE_SHARE) {
            return;
        }
        threads.run(context.source(), dn, () -> passwords.isWeak(stored) ? passwords.hashed(password) : null)
                .thenCompose(better -> better == null ? CompletableFuture.completedFuture(null)
                        : accounts.replacePassword(dn, stored, better))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        LOG.debug("the weak hash of \"{}\" stays: {}", dn.text(), failure.toString());
                    }
                });
    }

    /** Whoever has this DN. */
    Identity identity(Dn dn) {
        boolean isAdministrator = dn.equals(administrator.dn());
        return new Identity(isAdministrator ? administrator.dn() : dn, isAdministrator);
    }

    static DirectoryException invalidCredentials() {
        return new DirectoryException(ResultCode.INVALID_CREDENTIALS, "the DN or the password is wrong");
    }
}
