package org.alder.server.cli;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** JSON (RFC 8259) of maps, lists, texts, numbers and booleans, on one line. Stateless. */
final class JsonText {
    private JsonText() {
    }

    static String of(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream().map(entry -> text(entry.getKey().toString()) + ":" + of(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof List<?> list) {
            return list.stream().map(JsonText::of).collect(Collectors.joining(",", "[", "]"));
        }
        return value instanceof String text ? text(text) : String.valueOf(value);
    }

    private static String text(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (char c : text.toCharArray()) {
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ') {
                json.append("\\u00").append(Character.forDigit(c >> 4, 16)).append(Character.forDigit(c & 15, 16));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
