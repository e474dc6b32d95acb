package org.alder.server.auth.scheme;

import java.security.MessageDigest;

/** A password kept as it is, with or without {@code {CLEARTEXT}}. */
public record ClearTextScheme(String name) implements PasswordScheme {
    @Override
    public PasswordHash read(byte[] encoded) {
        return new PasswordHash(this, 0, password -> MessageDigest.isEqual(password, encoded));
    }
}
