package org.alder.server.auth.scheme;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;

/** The digests that every Java platform has. Thread safe. */
public final class Digests {
    private Digests() {
    }

    /** A new one, the caller's alone. @param algorithm such as SHA-256 */
    public static MessageDigest of(String algorithm) {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java platform has no " + algorithm, e);
        }
    }
}
