package org.alder.server.auth.scheme;

import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import org.alder.partition.text.Utf8;

/**
 * SASLprep (RFC 4013) as far as it changes anything: other spaces are spaces, what is mapped to nothing goes, and the rest is
 * normalized (NFKC). What SASLprep forbids, or is no UTF-8, stays as it is: as a password it was accepted once. Stateless.
 */
public final class SaslPrep {
    private SaslPrep() {
    }

    static byte[] prepared(byte[] password) {
        String text = Utf8.decodeOrNull(password);
        return text == null || text.length() == password.length ? password : mapped(text).getBytes(StandardCharsets.UTF_8);
    }

    /** The characters of a password as whoever types it sees them; one for each byte if it is no UTF-8. */
    public static String text(byte[] password) {
        String text = Utf8.decodeOrNull(password);
        if (text == null) {
            return new String(password, StandardCharsets.ISO_8859_1);
        }
        return text.length() == password.length ? text : mapped(text);
    }

    private static String mapped(String text) {
        String mapped = text.replaceAll("[\\u00A0\\u1680\\u2000-\\u200B\\u202F\\u205F\\u3000]", " ")
                .replaceAll("[\\u00AD\\u034F\\u1806\\u180B-\\u180D\\u200C\\u200D\\u2060\\uFE00-\\uFE0F\\uFEFF]", "");
        return Normalizer.normalize(mapped, Normalizer.Form.NFKC);
    }
}
