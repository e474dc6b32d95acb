package org.alder.server.auth.scheme;

import java.security.MessageDigest;

/** A password in base 64 and else as it is, as OpenDJ keeps it where it is told to. */
record Base64Scheme(String name) implements PasswordScheme {
    @Override
    public PasswordHash read(byte[] encoded) {
        byte[] stored = HashText.decoded(HashText.text(encoded));
        return stored.length == 0 ? null : new PasswordHash(this, 0, password -> MessageDigest.isEqual(password, stored));
    }
}
