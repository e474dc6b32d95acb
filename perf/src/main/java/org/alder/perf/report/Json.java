package org.alder.perf.report;

import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * JSON text (RFC 8259) of plain Java values, laid out for people: Map with String keys, List, String, Number, Boolean and null. Numbers that
 * are not finite are written as null. {@link org.alder.partition.text.JsonReader} reads it. Stateless, thread safe.
 */
final class Json {
    private Json() {
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(out, value, "\n");
        return out.append('\n').toString();
    }

    private static void write(StringBuilder out, Object value, String newLine) {
        if (value instanceof Map<?, ?> map) {
            writeAll(out, '{', '}', map.entrySet().stream().toList(), newLine);
        } else if (value instanceof List<?> list) {
            writeAll(out, '[', ']', list, newLine);
        } else if (value instanceof Map.Entry<?, ?> entry) {
            quote(out, (String) entry.getKey());
            out.append(": ");
            write(out, entry.getValue(), newLine);
        } else if (value instanceof Number number) {
            out.append(number(number.doubleValue()));
        } else if (value instanceof String text) {
            quote(out, text);
        } else {
            out.append(value);
        }
    }

    /** Collections whose elements are plain stay on one line. */
    private static void writeAll(StringBuilder out, char open, char close, List<?> elements, String newLine) {
        boolean plain = elements.stream().map(element -> element instanceof Map.Entry<?, ?> entry ? entry.getValue() : element)
                .noneMatch(element -> element instanceof Map || element instanceof List);
        String inner = plain ? " " : newLine + "  ";
        out.append(open);
        String separator = plain ? "" : inner;
        for (Object element : elements) {
            out.append(separator);
            write(out, element, inner);
            separator = "," + inner;
        }
        out.append(plain ? "" : newLine).append(close);
    }

    private static String number(double value) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return "null";
        }
        return value == Math.rint(value) && Math.abs(value) < 1e15 ? Long.toString((long) value)
                : String.format(Locale.ROOT, "%.6g", value);
    }

    private static void quote(StringBuilder out, String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ') {
                out.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
