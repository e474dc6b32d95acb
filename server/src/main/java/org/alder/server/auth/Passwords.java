package org.alder.server.auth;

import java.security.SecureRandom;
import java.util.List;

/** Verifies passwords against stored userPassword values and makes new ones. Thread safe. */
public final class Passwords {
    private static final int GENERATED_LENGTH = 16;
    /** Without the signs that are taken for one another. */
    private static final String GENERATED_ALPHABET = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

    private final SecureRandom random = new SecureRandom();
    private final StoredPassword nobodys = StoredPassword.stored(PasswordSchemes.PREFERRED.encode(new byte[] {0}));

    /**
     * Whether one of the values is this password. Where there is none that could be, it takes the time of a usual one and is
     * false, so that the answer does not tell whether there is an entry.
     */
    public boolean verify(byte[] password, List<byte[]> stored) {
        boolean found = false;
        boolean tried = false;
        for (byte[] value : stored) {
            StoredPassword candidate = StoredPassword.stored(value);
            tried |= candidate.canMatch();
            found |= candidate.matches(password);
        }
        if (!tried) {
            nobodys.matches(password);
        }
        return found;
    }

    /** Whether this is the password without a doubt and without a hash: it is stored in clear text. */
    public boolean isPlainly(byte[] password, List<byte[]> stored) {
        for (byte[] value : stored) {
            StoredPassword candidate = StoredPassword.stored(value);
            if (candidate.isClearText() && candidate.matches(password)) {
                return true;
            }
        }
        return false;
    }

    /** Whether a value that a client gives is clear text, and the password that is stored so. */
    public boolean isClearTextOf(byte[] given, byte[] stored) {
        StoredPassword meant = StoredPassword.given(given);
        return meant.isClearText() && StoredPassword.stored(stored).matches(meant.encoded());
    }

    /**
     * The value to store for one that a client gives: clear text is hashed. What comes in a scheme, known or not, and what says
     * that there is no password, stays as it is: it would become a password otherwise.
     */
    public byte[] toStored(byte[] given) {
        StoredPassword value = StoredPassword.given(given);
        return value.isClearText() ? PasswordSchemes.PREFERRED.encode(value.encoded()) : given;
    }

    /** Whether a value that a client gives is a password, and not a stored form of one. */
    public boolean isClearText(byte[] given) {
        return StoredPassword.given(given).isClearText();
    }

    /** The name of the scheme that a stored value has and this server does not know, so that nobody can log in; else null. */
    public static String unknownScheme(byte[] stored) {
        return StoredPassword.stored(stored).unknownScheme();
    }

    /** A new random password of letters and digits, about 92 bits. */
    public byte[] generate() {
        byte[] password = new byte[GENERATED_LENGTH];
        for (int i = 0; i < password.length; i++) {
            password[i] = (byte) GENERATED_ALPHABET.charAt(random.nextInt(GENERATED_ALPHABET.length()));
        }
        return password;
    }
}
