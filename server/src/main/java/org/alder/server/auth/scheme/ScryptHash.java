package org.alder.server.auth.scheme;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.generators.SCrypt;

/** scrypt (RFC 7914) in the forms {@code $7$} of crypt(5) and {@code $scrypt$ln=..,r=..,p=..$} of passlib. */
final class ScryptHash {
    private static final String ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    private static final Pattern CRYPT = Pattern.compile(
            "\\$7\\$([./0-9A-Za-z])([./0-9A-Za-z]{5})([./0-9A-Za-z]{5})([^$]{0,128})\\$([./0-9A-Za-z]{43})");
    private static final Pattern PASSLIB = Pattern.compile(
            "\\$scrypt\\$ln=([0-9]{1,2}),r=([0-9]{1,4}),p=([0-9]{1,4})\\$([A-Za-z0-9+/.]*)\\$([A-Za-z0-9+/.]+)");
    private static final int KEY_BYTES = 32;
    /** About the time for one block of 128 bytes, written and read. */
    private static final int BLOCK_NANOS = 250;
    private static final int MOST_LOG_N = 30;

    private ScryptHash() {
    }

    /** @param text in either form  @return null for what is not, or is too much */
    static PasswordHash read(PasswordScheme scheme, String text) {
        Matcher crypt = CRYPT.matcher(text);
        if (crypt.matches()) {
            byte[] salt = crypt.group(4).getBytes(StandardCharsets.ISO_8859_1);
            return hash(scheme, new Cost(ALPHABET.indexOf(crypt.group(1)), number(crypt.group(2)), number(crypt.group(3))), salt,
                    KEY_BYTES, HashText.ascii(crypt.group(5)), key -> HashText.ascii(encoded(key)));
        }
        Matcher passlib = PASSLIB.matcher(text);
        if (!passlib.matches()) {
            return null;
        }
        byte[] key = HashText.decoded(passlib.group(5));
        return key.length < KEY_BYTES / 2 ? null : hash(scheme, new Cost(Integer.parseInt(passlib.group(1)),
                Integer.parseInt(passlib.group(2)), Integer.parseInt(passlib.group(3))), HashText.decoded(passlib.group(4)), key.length,
                key, derived -> derived);
    }

    private record Cost(int logN, int r, int p) {
        /** What BouncyCastle takes, and RFC 7914 2 allows. */
        boolean isPossible() {
            return logN >= 1 && logN <= MOST_LOG_N && r >= 1 && p >= 1 && (r > 1 || logN < 16)
                    && (long) p * r <= Integer.MAX_VALUE / 128 / 8;
        }

        long blocks() {
            return (1L << logN) * r;
        }
    }

    @FunctionalInterface
    private interface Form {
        byte[] of(byte[] key);
    }

    private static PasswordHash hash(PasswordScheme scheme, Cost cost, byte[] salt, int keyBytes, byte[] stored, Form form) {
        return !cost.isPossible() ? null : PasswordHash.of(scheme, (double) cost.blocks() * cost.p * 2 * BLOCK_NANOS,
                1 + (cost.blocks() + (long) cost.p * cost.r) * 128 / 1024, password -> MessageDigest.isEqual(stored, form.of(
                        SCrypt.generate(password, salt, 1 << cost.logN, cost.r, cost.p, keyBytes))));
    }

    /** Six bits a character, the lowest first. */
    private static int number(String text) {
        int number = 0;
        for (int i = text.length() - 1; i >= 0; i--) {
            number = number << 6 | ALPHABET.indexOf(text.charAt(i));
        }
        return number;
    }

    private static String encoded(byte[] key) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < key.length; i += 3) {
            int bytes = Math.min(3, key.length - i);
            int value = 0;
            for (int j = 0; j < bytes; j++) {
                value |= (key[i + j] & 0xFF) << 8 * j;
            }
            for (int bit = 0; bit < 8 * bytes; bit += 6) {
                text.append(ALPHABET.charAt(value >> bit & 63));
            }
        }
        return text.toString();
    }
}
