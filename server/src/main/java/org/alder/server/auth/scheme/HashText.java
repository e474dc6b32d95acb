package org.alder.server.auth.scheme;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** The text that hashes, and proofs of knowing a password, are written in. Thread safe. */
public final class HashText {
    private static final SecureRandom RANDOM = new SecureRandom();

    private HashText() {
    }

    /** Random bytes that nobody can foretell. */
    public static byte[] salt(int bytes) {
        byte[] salt = new byte[bytes];
        RANDOM.nextBytes(salt);
        return salt;
    }

    public static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** One character for each byte, so that what is not ASCII stays what it is not. */
    static String text(byte[] encoded) {
        return new String(encoded, StandardCharsets.ISO_8859_1);
    }

    public static String base64(byte[] bytes) {
        return Base64.getEncoder().encodeToString(bytes);
    }

    public static byte[] joined(byte[] first, byte[] second) {
        byte[] whole = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, whole, first.length, second.length);
        return whole;
    }

    static String unpadded(byte[] bytes) {
        return Base64.getEncoder().withoutPadding().encodeToString(bytes);
    }

    /** Base 64, with padding or without, also with {@code .} for {@code +} as passlib and OpenLDAP write it; empty if it is not. */
    static byte[] decoded(String base64) {
        try {
            return Base64.getDecoder().decode(base64.replace('.', '+'));
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }

    /** A whole number above 0 of at most nine digits; else 0. */
    static int count(String digits) {
        return digits.matches("[0-9]{1,9}") ? Integer.parseInt(digits) : 0;
    }
}
