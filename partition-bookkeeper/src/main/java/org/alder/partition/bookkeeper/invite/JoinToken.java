package org.alder.partition.bookkeeper.invite;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.alder.partition.error.StoreException;

/**
 * The secret by which an invitation is found and opened (docs/format/invitation.md; do not change without a new version): its ID and its key follow from it,
 * and neither tells anything of it. Immutable.
 */
final class JoinToken {
    static final int ID_BYTES = 16;
    private static final int SECRET_BYTES = 32;
    private static final String MAC = "HmacSHA256";
    private static final String BEGIN = "alder-join-1-";
    private static final Pattern TEXT = Pattern.compile(BEGIN + "[A-Za-z0-9_-]{43}");

    private final byte[] secret;

    private JoinToken(byte[] secret) {
        this.secret = secret;
    }

    static JoinToken random() {
        return new JoinToken(randomBytes(SECRET_BYTES));
    }

    static byte[] randomBytes(int count) {
        byte[] random = new byte[count];
        new SecureRandom().nextBytes(random);
        return random;
    }

    /** @throws StoreException of kind REFUSED, without the text, which may be a secret after all */
    static JoinToken parse(String text) {
        String line = text.strip();
        if (!TEXT.matcher(line).matches()) {
            throw new StoreException(StoreException.Kind.REFUSED, "the token is not as \"alder cluster invite\" prints it: expected one line, " + BEGIN
                    + " and 43 letters, digits, - and _; found " + line.length() + " characters");
        }
        return new JoinToken(Base64.getUrlDecoder().decode(line.substring(BEGIN.length())));
    }

    /** One line. */
    String text() {
        return BEGIN + Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
    }

    /** Under which members know the invitation. */
    byte[] id() {
        return Arrays.copyOf(derive("alder-invitation 1 id"), ID_BYTES);
    }

    SecretKey key() {
        return new SecretKeySpec(derive("alder-invitation 1 key"), "AES");
    }

    private byte[] derive(String use) {
        try {
            Mac mac = Mac.getInstance(MAC);
            mac.init(new SecretKeySpec(secret, MAC));
            return mac.doFinal(use.getBytes(StandardCharsets.US_ASCII));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this Java has no " + MAC, e);
        }
    }
}
