package org.alder.ldif;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Shows bytes of unknown content in a message: one line, quoted, at most 60 bytes of them, unprintable ones as \xNN. */
final class Excerpt {

    private static final int MAX_BYTES = 60;

    private Excerpt() {
    }

    static String of(byte[] bytes, int from, int to) {
        int end = Math.min(to, from + MAX_BYTES);
        StringBuilder text = new StringBuilder(end - from + 8).append('"');
        for (int i = from; i < end; i++) {
            append(text, bytes[i] & 0xff);
        }
        text.append('"');
        if (end < to) {
            text.append("... (").append(to - from).append(" bytes)");
        }
        return text.toString();
    }

    static String of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return of(bytes, 0, bytes.length);
    }

    private static void append(StringBuilder text, int b) {
        if (b < ' ' || b > '~') {
            text.append(String.format(Locale.ROOT, "\\x%02x", b));
        } else {
            text.append((char) b);
        }
    }
}
