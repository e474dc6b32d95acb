package org.alder.server.policy;

import java.time.Instant;
import java.util.Objects;
import java.util.function.Consumer;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.ResultCode;
import org.alder.partition.store.Replica;
import org.alder.partition.store.Snapshot;
import org.alder.partition.tree.EntryView;
import org.alder.server.audit.AuditTrail;

/**
 * Decides whether an account may be logged in to now, after its owner has proven who he is or has not, and keeps count: the one
 * place where that is done, whatever the mechanism. It reads the entry as it is stored, and what {@link AccountLedger} knows beyond
 * that. The administrator of the configuration never comes by here. Thread safe.
 */
public final class AccountLogins implements AutoCloseable {
    /** How often the last login is noted for the sake of a policy alone. */
    private static final long LAST_LOGIN_SECONDS = 3600;
    /** By this part of the time after which an account is idle, the noted time of its last login may be late. */
    private static final int IDLE_PART = 4;

    private final PasswordPolicies policies;
    private final AccountLedger ledger;
    /** Told what changes an account that another member of a cluster writes; null for nobody. */
    private volatile Consumer<LoginEvent> elsewhere;

    public AccountLogins(PasswordPolicies policies) {
        this.policies = policies;
        this.ledger = new AccountLedger(policies.attributes(), policies.settings().clock());
    }

    /** Has logins told that change what another member of the cluster writes. @param told must not block */
    public void tellElsewhere(Consumer<LoginEvent> told) {
        elsewhere = told;
    }

    @FunctionalInterface
    private interface Rule {
        LoginRules.Verdict of(PasswordPolicy policy, AccountState state, Instant now);
    }

    /** Another member has seen a login: it counts as one here, for whatever this member knows of the account. */
    public void seenElsewhere(AuditTrail audit, LoginEvent event) {
        switch (event.kind()) {
            case RIGHT -> decide(audit, event.dn(), LoginRules::right);
            case WRONG -> decide(audit, event.dn(), LoginRules::wrong);
            case PROVEN -> decide(audit, event.dn(), LoginRules::proven);
        }
    }

    /**
     * The password was right.
     *
     * @param audit is told what the policy does, as in the other methods
     * @return what the client is told; the error CHANGE_AFTER_RESET if it may do nothing but change the password
     * @throws PolicyRefusal invalidCredentials, with the message of a wrong password unless the password has expired
     */
    public PolicyNotice right(AuditTrail audit, Dn dn) throws PolicyRefusal {
        return admitted(audit, dn, decide(audit, dn, LoginRules::right, LoginEvent.Kind.RIGHT));
    }

    /** The password was wrong; an unknown name leaves no trace. @return the client's answer */
    public PolicyRefusal wrong(AuditTrail audit, Dn dn) {
        LoginRules.Verdict verdict = decide(audit, dn, LoginRules::wrong, LoginEvent.Kind.WRONG);
        return refused(verdict != null && policies.settings().tellsLocks() ? verdict.notice().error() : null);
    }

    /** Somebody else has proven who the client is, such as a certificate or a ticket. @throws PolicyRefusal as {@link #right} */
    public PolicyNotice proven(AuditTrail audit, Dn dn) throws PolicyRefusal {
        return admitted(audit, dn, decide(audit, dn, LoginRules::proven, LoginEvent.Kind.PROVEN));
    }

    /**
     * Somebody asks whether this is the password: it is as good as a login for who guesses, so that a wrong one counts, and of a locked
     * account none is right.
     *
     * @param equal whether it is
     * @return what he is told
     */
    public boolean compared(AuditTrail audit, Dn dn, boolean equal) {
        LoginRules.Verdict verdict = equal ? decide(audit, dn, LoginRules::compared)
                : decide(audit, dn, LoginRules::wrong, LoginEvent.Kind.WRONG);
        return equal && (verdict == null || verdict.notice().error() == null);
    }

    /** Whether the password is still to be changed before anything else. */
    public boolean mustChange(Dn dn) {
        Partition partition = policies.partition(dn);
        if (partition == null) {
            return false;
        }
        try (Snapshot snapshot = partition.snapshot()) {
            EntryView entry = partition.read(snapshot, dn);
            return entry != null && policies.attributes().of(entry.record()).reset();
        }
    }

    private PolicyNotice admitted(AuditTrail audit, Dn dn, LoginRules.Verdict verdict) throws PolicyRefusal {
        PolicyNotice notice = verdict == null ? PolicyNotice.NONE : verdict.notice();
        PolicyError error = notice.error();
        if (verdict == null || verdict.isLogin()) {
            if (notice.graceLoginsLeft() >= 0) {
                audit.tell(AuditTrail.Kind.POLICY, "graceLogin", dn.text(), "the password has expired, "
                        + notice.graceLoginsLeft() + " grace logins are left");
            }
            return notice;
        }
        boolean isExpired = error == PolicyError.PASSWORD_EXPIRED;
        audit.tell(AuditTrail.Kind.POLICY, "loginRefused", dn.text(),
                isExpired ? "the password has expired" : "the account is locked or out of use");
        if (isExpired) {
            throw new PolicyRefusal(ResultCode.INVALID_CREDENTIALS, "the password has expired", error);
        }
        throw refused(policies.settings().tellsLocks() ? error : null);
    }

    /** The answer to all that is wrong with a name or a proof. @param error null if the client is not to know more */
    public static PolicyRefusal refused(PolicyError error) {
        return new PolicyRefusal(ResultCode.INVALID_CREDENTIALS, "the DN or the password is wrong", error);
    }

    /** The same, and has the leader told where this member cannot write what comes of it. */
    private LoginRules.Verdict decide(AuditTrail audit, Dn dn, Rule rule, LoginEvent.Kind kind) {
        Consumer<LoginEvent> told = elsewhere;
        Decision decision = decided(audit, dn, rule);
        if (told != null && decision != null && decision.isChange && isLedElsewhere(dn)) {
            told.accept(new LoginEvent(dn, kind));
        }
        return decision == null ? null : decision.verdict;
    }

    private boolean isLedElsewhere(Dn dn) {
        Partition partition = policies.partition(dn);
        Replica replica = partition == null ? null : partition.store().replica();
        return replica != null && replica.refusal() != null;
    }

    /** @return null if there is no such entry */
    private LoginRules.Verdict decide(AuditTrail audit, Dn dn, Rule rule) {
        Decision decision = decided(audit, dn, rule);
        return decision == null ? null : decision.verdict;
    }

    /** @param isChange whether the account is in another state from then on */
    private record Decision(LoginRules.Verdict verdict, boolean isChange) {
    }

    private Decision decided(AuditTrail audit, Dn dn, Rule rule) {
        Partition partition = policies.partition(dn);
        if (partition == null) {
            return null;
        }
        synchronized (ledger.lock(dn)) {
            AccountLedger.Noted noted = ledger.noted(dn);
            try (Snapshot snapshot = partition.snapshot()) {
                EntryView entry = partition.read(snapshot, dn);
                if (entry == null) {
                    return null;
                }
                AccountState stored = policies.attributes().of(entry.record());
                AccountState state = noted != null && noted.isBeyond(stored) ? noted.state() : stored;
                PasswordPolicy policy = policies.of(partition, snapshot, dn, entry.record());
                Instant now = AccountAttributes.storable(policies.settings().clock().instant());
                LoginRules.Verdict verdict = rule.of(policy, state, now);
                AccountState next = verdict.isLogin() ? withLastSuccess(policy, verdict.next(), now) : verdict.next();
                ledger.note(partition, dn, stored, next);
                if (!Objects.equals(state.lockedSince(), verdict.next().lockedSince()) && verdict.next().lockedSince() != null) {
                    audit.tell(AuditTrail.Kind.POLICY, "accountLocked", entry.dn(), "after " + verdict.next().failures().size()
                            + " wrong passwords");
                }
                return new Decision(verdict, !next.equals(state));
            }
        }
    }

    /** With the time of the login, if the one that is noted is too old. */
    private AccountState withLastSuccess(PasswordPolicy policy, AccountState state, Instant now) {
        long idleSeconds = policy.aging().maximumIdleSeconds();
        long wanted = policies.settings().lastLoginSeconds();
        long seconds = idleSeconds == 0 ? wanted : Math.min(wanted == 0 ? LAST_LOGIN_SECONDS : wanted, idleSeconds / IDLE_PART);
        boolean isFresh = state.lastSuccess() != null && now.isBefore(state.lastSuccess().plusSeconds(seconds));
        return idleSeconds == 0 && wanted == 0 || isFresh ? state : state.withLastSuccess(now);
    }

    /** An administrator has changed what the entry says of the account: that alone holds now, also if it said the same before. */
    public void forget(Dn dn) {
        ledger.forget(dn);
    }

    public PasswordPolicies policies() {
        return policies;
    }

    /** Whether nobody may act as this account now, whoever vouches for him. */
    public boolean isOutOfUse(Dn dn) {
        Boolean outOfUse = ask(dn, false, (policy, state, now) -> !LoginRules.proven(policy, state, now).isLogin());
        return outOfUse != null && outOfUse;
    }

    /** Whether an account can be logged in to with its password now. @return null for what is no account: without password and state */
    public AccountStanding standing(Dn dn) {
        return ask(dn, true, LoginRules::standing);
    }

    @FunctionalInterface
    private interface Question<T> {
        T of(PasswordPolicy policy, AccountState state, Instant now);
    }

    /** @param ofAccounts whether what has neither password nor state is asked nothing  @return null if there is no such entry, or account */
    private <T> T ask(Dn dn, boolean ofAccounts, Question<T> question) {
        Partition partition = policies.partition(dn);
        if (partition == null) {
            return null;
        }
        AccountLedger.Noted noted = ledger.noted(dn);
        try (Snapshot snapshot = partition.snapshot()) {
            EntryView entry = partition.read(snapshot, dn);
            AccountState stored = entry == null ? AccountState.EMPTY : policies.attributes().of(entry.record());
            if (entry == null || ofAccounts && stored.equals(AccountState.EMPTY)
                    && EntryPasswords.of(partition.schema(), snapshot, entry).isEmpty()) {
                return null;
            }
            AccountState state;
            synchronized (ledger.lock(dn)) {
                state = noted != null && noted.isBeyond(stored) ? noted.state() : stored;
            }
            return question.of(policies.of(partition, snapshot, dn, entry.record()), state, policies.settings().clock().instant());
        }
    }

    /** What is known of accounts beyond their entries; for tests and figures. */
    public AccountLedger ledger() {
        return ledger;
    }

    /** Writes what is known of accounts beyond their entries. No login may come any more. */
    @Override
    public void close() {
        ledger.close();
    }
}
