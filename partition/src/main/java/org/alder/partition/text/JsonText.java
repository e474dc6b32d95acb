package org.alder.partition.text;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * JSON (RFC 8259) of maps, lists, texts, numbers and booleans, on one line: whatever is in a text, no reader of lines and no terminal
 * takes a part of it for something else. Control characters, those that only direct how others are shown, line separators and halves
 * of pairs are written as their numbers. Stateless.
 */
public final class JsonText {
    private static final String DIGITS = "0123456789abcdef";

    private JsonText() {
    }

    public static String of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(entry -> of(entry.getKey().toString()) + ":" + of(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
        }
        if (!(value instanceof String text)) {
            return String.valueOf(value);
        }
        StringBuilder json = new StringBuilder(text.length() + 2);
        append(json, text);
        return json.toString();
    }

    /** Appends a text in its quotes. */
    public static void append(StringBuilder json, String text) {
        json.append('"');
        for (int i = 0; i < text.length(); ) {
            int c = text.codePointAt(i);
            int units = Character.charCount(c);
            if (c == '"' || c == '\\') {
                json.append('\\').append((char) c);
            } else if (c < 0x7F && c >= ' ' || c >= 0x7F && !isDangerous(c)) {
                json.appendCodePoint(c);
            } else {
                for (int unit = i; unit < i + units; unit++) {
                    appendNumber(json, text.charAt(unit));
                }
            }
            i += units;
        }
        json.append('"');
    }

    /** Whether the character does something to a terminal, or to how others are shown, instead of being seen. */
    public static boolean isDangerous(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE,
                    Character.UNASSIGNED -> true;
            default -> false;
        };
    }

    private static void appendNumber(StringBuilder json, char unit) {
        json.append("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            json.append(DIGITS.charAt(unit >> shift & 15));
        }
    }
}
