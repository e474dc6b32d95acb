package org.alder.partition.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads JSON text (RFC 8259) into plain Java values: Map with String keys in the text's order, List, String, Double, Boolean and null.
 * One thread.
 */
public final class JsonReader {
    private static final int MAX_DEPTH = 64;

    private final String text;
    private int at;

    private JsonReader(String text) {
        this.text = text;
    }

    /** @throws IllegalArgumentException naming the offset and what was expected there */
    public static Object parse(String text) {
        JsonReader reader = new JsonReader(text);
        Object value = reader.value(0);
        reader.blanks();
        if (reader.at < text.length()) {
            throw reader.expected("the end");
        }
        return value;
    }

    private IllegalArgumentException expected(String what) {
        String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
        return new IllegalArgumentException("JSON, offset " + at + ": expected " + what + ", found " + found);
    }

    private void blanks() {
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

    private Object value(int depth) {
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
