package org.alder.server.auth;

import java.security.MessageDigest;
import org.alder.partition.dn.Dn;

/**
 * The identity that is in the configuration and not in the data, so that it can always get in, and the group whose members are
 * administrators too. Immutable, thread safe.
 */
public final class Administrator {
    public static final String DEFAULT_DN = "cn=Directory Manager";

    private final Dn dn;
    /** Null if nobody gets in as this one. */
    private final byte[] password;
    /** Null for none. */
    private final Dn group;

    /**
     * The array is the caller's and is copied.
     *
     * @throws IllegalArgumentException if the DN or the password is empty: either would let anybody in
     */
    public Administrator(Dn dn, byte[] password) {
        this(dn, password.clone(), null);
        if (password.length == 0) {
            throw new IllegalArgumentException("the administrator needs a password");
        }
    }

    private Administrator(Dn dn, byte[] password, Dn group) {
        if (dn.isRoot()) {
            throw new IllegalArgumentException("the administrator needs a DN");
        }
        this.dn = dn;
        this.password = password;
        this.group = group;
    }

    /** One that nobody gets in as: it is only the name of who has made what the server itself makes. */
    public static Administrator turnedOff(Dn dn) {
        return new Administrator(dn, null, null);
    }

    /** @param other whose members are administrators too; null for none */
    public Administrator withGroup(Dn other) {
        return new Administrator(dn, password, other);
    }

    public Dn dn() {
        return dn;
    }

    /** Null for none. */
    public Dn group() {
        return group;
    }

    public boolean isTurnedOff() {
        return password == null;
    }

    public boolean isPassword(byte[] given) {
        return password != null && MessageDigest.isEqual(given, password);
    }
}
