package org.alder.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/** A password kept as it is, with or without {@code {CLEARTEXT}}: found in imported data, never made by the server. */
final class ClearTextScheme implements PasswordScheme {
    @Override
    public String name() {
        return "CLEARTEXT";
    }

    @Override
    public byte[] encode(byte[] password) {
        byte[] prefix = ("{" + name() + "}").getBytes(StandardCharsets.US_ASCII);
        byte[] whole = new byte[prefix.length + password.length];
        System.arraycopy(prefix, 0, whole, 0, prefix.length);
        System.arraycopy(password, 0, whole, prefix.length, password.length);
        return whole;
    }

    @Override
    public boolean matches(byte[] password, byte[] encoded) {
        return MessageDigest.isEqual(password, encoded);
    }
}
