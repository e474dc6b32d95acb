package org.alder.server.login;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.server.auth.Identity;
import org.alder.server.auth.Passwords;
import org.alder.server.directory.Accounts;
import org.alder.server.directory.Administrators;
import org.alder.server.directory.OperationContext;
import org.alder.server.policy.AccountLogins;
import org.alder.server.policy.PolicyRefusal;
import org.alder.server.resource.HashingThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds out whether clients are who they say. Thread safe. */
public final class Authenticator {
    private static final Logger LOG = LoggerFactory.getLogger(Authenticator.class);
    /** The part of the queue up to which weak hashes are replaced. */
    private static final int UPGRADE_SHARE = 4;

    private final Accounts accounts;
    private final Administrators administrators;
    private final Passwords passwords;
    private final HashingThreads threads;
    private final AccountLogins logins;

    public Authenticator(Accounts accounts, Administrators administrators, Passwords passwords, HashingThreads threads,
            AccountLogins logins) {
        this.logins = logins;
        this.accounts = accounts;
        this.administrators = administrators;
        this.passwords = passwords;
        this.threads = threads;
    }

    /**
     * Who has this DN and password. A wrong password, an unknown DN, an entry that is locked and one without a password get the
     * same answer, invalidCredentials, after the same time. Only what needs no hashing to be right is answered at once.
     *
     * <p>The administrator of the configuration may have an entry, as any DN may: its password is that of the configuration, and one
     * that the entry has is of no use.
     *
     * @param dn null for a name that means nobody
     * @return fails with busy if too much waits to be hashed; whoever cancels it takes his place in the queue away
     */
    public CompletableFuture<Login> authenticate(OperationContext context, Dn dn, byte[] password) {
        return check(context, dn, password, this::right);
    }

    /**
     * The same for a password that is asked for once more, of somebody who is logged in: it counts as a guess if it is wrong, and as no
     * login if it is right, so that whoever has logged in with one that has expired can change it.
     */
    public CompletableFuture<Login> confirm(OperationContext context, Dn dn, byte[] password) {
        return check(context, dn, password, this::confirmed);
    }

    /** What comes of the right password. */
    @FunctionalInterface
    private interface End {
        Login of(OperationContext context, Dn dn) throws PolicyRefusal;
    }

    private CompletableFuture<Login> check(OperationContext context, Dn dn, byte[] password, End end) {
        if (isAdministrator(dn) && administrators.configured().isPassword(password)) {
            return CompletableFuture.completedFuture(Login.of(identity(dn)));
        }
        List<byte[]> stored = storedPasswords(dn);
        byte[] plain = passwords.matchingPlainly(password, stored);
        if (plain != null) {
            try {
                Login login = end.of(context, dn);
                upgrade(context, dn, password, plain);
                return CompletableFuture.completedFuture(login);
            } catch (PolicyRefusal e) {
                // It takes the time of a wrong password, and the same way.
                return hashing(context, dn, () -> passwords.matching(password, List.of()), matching -> {
                    throw new CompletionException(e);
                });
            }
        }
        return hashing(context, dn, () -> passwords.matching(password, stored), matching -> {
            if (matching == null) {
                throw new CompletionException(wrong(context, dn));
            }
            try {
                Login login = end.of(context, dn);
                upgrade(context, dn, password, matching);
                return login;
            } catch (PolicyRefusal e) {
                throw new CompletionException(e);
            }
        });
    }

    private CompletableFuture<Login> hashing(OperationContext context, Dn dn, Callable<byte[]> work,
            Function<byte[], Login> end) {
        CompletableFuture<byte[]> check = threads.run(context.source(), dn, work);
        CompletableFuture<Login> login = check.thenApply(end);
        login.whenComplete((who, failure) -> {
            if (login.isCancelled()) {
                check.cancel(false);
            }
        });
        return login;
    }

    /** The passwords of an account, null for nobody's; of the administrator's entry none is of use. */
    List<byte[]> storedPasswords(Dn dn) {
        return dn == null || isAdministrator(dn) ? List.of() : accounts.passwords(dn);
    }

    /** Ends a login by a proof of the password that was right. @throws PolicyRefusal if the account may not be logged in to */
    Login right(OperationContext context, Dn dn) throws PolicyRefusal {
        return isAdministrator(dn) ? Login.of(identity(dn)) : Login.of(identity(dn), logins.right(context.audit(), dn));
    }

    private Login confirmed(OperationContext context, Dn dn) throws PolicyRefusal {
        if (!isAdministrator(dn) && !logins.compared(context.audit(), dn, true)) {
            throw AccountLogins.refused(null);
        }
        return Login.of(identity(dn));
    }

    /** Ends a login by a proof of the password that was wrong. @param dn null for nobody's  @return the client's answer */
    DirectoryException wrong(OperationContext context, Dn dn) {
        return dn == null || isAdministrator(dn) ? invalidCredentials() : logins.wrong(context.audit(), dn);
    }

    /** Ends a login that somebody else has vouched for. @throws PolicyRefusal if the account is out of use */
    Login proven(OperationContext context, Dn dn) throws PolicyRefusal {
        return isAdministrator(dn) ? Login.of(identity(dn)) : Login.of(identity(dn), logins.proven(context.audit(), dn));
    }

    /**
     * For what has passwords in its request or its response.
     *
     * @throws DirectoryException confidentialityRequired if somebody else could read them on the way
     */
    public static void requireConfidential(OperationContext context) throws DirectoryException {
        if (context.client() != null && !context.client().acceptsPasswords()) {
            throw new DirectoryException(ResultCode.CONFIDENTIALITY_REQUIRED, "passwords are not taken in clear on this connection:"
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

    private boolean isAdministrator(Dn dn) {
        return dn != null && administrators.isConfigured(dn);
    }

    private Identity identity(Dn dn) {
        return administrators.identity(dn);
    }

    /** What a client is told who may not log in, whyever. */
    public static DirectoryException invalidCredentials() {
        return AccountLogins.refused(null);
    }
}
