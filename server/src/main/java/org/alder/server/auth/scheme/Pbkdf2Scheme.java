package org.alder.server.auth.scheme;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * PBKDF2 in the forms in which servers keep it:
 *
 * <ul>
 * <li>{@code rounds$salt$key} of OpenLDAP's and 389's modules, in base 64 as passlib writes it;
 * <li>{@code rounds:} and base 64 of key and salt, of OpenDJ;
 * <li>base 64 of four bytes of rounds, 64 bytes of salt and the key, of 389's {@code {PBKDF2_SHA256}};
 * <li>base 64 of 16 bytes of salt and the key after 10,000 rounds, of Atlassian's and ApacheDS's {@code {PKCS5S2}}.
 * </ul>
 */
public final class Pbkdf2Scheme implements PasswordScheme {
    private static final int SALT_BYTES = 16;
    private static final int SALT_BYTES_OF_389 = 64;
    private static final int ROUNDS_OF_PKCS5S2 = 10_000;

    private final String name;
    private final String digest;
    private final int digestBytes;
    private final Form form;

    /** How a value is laid out, if neither {@code $} nor {@code :} in it tells. */
    enum Form { TEXT, OF_389, PKCS5S2 }

    Pbkdf2Scheme(String name, String digest, int digestBytes, Form form) {
        this.name = name;
        this.digest = digest;
        this.digestBytes = digestBytes;
        this.form = form;
    }

    @Override
    public String name() {
        return name;
    }

    /** The value to store for a new password. */
    public byte[] encode(byte[] password, int rounds) {
        byte[] salt = HashText.salt(SALT_BYTES);
        byte[] key = Pbkdf2.derive(digest, password, salt, rounds, digestBytes);
        return HashText.ascii("{" + name + "}" + rounds + "$" + HashText.unpadded(salt).replace('+', '.') + "$"
                + HashText.unpadded(key).replace('+', '.'));
    }

    @Override
    public PasswordHash read(byte[] encoded) {
        String text = HashText.text(encoded);
        return switch (form) {
            case TEXT -> text.indexOf('$') >= 0 ? readDollars(text) : readColon(text);
            case OF_389 -> readOf389(HashText.decoded(text));
            case PKCS5S2 -> {
                byte[] whole = HashText.decoded(text);
                yield whole.length <= SALT_BYTES ? null : hash(ROUNDS_OF_PKCS5S2, Arrays.copyOf(whole, SALT_BYTES),
                        Arrays.copyOfRange(whole, SALT_BYTES, whole.length));
            }
        };
    }

    private PasswordHash readDollars(String text) {
        String[] parts = text.split("\\$", -1);
        return parts.length != 3 ? null : hash(HashText.count(parts[0]), HashText.decoded(parts[1]), HashText.decoded(parts[2]));
    }

    private PasswordHash readColon(String text) {
        int colon = text.indexOf(':');
        byte[] whole = HashText.decoded(text.substring(colon + 1));
        return colon < 0 || whole.length < digestBytes ? null : hash(HashText.count(text.substring(0, colon)),
                Arrays.copyOfRange(whole, digestBytes, whole.length), Arrays.copyOf(whole, digestBytes));
    }

    private PasswordHash readOf389(byte[] whole) {
        int head = Integer.BYTES + SALT_BYTES_OF_389;
        return whole.length < head ? null : hash(ByteBuffer.wrap(whole).getInt(),
                Arrays.copyOfRange(whole, Integer.BYTES, head), Arrays.copyOfRange(whole, head, whole.length));
    }

    /**
     * A key shorter than its digest proves too little. One that is longer, as 389's of 256 bytes, is compared as far as one digest:
     * the rest would cost us the time that it does not cost whoever guesses.
     */
    private PasswordHash hash(int rounds, byte[] salt, byte[] key) {
        if (rounds < 1 || key.length < digestBytes) {
            return null;
        }
        byte[] compared = Arrays.copyOf(key, digestBytes);
        return PasswordHash.of(this, (double) rounds * Pbkdf2.ROUND_NANOS, password ->
                MessageDigest.isEqual(Pbkdf2.derive(digest, password, salt, rounds, digestBytes), compared));
    }
}
