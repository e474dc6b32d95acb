package org.alder.partition.schema.value;

import java.nio.charset.StandardCharsets;

/** Values as diagnostic messages show them. */
public final class ValueText {
    private static final int SHOWN_BYTES = 64;

    private ValueText() {
    }

    /** The value in quotes, cut after 64 bytes; bytes that are not printable ASCII as {@code \xx}. */
    public static String of(byte[] value) {
        StringBuilder out = new StringBuilder(value.length + 2).append('"');
        for (int i = 0; i < value.length && i < SHOWN_BYTES; i++) {
            appendTo(out, value[i]);
        }
        return out.append(value.length > SHOWN_BYTES ? "...\" (" + value.length + " bytes)" : "\"").toString();
    }

    public static String of(String value) {
        return of(value.getBytes(StandardCharsets.UTF_8));
    }

    private static void appendTo(StringBuilder out, byte b) {
        if (b >= 0x20 && b < 0x7F) {
            out.append((char) b);
        } else {
            out.append('\\').append(Character.forDigit(b >> 4 & 15, 16)).append(Character.forDigit(b & 15, 16));
        }
    }
}
