package org.alder.server.auth.scheme;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;

/**
 * A value of userPassword, read by its form: {@code {scheme}} and what the scheme makes of a password (RFC 2307 5.3), a mark that
 * says there is no password, or clear text. What names a scheme that this server does not know is never clear text: it would make
 * the stored hash the password. Immutable.
 */
public final class StoredPassword {
    /** What shadow(5) and its relatives write where nobody may log in. */
    private static final Set<String> MARKS = Set.of("*", "*LK*", "*NP*");

    private final PasswordScheme scheme;
    private final String schemeName;
    private final byte[] encoded;
    private final boolean locked;

    private StoredPassword(PasswordScheme scheme, String schemeName, byte[] encoded, boolean locked) {
        this.scheme = scheme;
        this.schemeName = schemeName;
        this.encoded = encoded;
        this.locked = locked;
    }

    /** A value that is in an entry already: all that starts with {@code !} is locked. */
    public static StoredPassword stored(byte[] value) {
        return of(value, value.length > 0 && value[0] == '!');
    }

    /**
     * A value that somebody wants stored: {@code !} locks nothing but another stored form, because it may as well be the first
     * character of a password.
     */
    public static StoredPassword given(byte[] value) {
        int rest = 0;
        while (rest < value.length && value[rest] == '!') {
            rest++;
        }
        boolean lock = rest > 0 && (rest == value.length || schemeEnd(value, rest) > 0);
        return of(value, lock);
    }

    private static StoredPassword of(byte[] value, boolean lock) {
        if (lock || value.length <= "*LK*".length() && MARKS.contains(new String(value, StandardCharsets.ISO_8859_1))) {
            return new StoredPassword(null, null, value, true);
        }
        int end = schemeEnd(value, 0);
        if (end < 0) {
            return new StoredPassword(PasswordSchemes.CLEAR_TEXT, null, value, false);
        }
        String name = new String(value, 1, end - 1, StandardCharsets.US_ASCII);
        return new StoredPassword(PasswordSchemes.named(name), name, Arrays.copyOfRange(value, end + 1, value.length), false);
    }

    /** Where the brace is that closes a scheme's name; below 0 if no scheme stands there. */
    private static int schemeEnd(byte[] value, int start) {
        if (start >= value.length || value[start] != '{') {
            return -1;
        }
        for (int i = start + 1; i < value.length; i++) {
            if (value[i] == '}') {
                return i > start + 1 ? i : -1;
            }
            if (!isInName(value[i])) {
                return -1;
            }
        }
        return -1;
    }

    /** RFC 2307's keystring, and what schemes such as {@code {SHA512.HEX}} or {@code {x-a_b}} have besides. */
    private static boolean isInName(byte c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || "-._/+:$".indexOf(c) >= 0;
    }

    public boolean isClearText() {
        return scheme instanceof ClearTextScheme;
    }

    /** What follows the scheme; of clear text the password itself. */
    public byte[] encoded() {
        return encoded;
    }

    /** The scheme's name as it is spelt, if this server does not know it; else null. */
    public String unknownScheme() {
        return scheme == null && !locked ? schemeName : null;
    }

    /** The name of a scheme that this server knows, upper case; else null. */
    public String knownScheme() {
        return scheme == null ? null : scheme.name();
    }

    public boolean isLocked() {
        return locked;
    }

    /** @return null if no password can be this one: locked, of an unknown scheme, damaged, or beyond what a server can afford */
    public PasswordHash hash() {
        return scheme == null ? null : scheme.read(encoded);
    }

    /** What SCRAM with this digest needs; null if it is not stored so. */
    public ScramKeys scramKeys() {
        return scheme instanceof ScramScheme scram ? scram.keys(encoded) : null;
    }

    public boolean matches(byte[] password) {
        PasswordHash hash = hash();
        return hash != null && hash.test().test(password);
    }
}
