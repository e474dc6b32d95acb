package org.alder.server.access;

import java.util.ArrayList;
import java.util.List;

/** The words of a rule, one after the other. One thread. */
final class RuleText {
    private static final int MOST_CHARS = 16_384;
    private static final String ALONE = "(),";

    private final String text;
    /** Where the next word starts. */
    private int position;

    RuleText(String text) throws AccessRuleException {
        this.text = text;
        if (text.length() > MOST_CHARS) {
            throw new AccessRuleException(MOST_CHARS, "expected at most " + MOST_CHARS + " characters", null);
        }
        skipSpaces();
    }

    private void skipSpaces() {
        while (position < text.length() && Character.isWhitespace(text.charAt(position))) {
            position++;
        }
    }

    private int end() {
        int end = position;
        while (end < text.length() && !Character.isWhitespace(text.charAt(end)) && ALONE.indexOf(text.charAt(end)) < 0
                && text.charAt(end) != '"') {
            end++;
        }
        return end > position || end == text.length() || text.charAt(end) == '"' ? end : end + 1;
    }

    /** The next word, a parenthesis or a comma; empty at the end and before a quotation mark. */
    String peek() {
        return text.substring(position, end());
    }

    boolean isQuoted() {
        return position < text.length() && text.charAt(position) == '"';
    }

    boolean isAtEnd() {
        return position == text.length();
    }

    /** Where the next word starts. */
    int position() {
        return position;
    }

    String next() {
        String word = peek();
        position += word.length();
        skipSpaces();
        return word;
    }

    /** Takes the next word if it is this one. */
    boolean take(String word) {
        boolean found = peek().equalsIgnoreCase(word);
        if (found) {
            next();
        }
        return found;
    }

    /** What stands between quotation marks; of a quotation mark behind a backslash, both. */
    String quoted(String expected) throws AccessRuleException {
        if (!isQuoted()) {
            throw expected(expected + " in quotation marks");
        }
        int end = position + 1;
        while (end < text.length() && text.charAt(end) != '"') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= text.length()) {
            throw new AccessRuleException(position, "expected a quotation mark at the end of what begins here", null);
        }
        String value = text.substring(position + 1, end);
        position = end + 1;
        skipSpaces();
        return value;
    }

    /** A filter in its parentheses. */
    String filter() throws AccessRuleException {
        if (!peek().equals("(")) {
            throw expected("a filter in parentheses");
        }
        int depth = 0;
        for (int end = position; end < text.length(); end++) {
            depth += text.charAt(end) == '(' ? 1 : text.charAt(end) == ')' ? -1 : 0;
            if (depth == 0) {
                String filter = text.substring(position, end + 1);
                position = end + 1;
                skipSpaces();
                return filter;
            }
        }
        throw new AccessRuleException(position, "expected a parenthesis at the end of the filter that begins here", null);
    }

    /** What one or several words with commas between them are made to. */
    <T> List<T> list(Item<T> item) throws AccessRuleException {
        List<T> items = new ArrayList<>();
        do {
            items.add(item.read());
        } while (take(","));
        return items;
    }

    /** Reads one of several. */
    @FunctionalInterface
    interface Item<T> {
        T read() throws AccessRuleException;
    }

    AccessRuleException expected(String what) {
        String found = isAtEnd() ? "the end" : isQuoted() ? "a quotation mark" : "\"" + peek() + "\"";
        return new AccessRuleException(position, "expected " + what + ", found " + found, null);
    }
}
