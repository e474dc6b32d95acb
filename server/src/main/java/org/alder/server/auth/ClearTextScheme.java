package org.alder.server.auth;

import java.security.MessageDigest;

/** A password kept as it is: found in imported data, never made by the server. */
final class ClearTextScheme implements PasswordScheme {
    @Override
    public String name() {
        return "";
    }

    @Override
    public byte[] encode(byte[] password) {
        return password;
    }

    @Override
    public boolean matches(byte[] password, byte[] encoded) {
        return MessageDigest.isEqual(password, encoded);
    }
}
