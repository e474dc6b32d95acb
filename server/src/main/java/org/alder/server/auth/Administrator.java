package org.alder.server.auth;

import java.security.MessageDigest;
import org.alder.partition.dn.Dn;

/**
 * The one identity that is in the configuration and not in the data, so that it can always get in. Immutable, thread safe.
 *
 * <p>The array is the caller's and is copied.
 */
public final class Administrator {
    public static final String DEFAULT_DN = "cn=Directory Manager";

    private final Dn dn;
    private final byte[] password;

    /** @throws IllegalArgumentException if the DN or the password is empty: either would let anybody in */
    public Administrator(Dn dn, byte[] password) {
        if (dn.isRoot() || password.length == 0) {
            throw new IllegalArgumentException("the administrator needs a DN and a password");
        }
        this.dn = dn;
        this.password = password.clone();
    }

    public Dn dn() {
        return dn;
    }

    public boolean isPassword(byte[] given) {
        return MessageDigest.isEqual(given, password);
    }
}
