package org.alder.server.policy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What a policy and the state of an account say of a login at some time (draft-behera-ldap-password-policy-10 7 and 8.1). Pure. */
final class LoginRules {
    private LoginRules() {
    }

    /**
     * What comes of a login.
     *
     * @param isLogin whether the client is let in
     * @param notice what the client may be told, whether it is let in or not
     * @param next the state of the account from then on
     */
    record Verdict(boolean isLogin, PolicyNotice notice, AccountState next) {
        static Verdict refused(PolicyError error, AccountState state) {
            return new Verdict(false, PolicyNotice.of(error), state);
        }
    }

    /** After the right password. */
    static Verdict right(PasswordPolicy policy, AccountState state, Instant now) {
        if (isLocked(policy, state, now)) {
            return Verdict.refused(PolicyError.ACCOUNT_LOCKED, state);
        }
        AccountState next = state.unlocked();
        if (state.reset() && policy != PasswordPolicy.NONE) {
            return new Verdict(true, PolicyNotice.of(PolicyError.CHANGE_AFTER_RESET), next);
        }
        PasswordPolicy.Aging aging = policy.aging();
        if (aging.maximumAgeSeconds() == 0 || state.changed() == null) {
            return new Verdict(true, PolicyNotice.NONE, next);
        }
        Instant expiry = state.changed().plusSeconds(aging.maximumAgeSeconds());
        if (now.isBefore(expiry)) {
            long left = ChronoUnit.SECONDS.between(now, expiry);
            return new Verdict(true, left > aging.warningSeconds() ? PolicyNotice.NONE : new PolicyNotice(left, -1, null), next);
        }
        int graceLeft = aging.graceLogins() - state.graceLogins().size();
        boolean inTime = aging.graceSeconds() == 0 || now.isBefore(expiry.plusSeconds(aging.graceSeconds()));
        return graceLeft <= 0 || !inTime ? Verdict.refused(PolicyError.PASSWORD_EXPIRED, state)
                : new Verdict(true, new PolicyNotice(-1, graceLeft - 1, null), next.withGraceLogin(now));
    }

    /** After a wrong password. What is locked takes no notice of it: guessing goes on for nothing. */
    static Verdict wrong(PasswordPolicy policy, AccountState state, Instant now) {
        PasswordPolicy.Lockout lockout = policy.lockout();
        if (isLocked(policy, state, now)) {
            return Verdict.refused(PolicyError.ACCOUNT_LOCKED, state);
        } else if (!lockout.counts()) {
            return Verdict.refused(null, state);
        }
        List<Instant> failures = AccountState.added(counted(lockout, state, now), now);
        int count = failures.size();
        AccountState next = state.withFailures(failures.subList(Math.max(0, count - lockout.recordedFailures()), count));
        if (lockout.locks() && count >= lockout.maximumFailures()) {
            boolean endsByItself = policy.source() == null && lockout.lockoutSeconds() > 0;
            next = next.withLock(now, endsByItself ? now.plusSeconds(lockout.lockoutSeconds(count)) : null);
        }
        return Verdict.refused(null, next);
    }

    /** After a proof that is no password, such as a certificate: only what is out of use as a whole is refused. */
    static Verdict proven(PasswordPolicy policy, AccountState state, Instant now) {
        return isOutOfUse(state, now) || isIdle(policy, state, now) ? Verdict.refused(PolicyError.ACCOUNT_LOCKED, state)
                : new Verdict(true, PolicyNotice.NONE, state);
    }

    /** Whether no password lets anybody in now. */
    static boolean isLocked(PasswordPolicy policy, AccountState state, Instant now) {
        return isOutOfUse(state, now) || isLockedForFailures(policy, state, now) || isDelayed(policy.lockout(), state, now)
                || isIdle(policy, state, now);
    }

    private static boolean isOutOfUse(AccountState state, Instant now) {
        return state.disabled() || AccountState.FOREVER.equals(state.lockedSince())
                || state.start() != null && now.isBefore(state.start()) || state.end() != null && !now.isBefore(state.end());
    }

    /**
     * A policy entry says how long its locks last, whoever has set them. What the configuration says of that is for locks that this
     * server has set: one that another server has left lasts until an administrator unlocks the account.
     */
    private static boolean isLockedForFailures(PasswordPolicy policy, AccountState state, Instant now) {
        PasswordPolicy.Lockout lockout = policy.lockout();
        if (state.lockedSince() == null || !lockout.enabled()) {
            return false;
        }
        Instant end = policy.source() == null ? state.lockedUntil()
                : lockout.lockoutSeconds() == 0 ? null : state.lockedSince().plusSeconds(lockout.lockoutSeconds());
        return end == null || now.isBefore(end);
    }

    private static boolean isDelayed(PasswordPolicy.Lockout lockout, AccountState state, Instant now) {
        List<Instant> failures = lockout.minimumDelaySeconds() == 0 ? List.of() : counted(lockout, state, now);
        return !failures.isEmpty()
                && now.isBefore(failures.get(failures.size() - 1).plusSeconds(lockout.delaySeconds(failures.size())));
    }

    private static List<Instant> counted(PasswordPolicy.Lockout lockout, AccountState state, Instant now) {
        Instant since = now.minusSeconds(lockout.countSeconds());
        return lockout.countSeconds() == 0 ? state.failures()
                : state.failures().stream().filter(failure -> failure.isAfter(since)).toList();
    }

    private static boolean isIdle(PasswordPolicy policy, AccountState state, Instant now) {
        long seconds = policy.aging().maximumIdleSeconds();
        return seconds > 0 && state.lastSuccess() != null && !now.isBefore(state.lastSuccess().plusSeconds(seconds));
    }
}
