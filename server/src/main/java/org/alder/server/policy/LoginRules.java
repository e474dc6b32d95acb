package org.alder.server.policy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;

/** What a policy and the state of an account say of a login at some time (draft-behera-ldap-password-policy-10 7 and 8.1). Pure. */
final class LoginRules {
    /** The times before it stand for something else in 389: that the password is to be changed, and that it was used. */
    private static final Instant EARLIEST_EXPIRY = Instant.EPOCH.plusSeconds(2);

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
        Instant expiry = expiry(aging, state);
        if (expiry == null) {
            return new Verdict(true, PolicyNotice.NONE, next);
        }
        if (now.isBefore(expiry)) {
            long left = ChronoUnit.SECONDS.between(now, expiry);
            return new Verdict(true, left > aging.warningSeconds() ? PolicyNotice.NONE : new PolicyNotice(left, -1, null), next);
        }
        int graceLeft = graceLeft(aging, state, expiry, now);
        return graceLeft <= 0 ? Verdict.refused(PolicyError.PASSWORD_EXPIRED, state)
                : new Verdict(true, new PolicyNotice(-1, graceLeft - 1, null), next.withGraceLogin(now));
    }

    /** @return null if the password lasts for ever: its policy says so, or nobody knows since when there is one */
    private static Instant expiry(PasswordPolicy.Aging aging, AccountState state) {
        if (aging.maximumAgeSeconds() == 0) {
            return null;
        } else if (state.changed() != null) {
            return state.changed().plusSeconds(aging.maximumAgeSeconds());
        }
        Instant inherited = state.inherited().expires();
        return inherited == null || inherited.isBefore(EARLIEST_EXPIRY) ? null : inherited;
    }

    /** How often an expired password still lets its user in. */
    private static int graceLeft(PasswordPolicy.Aging aging, AccountState state, Instant expiry, Instant now) {
        boolean inTime = aging.graceSeconds() == 0 || now.isBefore(expiry.plusSeconds(aging.graceSeconds()));
        return inTime ? aging.graceLogins() - state.graceLogins().size() - state.inherited().graceLogins() : 0;
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

    /** The right password was compared, by whoever knows it. */
    static Verdict compared(PasswordPolicy policy, AccountState state, Instant now) {
        return Verdict.refused(isLocked(policy, state, now) ? PolicyError.ACCOUNT_LOCKED : null, state);
    }

    /** After a proof that is no password, such as a certificate: only what is out of use as a whole is refused. */
    static Verdict proven(PasswordPolicy policy, AccountState state, Instant now) {
        return isOutOfUse(state, now) || isIdle(policy, state, now) ? Verdict.refused(PolicyError.ACCOUNT_LOCKED, state)
                : new Verdict(true, PolicyNotice.NONE, state);
    }

    /** Whether the account can be logged in to with its password, and until when. */
    static AccountStanding standing(PasswordPolicy policy, AccountState state, Instant now) {
        boolean inactive = isLocked(policy, state, now);
        PasswordPolicy.Aging aging = policy.aging();
        Instant expiry = expiry(aging, state);
        boolean ages = expiry != null;
        boolean expired = ages && !now.isBefore(expiry);
        return new AccountStanding(inactive, state.reset(), expired, expired ? Math.max(0, graceLeft(aging, state, expiry, now)) : 0,
                inactive ? unlockSeconds(policy, state, now) : -1, ages && !expired ? ChronoUnit.SECONDS.between(now, expiry) : -1);
    }

    /** @return -1 if it does not end by itself */
    private static long unlockSeconds(PasswordPolicy policy, AccountState state, Instant now) {
        boolean isForGood = state.disabled() || AccountState.FOREVER.equals(state.lockedSince())
                || state.end() != null && !now.isBefore(state.end()) || isIdle(policy, state, now)
                || lockEnd(policy, state).equals(Instant.MAX);
        Instant end = now;
        for (Instant each : isForGood ? new Instant[0] : new Instant[] {state.start(), lockEnd(policy, state),
                delayEnd(policy.lockout(), state, now)}) {
            end = each != null && each.isAfter(end) ? each : end;
        }
        return isForGood ? -1 : ChronoUnit.SECONDS.between(now, end);
    }

    /** Whether no password lets anybody in now. */
    static boolean isLocked(PasswordPolicy policy, AccountState state, Instant now) {
        return isOutOfUse(state, now) || now.isBefore(lockEnd(policy, state)) || isDelayed(policy.lockout(), state, now)
                || isIdle(policy, state, now);
    }

    private static boolean isOutOfUse(AccountState state, Instant now) {
        return state.disabled() || AccountState.FOREVER.equals(state.lockedSince())
                || state.start() != null && now.isBefore(state.start()) || state.end() != null && !now.isBefore(state.end());
    }

    /** When a lock after wrong passwords ends: {@link Instant#MAX} if it does not end by itself, long ago if there is none. */
    private static Instant lockEnd(PasswordPolicy policy, AccountState state) {
        if (!policy.lockout().enabled()) {
            return Instant.MIN;
        }
        Instant noted = state.lockedSince() == null ? Instant.MIN : notedLockEnd(policy, state);
        Instant inherited = state.inherited().unlocked();
        return inherited != null && inherited.isAfter(noted) ? inherited : noted;
    }

    /**
     * A policy entry says how long its locks last, whoever has set them. What the configuration says of that is for locks that this
     * server has set: one that another server has left lasts until an administrator unlocks the account.
     */
    private static Instant notedLockEnd(PasswordPolicy policy, AccountState state) {
        long seconds = policy.lockout().lockoutSeconds();
        Instant end = policy.source() == null ? state.lockedUntil() : seconds == 0 ? null : state.lockedSince().plusSeconds(seconds);
        return end == null ? Instant.MAX : end;
    }

    private static boolean isDelayed(PasswordPolicy.Lockout lockout, AccountState state, Instant now) {
        Instant end = delayEnd(lockout, state, now);
        return end != null && now.isBefore(end);
    }

    /** @return null if there is no delay */
    private static Instant delayEnd(PasswordPolicy.Lockout lockout, AccountState state, Instant now) {
        List<Instant> failures = lockout.minimumDelaySeconds() == 0 ? List.of() : counted(lockout, state, now);
        return failures.isEmpty() ? null : failures.get(failures.size() - 1).plusSeconds(lockout.delaySeconds(failures.size()));
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
