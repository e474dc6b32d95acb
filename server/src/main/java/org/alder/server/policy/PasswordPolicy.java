package org.alder.server.policy;

/**
 * What passwords have to be like, how long they last, and what wrong ones lead to (draft-behera-ldap-password-policy-10 5.2, and
 * what OpenLDAP adds). Immutable. {@link PasswordPolicies} says which one applies to an entry.
 *
 * @param source the DN of the entry that it stands in, to be named in messages; null for that of the configuration
 */
public record PasswordPolicy(String source, Change change, Aging aging, Lockout lockout) {
    /** Beyond it every duration is at its limit. */
    private static final int MOST_DOUBLINGS = 30;

    /**
     * When and into what a password may be changed. Lengths are in characters; 0 is no limit.
     *
     * @param minimumAgeSeconds pwdMinAge: a user has to keep a password so long
     * @param history pwdInHistory: so many old passwords may not come back
     * @param quality pwdCheckQuality: 0 = not checked, 1 = checked where it can be (not of hashes), 2 = what cannot be checked is refused
     * @param minimumLength pwdMinLength
     * @param maximumLength pwdMaxLength
     * @param mustChange pwdMustChange: whether a password that an administrator has set is to be changed at the first login
     * @param allowUserChange pwdAllowUserChange: whether users may change their own passwords
     * @param safeModify pwdSafeModify: whether a user has to give the old password with the new one
     */
    public record Change(long minimumAgeSeconds, int history, int quality, int minimumLength, int maximumLength, boolean mustChange,
                         boolean allowUserChange, boolean safeModify) {
        /** Nothing is asked for. */
        public static final Change FREE = new Change(0, 0, 0, 0, 0, false, true, false);
    }

    /**
     * How long a password lasts; 0 is for ever.
     *
     * @param maximumAgeSeconds pwdMaxAge
     * @param warningSeconds pwdExpireWarning: so long before the end users are told
     * @param graceLogins pwdGraceAuthNLimit: so often one may log in with an expired password
     * @param graceSeconds pwdGraceExpiry: and only so long; 0 is no limit
     * @param maximumIdleSeconds pwdMaxIdle: an account that nobody used for so long is locked
     */
    public record Aging(long maximumAgeSeconds, long warningSeconds, int graceLogins, long graceSeconds, long maximumIdleSeconds) {
        /** Passwords last for ever. */
        public static final Aging NONE = new Aging(0, 0, 0, 0, 0);
    }

    /**
     * What wrong passwords lead to.
     *
     * @param enabled pwdLockout: whether an account is locked after too many
     * @param maximumFailures pwdMaxFailure: so many; 0 = never
     * @param countSeconds pwdFailureCountInterval: failures count so long, unless there is a login; 0 = for ever
     * @param lockoutSeconds pwdLockoutDuration: how long the account is locked; 0 = until an administrator unlocks it
     * @param mostLockoutSeconds how long it is locked at most, if it is longer with each failure that follows a lock; if not,
     *     the same as lockoutSeconds
     * @param minimumDelaySeconds pwdMinDelay: after one failure no password is taken for so long, after each more for twice as long;
     *     0 = no delay
     * @param maximumDelaySeconds pwdMaxDelay: but never for longer
     * @param recordedFailures pwdMaxRecordedFailure: so many are remembered, the latest
     */
    public record Lockout(boolean enabled, int maximumFailures, long countSeconds, long lockoutSeconds, long mostLockoutSeconds,
                          long minimumDelaySeconds, long maximumDelaySeconds, int recordedFailures) {
        /** Nothing. */
        public static final Lockout NONE = new Lockout(false, 0, 0, 0, 0, 0, 0, 0);

        /** Whether failures are to be remembered. */
        boolean counts() {
            return locks() || minimumDelaySeconds > 0;
        }

        boolean locks() {
            return enabled && maximumFailures > 0;
        }

        /** How long the lock after so many failures lasts. */
        long lockoutSeconds(int failures) {
            return doubled(lockoutSeconds, failures - maximumFailures, mostLockoutSeconds);
        }

        /** How long no password is taken after so many failures. */
        long delaySeconds(int failures) {
            return failures == 0 || minimumDelaySeconds == 0 ? 0
                    : doubled(minimumDelaySeconds, failures - 1, Math.max(minimumDelaySeconds, maximumDelaySeconds));
        }

        private static long doubled(long seconds, int times, long most) {
            return Math.min(most, seconds << Math.max(0, Math.min(times, MOST_DOUBLINGS)));
        }
    }

    /** Asks for nothing and locks nobody. */
    public static final PasswordPolicy NONE = new PasswordPolicy(null, Change.FREE, Aging.NONE, Lockout.NONE);

    /**
     * What holds unless something else is said: eight characters, ten failures a day, then locks of a minute, of two, and so on to an
     * hour.
     */
    public static final PasswordPolicy STANDARD = new PasswordPolicy(null, new Change(0, 0, 1, 8, 0, false, true, false),
            Aging.NONE, new Lockout(true, 10, 86_400, 60, 3600, 0, 0, 22));
}
