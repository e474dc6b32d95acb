package org.alder.partition.filter;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * Reads the string form of a filter (RFC 4515), with absolute true and false (RFC 4526). More lenient than the RFC in two
 * things that people type: the outermost parentheses may be missing, and spaces may stand around parentheses and operators of
 * groups.
 */
public final class FilterParser {
    private static final FilterLimits LIMITS = FilterLimits.STANDARD;

    private final String text;
    private int position;
    private int depth;
    private int items;

    private FilterParser(String text) {
        this.text = text;
    }

    /**
     * @throws DirectoryException protocolError if the text is no filter, or nested deeper than {@link FilterLimits#STANDARD} says; the
     *     message names the offset and what was expected there; adminLimitExceeded if it is too large
     */
    public static Filter parse(String text) throws DirectoryException {
        if (text.length() > LIMITS.bytes()) {
            throw Filters.tooLarge(text.length() + " characters", LIMITS.bytes());
        }
        return new FilterParser(text).filter();
    }

    private Filter filter() throws DirectoryException {
        skipSpaces();
        Filter filter = position < text.length() && text.charAt(position) == '(' ? group() : item(text.length());
        skipSpaces();
        if (position < text.length()) {
            throw expected("the end of the filter");
        }
        return filter;
    }

    private Filter group() throws DirectoryException {
        require('(', "'('");
        if (++depth > LIMITS.depth()) {
            throw expected("no more than " + LIMITS.depth() + " levels of parentheses");
        }
        skipSpaces();
        Filter filter = content();
        skipSpaces();
        require(')', "')'");
        depth--;
        return filter;
    }

    private void count() throws DirectoryException {
        if (++items > LIMITS.items()) {
            throw Filters.tooLarge("more items, operators and pieces of substrings", LIMITS.items());
        }
    }

    private Filter content() throws DirectoryException {
        count();
        switch (position < text.length() ? text.charAt(position) : 0) {
            case '&':
                return new Filter.And(list());
            case '|':
                return new Filter.Or(list());
            case '!':
                position++;
                skipSpaces();
                return new Filter.Not(group());
            default:
                int end = text.indexOf(')', position);
                return item(end < 0 ? text.length() : end);
        }
    }

    private List<Filter> list() throws DirectoryException {
        position++;
        List<Filter> parts = new ArrayList<>();
        skipSpaces();
        while (position < text.length() && text.charAt(position) == '(') {
            parts.add(group());
            skipSpaces();
        }
        return parts;
    }

    private Filter item(int end) throws DirectoryException {
        int equals = text.indexOf('=', position);
        if (equals < 0 || equals >= end) {
            throw expected("an item such as attribute=value");
        }
        char before = equals > position ? text.charAt(equals - 1) : 0;
        switch (before) {
            case '>':
                return new Filter.GreaterOrEqual(description(equals - 1), value(equals + 1, end));
            case '<':
                return new Filter.LessOrEqual(description(equals - 1), value(equals + 1, end));
            case '~':
                return new Filter.Approximate(description(equals - 1), value(equals + 1, end));
            case ':':
                return extensible(equals - 1, equals + 1, end);
            default:
                return simple(description(equals), equals + 1, end);
        }
    }

    private Filter simple(String description, int from, int end) throws DirectoryException {
        int star = star(from, end);
        if (star < 0) {
            return new Filter.Equality(description, value(from, end));
        }
        if (end - from == 1) {
            position = end;
            return new Filter.Present(description);
        }
        byte[] initial = star == from ? null : value(from, star);
        List<byte[]> any = new ArrayList<>();
        int start = star + 1;
        for (int next = star(start, end); next >= 0; next = star(start, end)) {
            if (next > start) {
                count();
                any.add(value(start, next));
            }
            start = next + 1;
        }
        byte[] last = start == end ? null : value(start, end);
        position = end;
        if (initial == null && last == null && any.isEmpty()) {
            return new Filter.Present(description);
        }
        return new Filter.Substring(description, initial, any, last);
    }

    /** Looks no further than the item goes: many items before a long value without a star would each look through that. */
    private int star(int from, int end) {
        int at = from;
        while (at < end && text.charAt(at) != '*') {
            at++;
        }
        return at < end ? at : -1;
    }

    /** What stands before {@code :=}: {@code attribute[:dn][:rule]} or {@code [:dn]:rule}. */
    private Filter extensible(int colon, int valueFrom, int end) throws DirectoryException {
        String[] parts = text.substring(position, colon).split(":", -1);
        String description = parts[0].isEmpty() ? null : checkedName(parts[0]);
        boolean dnAttributes = parts.length > 1 && parts[1].equalsIgnoreCase("dn");
        int next = dnAttributes ? 2 : 1;
        String rule = parts.length > next ? checkedName(parts[next]) : null;
        if (parts.length > next + 1 || description == null && rule == null) {
            throw expected("attribute[:dn][:rule]:=value or [:dn]:rule:=value");
        }
        return new Filter.Extensible(rule, description, value(valueFrom, end), dnAttributes);
    }

    private String description(int end) throws DirectoryException {
        return checkedName(text.substring(position, end));
    }

    private String checkedName(String name) throws DirectoryException {
        String trimmed = name.trim();
        if (trimmed.isEmpty() || !trimmed.chars().allMatch(FilterParser::isNameChar)) {
            throw expected("an attribute or matching rule name");
        }
        return trimmed;
    }

    private static boolean isNameChar(int c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' || c == ';'
                || c == '_';
    }

    private byte[] value(int from, int end) throws DirectoryException {
        ByteArrayOutputStream value = new ByteArrayOutputStream(end - from);
        int plain = from;
        for (int i = from; i < end; i++) {
            char c = text.charAt(i);
            if (c == '\\') {
                value.writeBytes(utf8(plain, i));
                value.write(escaped(i, end));
                i += 2;
                plain = i + 1;
            } else if (c == '(' || c == ')' || c == '*' || c == 0) {
                position = i;
                throw expected("a value, where " + (c == 0 ? "NUL" : "'" + c + "'") + " is written as \\"
                        + String.format(Locale.ROOT, "%02x", (int) c));
            }
        }
        value.writeBytes(utf8(plain, end));
        position = end;
        return value.toByteArray();
    }

    private byte[] utf8(int from, int to) {
        return text.substring(from, to).getBytes(StandardCharsets.UTF_8);
    }

    private int escaped(int backslash, int end) throws DirectoryException {
        int high = backslash + 1 < end ? Character.digit(text.charAt(backslash + 1), 16) : -1;
        int low = backslash + 2 < end ? Character.digit(text.charAt(backslash + 2), 16) : -1;
        if (high < 0 || low < 0) {
            position = backslash;
            throw expected("two hexadecimal digits behind '\\'");
        }
        return high << 4 | low;
    }

    private void skipSpaces() {
        while (position < text.length() && text.charAt(position) == ' ') {
            position++;
        }
    }

    private void require(char c, String what) throws DirectoryException {
        if (position >= text.length() || text.charAt(position) != c) {
            throw expected(what);
        }
        position++;
    }

    private DirectoryException expected(String what) {
        String found = position >= text.length() ? "the end" : "\"" + text.substring(position,
                Math.min(text.length(), position + 20)) + "\"";
        return new DirectoryException(ResultCode.PROTOCOL_ERROR,
                "malformed filter at offset " + position + ": expected " + what + ", found " + found);
    }
}
