package org.alder.partition.schema;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.alder.partition.error.StoreException;

/**
 * Reads one schema definition (RFC 4512 4.1): {@code ( oid KEYWORD value ... )}, where a value is a word, a quoted string or a
 * list in parentheses. Words may be quoted where RFC 4512 wants none, because the schema files in use do so. One object, one
 * definition.
 */
final class DefinitionParser {
    private static final Set<String> FLAGS = Set.of("OBSOLETE", "SINGLE-VALUE", "COLLECTIVE", "NO-USER-MODIFICATION", "ABSTRACT",
            "STRUCTURAL", "AUXILIARY");
    private static final Set<String> VALUED = Set.of("NAME", "DESC", "SUP", "EQUALITY", "ORDERING", "SUBSTR", "SYNTAX", "USAGE",
            "MUST", "MAY");
    private static final String END = "";

    private final String origin;
    private final String text;
    private int position;

    private DefinitionParser(String origin, String text) {
        this.origin = origin;
        this.text = text;
    }

    /**
     * @param origin named in messages
     * @throws StoreException REFUSED; the message names origin, column and what was expected
     */
    static Definition parse(String origin, String text) {
        return new DefinitionParser(origin, text).definition();
    }

    private Definition definition() {
        expect("(");
        String oid = token();
        if (!Oids.isNumeric(oid)) {
            throw refused("a numeric OID expected, found \"" + oid + '"');
        }
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String keyword = token(); !keyword.equals(")"); keyword = token()) {
            readField(keyword.toUpperCase(Locale.ROOT), fields);
        }
        if (!token().equals(END)) {
            throw refused("text after the closing parenthesis");
        }
        return new Definition(origin, text.trim(), oid, fields);
    }

    private void readField(String keyword, Map<String, List<String>> fields) {
        List<String> values;
        if (FLAGS.contains(keyword)) {
            values = List.of();
        } else if (VALUED.contains(keyword) || keyword.startsWith("X-")) {
            values = values();
        } else {
            throw refused(keyword.equals(END) ? "the closing parenthesis is missing" : "unknown keyword \"" + keyword + '"');
        }
        if (fields.put(keyword, values) != null) {
            throw refused(keyword + " is given twice");
        }
    }

    private List<String> values() {
        String first = token();
        if (!first.equals("(")) {
            return List.of(value(first));
        }
        List<String> values = new ArrayList<>();
        for (String next = token(); !next.equals(")"); next = token()) {
            if (!next.equals("$")) {
                values.add(value(next));
            }
        }
        return List.copyOf(values);
    }

    private String value(String token) {
        if (token.equals(END) || token.equals("(") || token.equals(")") || token.equals("$")) {
            throw refused("a value expected, found " + (token.equals(END) ? "the end" : '"' + token + '"'));
        }
        return token.charAt(0) == '\'' ? unescape(token.substring(1)) : token;
    }

    /** RFC 4512 4.1: a quoted string writes a quote as \27 and a backslash as \5C. */
    private static String unescape(String quoted) {
        return quoted.replace("\\27", "'").replace("\\5C", "\\").replace("\\5c", "\\");
    }

    private void expect(String token) {
        String found = token();
        if (!found.equals(token)) {
            throw refused('"' + token + "\" expected, found \"" + found + '"');
        }
    }

    /** The next word, one of ( ) $, a quoted string with its leading quote, or END. */
    private String token() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
        if (position == text.length()) {
            return END;
        }
        int start = position++;
        char first = text.charAt(start);
        if (first == '(' || first == ')' || first == '$') {
            return String.valueOf(first);
        }
        return first == '\'' ? quoted(start) : word(start);
    }

    private String quoted(int start) {
        int end = text.indexOf('\'', start + 1);
        if (end < 0) {
            throw refused("a quoted string is not closed");
        }
        position = end + 1;
        return text.substring(start, end);
    }

    private String word(int start) {
        while (position < text.length() && " \t\r\n()$'".indexOf(text.charAt(position)) < 0) {
            position++;
        }
        return text.substring(start, position);
    }

    private StoreException refused(String what) {
        return new StoreException(StoreException.Kind.REFUSED,
                origin + ", column " + position + " of the definition: " + what + " in " + text);
    }
}
