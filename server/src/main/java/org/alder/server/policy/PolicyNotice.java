package org.alder.server.policy;

/**
 * What a client is told of its password beside the result (draft-behera-ldap-password-policy-10 6.2). Immutable.
 *
 * @param expiresInSeconds -1 if that is not to be said
 * @param graceLoginsLeft after this one; -1 if the password has not expired
 * @param error null for none
 */
public record PolicyNotice(long expiresInSeconds, int graceLoginsLeft, PolicyError error) {
    /** Nothing to say. */
    public static final PolicyNotice NONE = new PolicyNotice(-1, -1, null);

    public static PolicyNotice of(PolicyError error) {
        return error == null ? NONE : new PolicyNotice(-1, -1, error);
    }
}
