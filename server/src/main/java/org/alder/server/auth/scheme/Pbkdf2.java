package org.alder.server.auth.scheme;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;

/**
 * PBKDF2 (RFC 8018 5.2) with one of the JDK's HMACs, on bytes: the JDK's own takes characters, and a password need not be any. Its
 * first block is the Hi() of SCRAM (RFC 5802 2.2).
 */
public final class Pbkdf2 {
    /** About the time of one round. */
    static final int ROUND_NANOS = 700;

    private Pbkdf2() {
    }

    /** @param digest such as SHA256 */
    static byte[] derive(String digest, byte[] password, byte[] salt, int rounds, int length) {
        Mac mac = mac(digest, password);
        int blockBytes = mac.getMacLength();
        byte[] derived = new byte[(length + blockBytes - 1) / blockBytes * blockBytes];
        try {
            for (int block = 1; (block - 1) * blockBytes < length; block++) {
                fill(mac, salt, rounds, block, derived);
            }
        } catch (ShortBufferException e) {
            throw new IllegalStateException("an HMAC is longer than it says", e);
        }
        return Arrays.copyOf(derived, length);
    }

    private static void fill(Mac mac, byte[] salt, int rounds, int block, byte[] derived) throws ShortBufferException {
        mac.update(salt);
        byte[] last = mac.doFinal(new byte[] {(byte) (block >>> 24), (byte) (block >>> 16), (byte) (block >>> 8), (byte) block});
        byte[] sum = last.clone();
        for (int round = 1; round < rounds; round++) {
            mac.update(last);
            mac.doFinal(last, 0);
            for (int i = 0; i < sum.length; i++) {
                sum[i] ^= last[i];
            }
        }
        System.arraycopy(sum, 0, derived, (block - 1) * sum.length, sum.length);
    }

    /** An HMAC whose key is a password; zeros are added to short keys, so that an empty one, which the JDK refuses, is a zero. */
    public static Mac mac(String digest, byte[] key) {
        String algorithm = "Hmac" + digest;
        try {
            Mac mac = Mac.getInstance(algorithm);
            mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, algorithm));
            return mac;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java platform has no " + algorithm, e);
        }
    }
}
