package org.alder.server.auth.scheme;

import java.security.MessageDigest;

/**
 * What SCRAM needs of a password (RFC 5802 3), as Dovecot keeps it: {@code rounds,salt,StoredKey,ServerKey}. A simple bind is
 * checked against it too.
 */
public final class ScramScheme implements PasswordScheme {
    private static final int SALT_BYTES = 16;

    private final String name;
    private final String digest;
    private final int digestBytes;

    /** @param digest such as SHA256 */
    ScramScheme(String name, String digest, int digestBytes) {
        this.name = name;
        this.digest = digest;
        this.digestBytes = digestBytes;
    }

    @Override
    public String name() {
        return name;
    }

    /** The value to store for a new password. */
    public byte[] encode(byte[] password, int rounds) {
        byte[] salt = HashText.salt(SALT_BYTES);
        ScramKeys keys = ScramKeys.derive(digest, password, salt, rounds);
        return HashText.ascii("{" + name + "}" + rounds + "," + HashText.base64(salt) + "," + HashText.base64(keys.storedKey()) + ","
                + HashText.base64(keys.serverKey()));
    }

    @Override
    public PasswordHash read(byte[] encoded) {
        ScramKeys keys = keys(encoded);
        return keys == null ? null : PasswordHash.of(this, (double) keys.rounds() * Pbkdf2.ROUND_NANOS, password ->
                MessageDigest.isEqual(keys.storedKey(), ScramKeys.derive(digest, password, keys.salt(), keys.rounds()).storedKey()));
    }

    @Override
    public boolean isForScram() {
        return true;
    }

    /** @return null for what is none */
    ScramKeys keys(byte[] encoded) {
        String[] parts = HashText.text(encoded).split(",", -1);
        if (parts.length != 4 || HashText.count(parts[0]) < 1) {
            return null;
        }
        ScramKeys keys = new ScramKeys(digest, HashText.count(parts[0]), HashText.decoded(parts[1]), HashText.decoded(parts[2]),
                HashText.decoded(parts[3]));
        return keys.storedKey().length == digestBytes && keys.serverKey().length == digestBytes && keys.salt().length > 0 ? keys
                : null;
    }
}
