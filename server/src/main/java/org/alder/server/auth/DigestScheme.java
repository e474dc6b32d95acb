package org.alder.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

/** Base64 of a digest over password and salt, then the salt, as OpenLDAP and others keep {@code {SSHA}} and its kin. */
final class DigestScheme implements PasswordScheme {
    private static final int SALT_BYTES = 16;

    private final SecureRandom random = new SecureRandom();
    private final String name;
    private final String algorithm;
    private final int digestBytes;
    private final boolean salted;

    /** @param algorithm what {@link MessageDigest} calls it */
    DigestScheme(String name, String algorithm, boolean salted) {
        this.name = name;
        this.algorithm = algorithm;
        this.salted = salted;
        this.digestBytes = newDigest().getDigestLength();
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public byte[] encode(byte[] password) {
        byte[] salt = new byte[salted ? SALT_BYTES : 0];
        random.nextBytes(salt);
        byte[] whole = Arrays.copyOf(digest(password, salt), digestBytes + salt.length);
        System.arraycopy(salt, 0, whole, digestBytes, salt.length);
        return ("{" + name + "}" + Base64.getEncoder().encodeToString(whole)).getBytes(StandardCharsets.US_ASCII);
    }

    /** A salted scheme takes an empty salt too, as other servers do. */
    @Override
    public boolean matches(byte[] password, byte[] encoded) {
        byte[] whole = decoded(encoded);
        if (whole.length < digestBytes || !salted && whole.length != digestBytes) {
            return false;
        }
        byte[] salt = Arrays.copyOfRange(whole, digestBytes, whole.length);
        return MessageDigest.isEqual(digest(password, salt), Arrays.copyOf(whole, digestBytes));
    }

    private static byte[] decoded(byte[] base64) {
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            return new byte[0];
        }
    }

    private byte[] digest(byte[] password, byte[] salt) {
        MessageDigest digest = newDigest();
        digest.update(password);
        return digest.digest(salt);
    }

    private MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance(algorithm);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this Java platform has no " + algorithm, e);
        }
    }
}
