package org.alder.partition.schema.definition;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.alder.partition.error.StoreException;
import org.alder.partition.text.Oids;
import org.alder.partition.text.Utf8;

/**
 * Reads one schema definition (RFC 4512 4.1): {@code ( oid KEYWORD value ... )}, where a value is a word, a quoted string or a
 * list in parentheses. Words may be quoted where RFC 4512 wants none, because the schema files in use do so. One object, one
 * definition.
 */
public final class DefinitionParser {
    private static final Set<String> USAGES = Set.of("userapplications", "directoryoperation", "distributedoperation",
            "dsaoperation");
    private static final Pattern LENGTH = Pattern.compile("\\{[0-9]+}");
    private static final String END = "";

    private final DefinitionKind kind;
    private final SchemaLine line;
    private final OidMacros macros;
    private final String text;
    private int position;

    private DefinitionParser(DefinitionKind kind, SchemaLine line, int start, OidMacros macros) {
        this.kind = kind;
        this.line = line;
        this.macros = macros;
        this.text = line.text();
        this.position = start;
    }

    /**
     * @param line its text is a definition from {@code start} on
     * @throws StoreException REFUSED; the message names file, line and what was expected
     */
    static Definition parse(DefinitionKind kind, SchemaLine line, int start, OidMacros macros) {
        return new DefinitionParser(kind, line, start, macros).definition();
    }

    /**
     * Reads what a client adds.
     *
     * @param from what messages call it
     * @throws StoreException REFUSED; the message says what was expected
     */
    public static Definition parse(DefinitionKind kind, String from, String text) {
        return parse(kind, SchemaLine.of(DefinitionOrigin.Layer.ONLINE, from, text), 0, new OidMacros());
    }

    /** Whether the text is a definition of this kind, whatever it refers to. */
    public static boolean isDefinition(DefinitionKind kind, byte[] value) {
        String text = Utf8.decodeOrNull(value);
        if (text == null) {
            return false;
        }
        try {
            parse(kind, "", text);
            return true;
        } catch (StoreException e) {
            return false;
        }
    }

    private Definition definition() {
        expect("(");
        String oid = identifier(unquoted(token()));
        Map<String, List<String>> fields = new LinkedHashMap<>();
        for (String keyword = token(); !keyword.equals(")"); keyword = token()) {
            readField(keyword.toUpperCase(Locale.ROOT), fields);
        }
        if (!token().equals(END)) {
            throw refused("text after the closing parenthesis");
        }
        List<String> classKinds = DefinitionKind.CLASS_KINDS.stream().filter(fields::containsKey).toList();
        if (classKinds.size() > 1) {
            throw refused(String.join(" and ", classKinds) + " are given, an object class is one of them");
        }
        return new Definition(kind, line.origin(), oid, fields);
    }

    private String identifier(String written) {
        if (kind == DefinitionKind.STRUCTURE_RULE) {
            if (written.isEmpty() || !written.chars().allMatch(Oids::isDigit)) {
                throw refused("the number of a structure rule expected, found \"" + written + '"');
            }
            return written;
        }
        String oid = macros.resolve(written);
        if (oid == null) {
            throw refused("a numeric OID expected, found \"" + written + '"');
        }
        return oid;
    }

    private void readField(String keyword, Map<String, List<String>> fields) {
        if (keyword.equals(END)) {
            throw refused("the closing parenthesis is missing");
        }
        boolean extension = keyword.startsWith("X-");
        if (!extension && !kind.keywords().contains(keyword)) {
            throw refused("unknown keyword \"" + keyword + "\", expected one of " + kind.keywords());
        }
        List<String> values = DefinitionKind.isFlag(keyword) ? List.of() : values();
        check(keyword, values);
        if (keyword.equals("SYNTAX")) {
            values = List.of(syntax(values.get(0)));
        }
        if (fields.put(keyword, values) != null) {
            throw refused(keyword + " is given twice");
        }
    }

    private void check(String keyword, List<String> values) {
        if (values.size() != 1 && kind.isSingle(keyword)) {
            throw refused(keyword + " has " + values.size() + " values, expected one");
        }
        if (values.isEmpty() && !DefinitionKind.isFlag(keyword)) {
            throw refused(keyword + " has no value");
        }
        if (keyword.equals("USAGE") && !USAGES.contains(values.get(0).toLowerCase(Locale.ROOT))) {
            throw refused("USAGE \"" + values.get(0)
                    + "\", expected userApplications, directoryOperation, distributedOperation or dSAOperation");
        }
        for (String value : values) {
            if (keyword.equals("NAME") && !Oids.isDescriptor(value)) {
                throw refused("the name \"" + value + "\", expected a letter, then letters, digits and hyphens");
            } else if (kind.isReference(keyword) && !Oids.isDescriptor(value) && !Oids.isNumeric(value)) {
                throw refused(keyword + " \"" + value + "\", expected a name or a numeric OID");
            } else if (kind.isNumber(keyword) && !value.chars().allMatch(Oids::isDigit)) {
                throw refused(keyword + " \"" + value + "\", expected the number of a structure rule");
            }
        }
    }

    /** The OID, with the length that may follow it in braces. */
    private String syntax(String written) {
        int brace = written.indexOf('{');
        String name = brace < 0 ? written : written.substring(0, brace);
        String length = written.substring(name.length());
        String oid = macros.resolve(name);
        if (oid == null && !Oids.isDescriptor(name) || !length.isEmpty() && !LENGTH.matcher(length).matches()) {
            throw refused("SYNTAX \"" + written + "\", expected a name or a numeric OID, and a length in braces or none");
        }
        return oid == null ? written : oid + length;
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
        return unquoted(token);
    }

    /** RFC 4512 4.1: a quoted string writes a quote as \27 and a backslash as \5C. */
    private static String unquoted(String token) {
        return !token.startsWith("'") ? token
                : token.substring(1).replace("\\27", "'").replace("\\5C", "\\").replace("\\5c", "\\");
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
        return line.refused(position, what);
    }
}
