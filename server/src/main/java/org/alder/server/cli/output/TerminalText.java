package org.alder.server.cli.output;

import java.util.Locale;
import org.alder.partition.text.JsonText;
import org.alder.partition.text.Utf8;

/** Text as a terminal may be given it: whatever is in a value, it moves no cursor, sets no colour and turns no line around. Stateless. */
public final class TerminalText {
    private static final String CUT = "…";

    private TerminalText() {
    }

    /** What a terminal would act upon is written as its number. */
    public static String shown(String text) {
        if (text.codePoints().noneMatch(JsonText::isDangerous)) {
            return text;
        }
        StringBuilder shown = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (JsonText.isDangerous(c)) {
                shown.append(String.format(Locale.ROOT, c > 0xFFFF ? "\\U%08x" : "\\u%04x", c));
            } else {
                shown.appendCodePoint(c);
            }
        });
        return shown.toString();
    }

    /** Of what is no text, how much it is. */
    public static String shown(byte[] value) {
        String text = Utf8.decodeOrNull(value);
        return text == null ? "(" + value.length + " bytes)" : shown(text);
    }

    /** How many columns of a terminal it takes: characters of East Asia two, marks on others none. */
    public static int columns(String text) {
        return text.codePoints().map(TerminalText::columns).sum();
    }

    private static int columns(int c) {
        int type = Character.getType(c);
        if (type == Character.NON_SPACING_MARK || type == Character.ENCLOSING_MARK) {
            return 0;
        }
        boolean isWide = c >= 0x1100 && (c <= 0x115F || c >= 0x2E80 && c <= 0xA4CF || c >= 0xAC00 && c <= 0xD7A3 || c >= 0xF900 && c <= 0xFAFF
                || c >= 0xFE30 && c <= 0xFE6F || c >= 0xFF00 && c <= 0xFF60 || c >= 0xFFE0 && c <= 0xFFE6 || c >= 0x1F300 && c <= 0x1FAFF
                || c >= 0x20000 && c <= 0x3FFFD);
        return isWide ? 2 : 1;
    }

    /** At most so many columns of it; 0 = all. */
    public static String cut(String text, int mostColumns) {
        if (mostColumns == 0 || text.length() <= mostColumns / 2 || columns(text) <= mostColumns) {
            return text;
        }
        int taken = 0;
        int end = 0;
        while (end < text.length()) {
            int c = text.codePointAt(end);
            taken += columns(c);
            if (taken > mostColumns - 1) {
                break;
            }
            end += Character.charCount(c);
        }
        return text.substring(0, end) + CUT;
    }

    /** As a shell reads it. */
    public static String quoted(String word) {
        return word.matches("[\\w./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
    }
}
