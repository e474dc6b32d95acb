package org.alder.partition.text;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** The octets of a part of a URI, in which a percent sign stands before two hexadecimal digits (RFC 3986 2.1). Pure. */
public final class PercentCoding {
    /** Besides letters and digits, what RFC 4516 2.1 lets stand in a DN. */
    private static final String PLAIN = "-._~!$&'()*+,;=:@/";
    private static final HexFormat HEX = HexFormat.of().withUpperCase();

    private PercentCoding() {
    }

    /** @return null if a percent sign is not followed by two hexadecimal digits */
    public static byte[] decodedOrNull(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream(bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                decoded.write(bytes[i]);
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(bytes[i + 2], 16);
            if (low < 0) {
                return null;
            }
            decoded.write(high << 4 | low);
            i += 2;
        }
        return decoded.toByteArray();
    }

    /** The UTF-8 of a DN as an LDAP URL has it. */
    public static String encodedDn(String dn) {
        StringBuilder encoded = new StringBuilder(dn.length());
        for (byte b : dn.getBytes(StandardCharsets.UTF_8)) {
            if (b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || PLAIN.indexOf(b) >= 0) {
                encoded.append((char) b);
            } else {
                HEX.toHexDigits(encoded.append('%'), b);
            }
        }
        return encoded.toString();
    }
}
