package org.alder.server.policy;

/**
 * Whether an account can be logged in to with its password now, and for how long. Immutable.
 *
 * @param inactive no password lets anybody in now: the account is locked, out of use, or idle
 * @param reset the password is to be changed at the next login
 * @param expired the password has
 * @param graceLogins how often an expired password still lets its user in
 * @param unlockSeconds until what makes it inactive ends by itself; -1 if it does not
 * @param expirySeconds until the password expires; -1 if it does not, or has
 */
public record AccountStanding(boolean inactive, boolean reset, boolean expired, int graceLogins, long unlockSeconds,
                              long expirySeconds) {
    /** Whether there is nothing to be done before, or with, the next login. */
    public boolean isUsable() {
        return !inactive && !reset && !expired;
    }
}
