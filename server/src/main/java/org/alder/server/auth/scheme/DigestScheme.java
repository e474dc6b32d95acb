package org.alder.server.auth.scheme;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * Base64 of a digest over password and salt, then the salt, as OpenLDAP and others keep {@code {SSHA}} and its kin. A salted scheme
 * takes an empty salt too, as other servers do.
 */
public final class DigestScheme implements PasswordScheme {
    private static final int WORK_NANOS = 1000;
    private static final int SALT_BYTES = 16;

    private final String name;
    private final String algorithm;
    private final int digestBytes;
    private final boolean salted;

    /** @param algorithm what {@link MessageDigest} calls it */
    DigestScheme(String name, String algorithm, boolean salted) {
        this.name = name;
        this.algorithm = algorithm;
        this.salted = salted;
        this.digestBytes = Digests.of(algorithm).getDigestLength();
    }

    @Override
    public String name() {
        return name;
    }

    /** The value to store for a new password. */
    public byte[] encode(byte[] password) {
        byte[] salt = HashText.salt(salted ? SALT_BYTES : 0);
        return HashText.ascii("{" + name + "}" + HashText.base64(HashText.joined(digest(password, salt), salt)));
    }

    @Override
    public PasswordHash read(byte[] encoded) {
        byte[] whole = HashText.decoded(HashText.text(encoded));
        if (whole.length < digestBytes || !salted && whole.length != digestBytes) {
            return null;
        }
        byte[] salt = Arrays.copyOfRange(whole, digestBytes, whole.length);
        byte[] digest = Arrays.copyOf(whole, digestBytes);
        return new PasswordHash(this, WORK_NANOS, password -> MessageDigest.isEqual(digest(password, salt), digest));
    }

    private byte[] digest(byte[] password, byte[] salt) {
        MessageDigest digest = Digests.of(algorithm);
        digest.update(password);
        return digest.digest(salt);
    }
}
