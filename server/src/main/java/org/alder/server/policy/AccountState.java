package org.alder.server.policy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/**
 * What the entry of an account says of its password and its logins (draft-behera-ldap-password-policy-10 5.3). Times that are not
 * known are null; lists are in the order of time. Immutable. {@link AccountAttributes} reads it from entries, and says which
 * modifications lead from one state to another.
 *
 * @param changed pwdChangedTime
 * @param lockedSince pwdAccountLockedTime; {@link #FOREVER} for 000001010000Z: an administrator has locked the account
 * @param lockedUntil pwdAccountTmpLockoutEnd: when a lock that the server has set ends by itself
 * @param failures pwdFailureTime
 * @param graceLogins pwdGraceUseTime
 * @param reset pwdReset: whether the password is to be changed at the next login
 * @param lastSuccess pwdLastSuccess, or authTimestamp if that is later
 * @param start pwdStartTime
 * @param end pwdEndTime, or what other servers call so; the earliest
 * @param disabled what says that the account is out of use, whatever the policy
 * @param inherited what another server has left
 */
public record AccountState(Instant changed, Instant lockedSince, Instant lockedUntil, List<Instant> failures,
                           List<Instant> graceLogins, boolean reset, Instant lastSuccess, Instant start, Instant end,
                           boolean disabled, Inherited inherited) {
    /** Since always: a lock that does not end by itself. */
    public static final Instant FOREVER = Instant.MIN;
    /** Of an entry that says nothing. */
    public static final AccountState EMPTY =
            new AccountState(null, null, null, List.of(), List.of(), false, null, null, null, false, Inherited.NOTHING);

    /**
     * What 389 Directory Server notes otherwise than it is noted here: it holds until a login or a new password says something else.
     *
     * @param unlocked accountUnlockTime: when a lock after wrong passwords ends; {@link Instant#MAX} if it does not end by itself; null
     *     if there is none
     * @param expires passwordExpirationTime: when the password expires where passwords do; null for nothing
     * @param graceLogins passwordGraceUserTime: how often it has let its user in since
     */
    public record Inherited(Instant unlocked, Instant expires, int graceLogins) {
        public static final Inherited NOTHING = new Inherited(null, null, 0);

        Inherited withoutLock() {
            return new Inherited(null, expires, graceLogins);
        }
    }

    public AccountState {
        failures = List.copyOf(failures);
        graceLogins = List.copyOf(graceLogins);
    }

    /**
     * After the password was set: failures, locks that end by themselves, and grace logins are forgotten. One that an
     * administrator has set for ever stays.
     *
     * @param mustChange whether its owner is to change it at the next login
     */
    public AccountState withPassword(Instant time, boolean mustChange) {
        boolean staysLocked = FOREVER.equals(lockedSince);
        return new AccountState(time, staysLocked ? lockedSince : null, null, List.of(), List.of(), mustChange, lastSuccess, start,
                end, disabled, Inherited.NOTHING);
    }

    /** Out of use until {@link #unlocked}. */
    public AccountState locked() {
        return new AccountState(changed, FOREVER, null, failures, graceLogins, reset, lastSuccess, start, end, disabled, inherited);
    }

    /** Without lock and failures, as after a login; what disables the account otherwise stays. */
    public AccountState unlocked() {
        return new AccountState(changed, null, null, List.of(), graceLogins, reset, lastSuccess, start, end, disabled,
                inherited.withoutLock());
    }

    /** Whether the password is to be changed at the next login. */
    public AccountState withReset(boolean other) {
        return new AccountState(changed, lockedSince, lockedUntil, failures, graceLogins, other, lastSuccess, start, end, disabled,
                inherited);
    }

    /** As if the password had been set at another time. @param time null for one that does not age */
    public AccountState withChanged(Instant time) {
        return new AccountState(time, lockedSince, lockedUntil, failures, graceLogins, reset, lastSuccess, start, end, disabled, inherited);
    }

    AccountState withLock(Instant since, Instant until) {
        return new AccountState(changed, since, until, failures, graceLogins, reset, lastSuccess, start, end, disabled, inherited);
    }

    /** A time to be added to others, which it must not be equal to: the values of an attribute are distinct. */
    static List<Instant> added(List<Instant> times, Instant time) {
        Instant last = times.isEmpty() ? null : times.get(times.size() - 1);
        List<Instant> more = new ArrayList<>(times);
        more.add(last == null || time.isAfter(last) ? time : last.plus(1, ChronoUnit.MICROS));
        return more;
    }

    AccountState withFailures(List<Instant> other) {
        return new AccountState(changed, lockedSince, lockedUntil, other, graceLogins, reset, lastSuccess, start, end, disabled, inherited);
    }

    AccountState withGraceLogin(Instant time) {
        return new AccountState(changed, lockedSince, lockedUntil, failures, added(graceLogins, time), reset, lastSuccess, start, end,
                disabled, inherited);
    }

    AccountState withLastSuccess(Instant time) {
        return new AccountState(changed, lockedSince, lockedUntil, failures, graceLogins, reset, time, start, end, disabled, inherited);
    }
}
