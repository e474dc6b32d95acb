package org.alder.perf.report;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * JSON text (RFC 8259) from and to plain Java values: Map with String keys in the text's order, List, String, Double, Boolean and
 * null. Numbers that are not finite are written as null. Stateless, thread safe.
 */
final class Json {
    private static final int MAX_DEPTH = 64;

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

    /** @throws IllegalArgumentException naming the offset and what was expected there */
    static Object parse(String text) {
        Parser parser = new Parser(text);
        Object value = parser.value(0);
        parser.blanks();
        if (parser.at < text.length()) {
            throw parser.expected("the end");
        }
        return value;
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        IllegalArgumentException expected(String what) {
            String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
            return new IllegalArgumentException("JSON, offset " + at + ": expected " + what + ", found " + found);
        }

        void blanks() {
            while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
                at++;
            }
        }

        private boolean take(char wanted) {
            blanks();
            boolean found = at < text.length() && text.charAt(at) == wanted;
            at += found ? 1 : 0;
            return found;
        }

        private void require(char wanted) {
            if (!take(wanted)) {
                throw expected("'" + wanted + "'");
            }
        }

        Object value(int depth) {
            if (depth > MAX_DEPTH) {
                throw expected("at most " + MAX_DEPTH + " levels");
            }
            if (take('{')) {
                return object(depth);
            }
            if (take('[')) {
                return array(depth);
            }
            return at < text.length() && text.charAt(at) == '"' ? string() : word();
        }

        private Map<String, Object> object(int depth) {
            Map<String, Object> result = new LinkedHashMap<>();
            if (take('}')) {
                return result;
            }
            do {
                blanks();
                String name = string();
                require(':');
                result.put(name, value(depth + 1));
            } while (take(','));
            require('}');
            return result;
        }

        private List<Object> array(int depth) {
            List<Object> result = new ArrayList<>();
            if (take(']')) {
                return result;
            }
            do {
                result.add(value(depth + 1));
            } while (take(','));
            require(']');
            return result;
        }

        private String string() {
            require('"');
            StringBuilder result = new StringBuilder();
            while (at < text.length() && text.charAt(at) != '"') {
                char c = text.charAt(at++);
                result.append(c == '\\' ? escaped() : c);
            }
            require('"');
            return result.toString();
        }

        private char escaped() {
            char c = at < text.length() ? text.charAt(at++) : ' ';
            int simple = "\"\\/bfnrt".indexOf(c);
            if (simple >= 0) {
                return "\"\\/\b\f\n\r\t".charAt(simple);
            }
            if (c != 'u' || at + 4 > text.length()) {
                throw expected("an escape");
            }
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }

        private Object word() {
            int start = at;
            while (at < text.length() && (Character.isLetterOrDigit(text.charAt(at)) || "+-.".indexOf(text.charAt(at)) >= 0)) {
                at++;
            }
            String word = text.substring(start, at);
            switch (word) {
                case "true":
                    return true;
                case "false":
                    return false;
                case "null":
                    return null;
                default:
                    return number(word, start);
            }
        }

        private Double number(String word, int start) {
            if (!word.matches("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?")) {
                at = start;
                throw expected("a value");
            }
            return Double.valueOf(word);
        }
    }
}
