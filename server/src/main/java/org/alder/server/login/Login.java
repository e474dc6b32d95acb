package org.alder.server.login;

import org.alder.server.auth.Identity;
import org.alder.server.policy.PolicyError;
import org.alder.server.policy.PolicyNotice;

/**
 * A client that has proven who it is. Immutable.
 *
 * @param notice what it is told of its password
 */
public record Login(Identity identity, PolicyNotice notice) {
    public static final Login ANONYMOUS = of(Identity.ANONYMOUS);

    /** Of somebody to whom no policy applies. */
    static Login of(Identity identity) {
        return new Login(identity, PolicyNotice.NONE);
    }

    static Login of(Identity identity, PolicyNotice notice) {
        boolean mustChange = notice.error() == PolicyError.CHANGE_AFTER_RESET;
        return new Login(mustChange ? new Identity(identity.dn(), identity.administrator(), true) : identity, notice);
    }

    /** The same proof, to act as somebody else. */
    Login as(Identity other) {
        return new Login(other, notice);
    }
}
