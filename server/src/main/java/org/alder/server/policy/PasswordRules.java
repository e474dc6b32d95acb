package org.alder.server.policy;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.alder.partition.error.ResultCode;
import org.alder.partition.text.Counted;
import org.alder.server.auth.Passwords;
import org.alder.server.policy.PasswordQuality.Shortcoming;
import org.alder.server.policy.PasswordUpdates.Request;
import org.alder.server.policy.PasswordUpdates.Setter;

/**
 * Which passwords one request may set (draft-behera-ldap-password-policy-10 8.2). Administrators may set any; others of other users any
 * that are good, but not what only the user himself is asked for: whoever may set another's password could otherwise try which ones he
 * had. Immutable.
 *
 * @param proves whether the request shows that who asks knows the password that goes
 */
record PasswordRules(Request request, Passwords passwords, boolean proves) {
    /** What needs no password to be hashed: asked before anything is done, and in the transaction again. */
    void requireAllowed(PasswordPolicy.Change policy, AccountState account, EntryPasswords current) throws PolicyRefusal {
        if (request.setter() != Setter.OWNER) {
            return;
        }
        if (!policy.allowUserChange()) {
            throw new PolicyRefusal(ResultCode.INSUFFICIENT_ACCESS_RIGHTS,
                    "users may not change their passwords (pwdAllowUserChange)", PolicyError.PASSWORD_MOD_NOT_ALLOWED);
        }
        if (policy.safeModify() && !proves && !current.isEmpty()) {
            throw new PolicyRefusal(ResultCode.INSUFFICIENT_ACCESS_RIGHTS, "the old password has to be given with the new one"
                    + " (pwdSafeModify): delete the old and add the new in one modify, or use the password modify operation with both",
                    PolicyError.MUST_SUPPLY_OLD_PASSWORD);
        }
        Instant oldEnough = account.changed() == null || account.reset() ? Instant.MIN
                : account.changed().plusSeconds(policy.minimumAgeSeconds());
        if (oldEnough.isAfter(request.time())) {
            throw new PolicyRefusal(ResultCode.CONSTRAINT_VIOLATION, "the password was changed too short a time ago: it can be changed"
                    + " again in " + Counted.of(Duration.between(request.time(), oldEnough).toSeconds(), "second") + " (pwdMinAge)",
                    PolicyError.PASSWORD_TOO_YOUNG);
        }
    }

    /** What can be said of the new passwords themselves. @param wanted as the client sends them */
    void requireGood(PasswordPolicy.Change policy, PasswordQuality quality, Collection<String> ownWords, List<byte[]> wanted)
            throws PolicyRefusal {
        if (request.setter() == Setter.ADMINISTRATOR) {
            return;
        }
        if (wanted.size() > 1 && (policy.quality() > 0 || policy.history() > 0)) {
            throw new PolicyRefusal(ResultCode.CONSTRAINT_VIOLATION, "one password can be set at a time, not " + wanted.size(),
                    PolicyError.INSUFFICIENT_PASSWORD_QUALITY);
        }
        for (byte[] value : policy.quality() == 0 ? List.<byte[]>of() : wanted) {
            byte[] password = passwords.clearText(value);
            Shortcoming found = password == null ? null : quality.judge(password, ownWords);
            if (password == null && policy.quality() == 2) {
                found = new Shortcoming(PolicyError.INSUFFICIENT_PASSWORD_QUALITY, "the password is hashed already, so that nobody can"
                        + " say what it is like (pwdCheckQuality)");
            }
            if (found != null) {
                throw new PolicyRefusal(ResultCode.CONSTRAINT_VIOLATION, found.text(), found.error());
            }
        }
    }

    /**
     * Compares the new passwords with old ones, which takes as long as so many logins.
     *
     * @return what they were compared with; null if they did not have to be
     */
    List<byte[]> requireNew(PasswordPolicy.Change policy, EntryPasswords seen, List<byte[]> wanted) throws PolicyRefusal {
        if (!comparesWithOld(policy) || wanted.isEmpty()) {
            return null;
        }
        List<byte[]> compared = old(policy, seen);
        for (byte[] value : wanted) {
            byte[] password = passwords.clearText(value);
            if (password != null && passwords.isAmong(password, compared)) {
                throw new PolicyRefusal(ResultCode.CONSTRAINT_VIOLATION, "the password is one of the last "
                        + policy.history() + " that the user had (pwdInHistory)", PolicyError.PASSWORD_IN_HISTORY);
            }
        }
        return compared;
    }

    boolean comparesWithOld(PasswordPolicy.Change policy) {
        return request.setter() == Setter.OWNER && policy.history() > 0;
    }

    /** What new passwords have to differ from: the current ones, and then the newest that were. */
    static List<byte[]> old(PasswordPolicy.Change policy, EntryPasswords passwords) {
        List<byte[]> old = new ArrayList<>(passwords.all());
        old.addAll(PasswordHistory.of(passwords.history()).passwords(Math.min(policy.history(), PasswordUpdates.MOST_COMPARED)));
        return old;
    }
}
