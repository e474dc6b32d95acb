package org.alder.server.auth.scheme;

import java.security.MessageDigest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.codec.digest.Crypt;
import org.apache.commons.codec.digest.Md5Crypt;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;

/**
 * What crypt(3) of the GNU C library and its relatives makes (crypt(5)): DES, {@code $1$}, {@code $5$}, {@code $6$}, bcrypt, scrypt,
 * and Apache's {@code $apr1$}. A password with a zero byte matches none, because crypt(3) would read it to there only.
 */
public record CryptScheme(String name) implements PasswordScheme {
    private static final Pattern DES = Pattern.compile("[./0-9A-Za-z]{13}");
    private static final Pattern MD5 = Pattern.compile("\\$(1|apr1)\\$[./0-9A-Za-z]{1,8}\\$[./0-9A-Za-z]{22}");
    private static final Pattern SHA = Pattern.compile(
            "\\$([56])\\$(?:rounds=([0-9]{1,9})\\$)?[./0-9A-Za-z]{1,16}\\$(?:[./0-9A-Za-z]{43}|[./0-9A-Za-z]{86})");
    private static final Pattern BCRYPT = Pattern.compile("\\$2[aby]?\\$([0-9]{2})\\$[./0-9A-Za-z]{53}");
    private static final int DES_NANOS = 20_000;
    private static final int MD5_NANOS = 500_000;
    private static final int SHA_ROUNDS = 5000;
    private static final int SHA_ROUND_NANOS = 1000;
    private static final double BCRYPT_ROUND_NANOS = 50_000;
    private static final int LEAST_BCRYPT_COST = 4;

    /** The value to store for a new password. @param cost the logarithm of the rounds, to the base of 2 */
    public static byte[] bcrypt(String scheme, byte[] password, int cost) {
        return HashText.ascii("{" + scheme + "}" + OpenBSDBCrypt.generate("2b", password, HashText.salt(16), cost));
    }

    @Override
    public PasswordHash read(byte[] encoded) {
        String text = HashText.text(encoded);
        Matcher sha = SHA.matcher(text);
        Matcher bcrypt = BCRYPT.matcher(text);
        Matcher md5 = MD5.matcher(text);
        if (sha.matches()) {
            int rounds = sha.group(2) == null ? SHA_ROUNDS : Math.max(1000, HashText.count(sha.group(2)));
            return hash(text, (double) rounds * SHA_ROUND_NANOS, password -> Crypt.crypt(password, text));
        } else if (bcrypt.matches()) {
            int cost = Integer.parseInt(bcrypt.group(1));
            return cost < LEAST_BCRYPT_COST ? null : PasswordHash.of(this, Math.pow(2, cost) * BCRYPT_ROUND_NANOS,
                    password -> hasNoZero(password) && OpenBSDBCrypt.checkPassword(text, password));
        } else if (md5.matches()) {
            return hash(text, MD5_NANOS, password -> md5.group(1).equals("1") ? Crypt.crypt(password, text)
                    : Md5Crypt.apr1Crypt(password, text));
        } else if (DES.matcher(text).matches()) {
            return hash(text, DES_NANOS, password -> Crypt.crypt(password, text));
        }
        return ScryptHash.read(this, text);
    }

    @FunctionalInterface
    private interface Function {
        String of(byte[] password);
    }

    /** The functions wipe what they are given. */
    private PasswordHash hash(String stored, double workNanos, Function function) {
        return PasswordHash.of(this, workNanos, password -> hasNoZero(password)
                && MessageDigest.isEqual(HashText.ascii(stored), HashText.ascii(function.of(password.clone()))));
    }

    private static boolean hasNoZero(byte[] password) {
        for (byte each : password) {
            if (each == 0) {
                return false;
            }
        }
        return true;
    }
}
