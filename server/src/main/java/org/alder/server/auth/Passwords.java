package org.alder.server.auth;

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** Verifies passwords against stored userPassword values and makes new ones. Thread safe. */
public final class Passwords {
    private static final int LONGEST_NAME = 32;
    private static final int GENERATED_LENGTH = 16;
    /** Without the signs that are taken for one another. */
    private static final String GENERATED_ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    private final SecureRandom random = new SecureRandom();
    private final PasswordScheme clearText = new ClearTextScheme();
    private final PasswordScheme preferred = new Sha1Scheme(true);
    private final List<PasswordScheme> hashed = List.of(preferred, new Sha1Scheme(false));
    private final byte[] nobodys = preferred.encode(new byte[] {0});

    /**
     * Whether one of the values is this password. Without values it takes the time of a usual one and is false, so that the
     * answer does not tell whether there is an entry.
     */
    public boolean verify(byte[] password, List<byte[]> stored) {
        if (stored.isEmpty()) {
            matches(password, nobodys);
            return false;
        }
        boolean found = false;
        for (byte[] value : stored) {
            found |= matches(password, value);
        }
        return found;
    }

    /** Whether a stored value is this password. */
    public boolean matches(byte[] password, byte[] stored) {
        PasswordScheme scheme = schemeOf(stored);
        int prefix = scheme == clearText ? 0 : scheme.name().length() + 2;
        return scheme.matches(password, Arrays.copyOfRange(stored, prefix, stored.length));
    }

    /** The value to store for a new password: as it is if it comes hashed with a known scheme, else hashed. */
    public byte[] toStored(byte[] given) {
        return isHashed(given) ? given : preferred.encode(given);
    }

    /** Whether the value names a scheme this server can verify. */
    public boolean isHashed(byte[] value) {
        return schemeOf(value) != clearText;
    }

    /** A new random password of letters and digits, about 92 bits. */
    public byte[] generate() {
        byte[] password = new byte[GENERATED_LENGTH];
        for (int i = 0; i < password.length; i++) {
            password[i] = (byte) GENERATED_ALPHABET.charAt(random.nextInt(GENERATED_ALPHABET.length()));
        }
        return password;
    }

    private PasswordScheme schemeOf(byte[] stored) {
        String name = nameOf(stored);
        for (PasswordScheme scheme : hashed) {
            if (scheme.name().equals(name)) {
                return scheme;
            }
        }
        return clearText;
    }

    private static String nameOf(byte[] stored) {
        if (stored.length == 0 || stored[0] != '{') {
            return "";
        }
        for (int i = 1; i < Math.min(stored.length, LONGEST_NAME); i++) {
            if (stored[i] == '}') {
                return new String(stored, 1, i - 1, StandardCharsets.US_ASCII).toUpperCase(Locale.ROOT);
            }
        }
        return "";
    }
}
