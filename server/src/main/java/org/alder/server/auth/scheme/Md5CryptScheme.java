package org.alder.server.auth.scheme;

import java.util.Arrays;

/**
 * crypt(3) with MD5 as OpenLDAP's module pw-apr1 keeps it: base 64 of the digest, then the salt.
 *
 * @param magic what crypt(3) calls the function, such as 1
 * @param crypt what verifies it
 */
record Md5CryptScheme(String name, String magic, PasswordScheme crypt) implements PasswordScheme {
    private static final int DIGEST_BYTES = 16;
    private static final String ALPHABET = "./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    /** The bytes of the digest that three by three become four characters, the last of them first. */
    private static final int[][] ORDER = {{0, 6, 12}, {1, 7, 13}, {2, 8, 14}, {3, 9, 15}, {4, 10, 5}, {11}};

    @Override
    public PasswordHash read(byte[] encoded) {
        byte[] whole = HashText.decoded(HashText.text(encoded));
        if (whole.length <= DIGEST_BYTES) {
            return null;
        }
        String salt = HashText.text(Arrays.copyOfRange(whole, DIGEST_BYTES, whole.length));
        PasswordHash hash = crypt.read(HashText.ascii("$" + magic + "$" + salt + "$" + characters(whole)));
        return hash == null ? null : new PasswordHash(this, hash.workNanos(), hash.test());
    }

    private static String characters(byte[] digest) {
        StringBuilder text = new StringBuilder();
        for (int[] group : ORDER) {
            int value = 0;
            for (int index : group) {
                value = value << 8 | digest[index] & 0xFF;
            }
            for (int bit = 0; bit < 8 * group.length; bit += 6) {
                text.append(ALPHABET.charAt(value >> bit & 63));
            }
        }
        return text.toString();
    }
}
