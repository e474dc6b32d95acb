package org.alder.server.auth.scheme;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** MD5 as Netscape's mail server kept it, and 389 and OpenLDAP's module pw-netscape verify it: 32 hexadecimal digits, and 32 of salt. */
record NetscapeScheme(String name) implements PasswordScheme {
    private static final int WORK_NANOS = 1000;
    private static final int DIGITS = 32;
    /** What stands before the password and behind it. */
    private static final byte BEFORE = 0x59;
    private static final byte BEHIND = (byte) 0xF7;

    @Override
    public PasswordHash read(byte[] encoded) {
        String text = HashText.text(encoded);
        if (!text.matches("[0-9a-f]{32}[\\x21-\\x7e]{32}")) {
            return null;
        }
        byte[] digest = HexFormat.of().parseHex(text, 0, DIGITS);
        byte[] salt = HashText.ascii(text.substring(DIGITS));
        return new PasswordHash(this, WORK_NANOS, password -> MessageDigest.isEqual(digest(password, salt), digest));
    }

    private static byte[] digest(byte[] password, byte[] salt) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(salt);
            digest.update(BEFORE);
            digest.update(password);
            digest.update(BEHIND);
            return digest.digest(salt);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java platform has no MD5", e);
        }
    }
}
