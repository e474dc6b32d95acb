package org.alder.server.auth;

import org.alder.partition.dn.Dn;

/**
 * In whose name a connection asks (RFC 4513 4). Immutable.
 *
 * @param dn the root for anonymous
 * @param administrator whether limits and access control do not apply
 * @param mustChangePassword whether the client may do nothing but change its password, as long as that has not been changed
 */
public record Identity(Dn dn, boolean administrator, boolean mustChangePassword) {
    public static final Identity ANONYMOUS = new Identity(Dn.ROOT, false);

    public Identity(Dn dn, boolean administrator) {
        this(dn, administrator, false);
    }

    public boolean isAnonymous() {
        return dn.isRoot();
    }

    /** Whether both are of one DN. */
    public boolean isSameAs(Identity other) {
        return dn.equals(other.dn);
    }

    /** RFC 4513 5.2.1.8: {@code dn:} and the DN, or nothing for anonymous. */
    public String authorizationId() {
        return isAnonymous() ? "" : "dn:" + dn.text();
    }
}
