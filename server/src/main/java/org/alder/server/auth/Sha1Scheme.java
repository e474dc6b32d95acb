package org.alder.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** {@code {SHA}} and {@code {SSHA}}: Base64 of SHA-1 over password and salt, then the salt. */
final class Sha1Scheme implements PasswordScheme {
    private static final int DIGEST_BYTES = 20;
    private static final int SALT_BYTES = 8;

    private final SecureRandom random = new SecureRandom();
    private final boolean salted;

    Sha1Scheme(boolean salted) {
        this.salted = salted;
    }

    @Override
    public String name() {
        return salted ? "SSHA" : "SHA";
    }

    @Override
    public byte[] encode(byte[] password) {
        byte[] salt = new byte[salted ? SALT_BYTES : 0];
        random.nextBytes(salt);
        byte[] digest = digest(password, salt);
        byte[] whole = Arrays.copyOf(digest, digest.length + salt.length);
        System.arraycopy(salt, 0, whole, digest.length, salt.length);
        return ("{" + name() + "}" + Base64.getEncoder().encodeToString(whole)).getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public boolean matches(byte[] password, byte[] encoded) {
        byte[] whole = decoded(encoded);
        if (whole.length < DIGEST_BYTES || !salted && whole.length != DIGEST_BYTES) {
            return false;
        }
        byte[] salt = Arrays.copyOfRange(whole, DIGEST_BYTES, whole.length);
        return MessageDigest.isEqual(digest(password, salt), Arrays.copyOf(whole, DIGEST_BYTES));
    }

    private static byte[] decoded(byte[] base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }

    private static byte[] digest(byte[] password, byte[] salt) {
        try {
            MessageDigest sha1 = MessageDigest.getInstance("SHA-1");
            sha1.update(password);
            return sha1.digest(salt);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }
}
