package org.alder.server.migration.x501;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.alder.partition.error.Shortened;

/**
 * Takes a value in the notation of ACI items and subtree specifications apart (RFC 3641, RFC 3642): blocks in braces of elements with
 * commas, and in each element words, texts in quotation marks and blocks. The text is a stranger's: what it may be is bounded. Used once.
 */
final class Notation {
    private static final int MOST_CHARACTERS = 1 << 16;
    private static final int MOST_DEPTH = 32;
    private static final String ENDS_OF_WORDS = "{},:\"(";

    private final String text;
    private int at;

    private Notation(String text) {
        this.text = text;
    }

    /** A word, a text, or a block: the others are null. A filter in parentheses is a word. */
    record Part(String word, String text, List<List<Part>> block) {
        boolean isWord(String expected) {
            return word != null && word.equalsIgnoreCase(expected);
        }
    }

    /** @return the elements of the block that it is @throws X501Exception if it is none; the message names the column */
    static List<List<Part>> read(String text) throws X501Exception {
        if (text.length() > MOST_CHARACTERS) {
            throw new X501Exception(text.length() + " characters, expected no more than " + MOST_CHARACTERS);
        }
        Notation notation = new Notation(text);
        notation.skipSpaces();
        List<List<Part>> block = notation.block(1);
        if (notation.at < text.length()) {
            throw notation.expected("the end");
        }
        return block;
    }

    /** Elements that begin with a word each, by these words in lower case; what stands behind them. */
    static Map<String, List<Part>> fields(List<List<Part>> block) throws X501Exception {
        Map<String, List<Part>> fields = new HashMap<>();
        for (List<Part> element : block) {
            String name = element.get(0).word();
            if (name == null) {
                throw new X501Exception("expected the name of a component, found a text or a block");
            } else if (fields.put(name.toLowerCase(Locale.ROOT), element.subList(1, element.size())) != null) {
                throw new X501Exception(Shortened.of(name) + " stands there twice");
            }
        }
        return fields;
    }

    /** The block that a component is. @param parts null if it is missing */
    static List<List<Part>> blockOf(String name, List<Part> parts) throws X501Exception {
        if (parts == null || parts.size() != 1 || parts.get(0).block() == null) {
            throw new X501Exception("expected " + name + " and a block in braces");
        }
        return parts.get(0).block();
    }

    /** The number that a component is. @param parts null if it is missing */
    static int numberOf(String name, List<Part> parts, int most) throws X501Exception {
        String word = parts == null || parts.size() != 1 ? null : parts.get(0).word();
        if (word == null || !word.matches("[0-9]{1,9}") || Integer.parseInt(word) > most) {
            throw new X501Exception("expected " + name + " and a number of no more than " + most);
        }
        return Integer.parseInt(word);
    }

    private List<List<Part>> block(int depth) throws X501Exception {
        if (depth > MOST_DEPTH) {
            throw expected("no more than " + MOST_DEPTH + " braces inside of each other");
        }
        take('{');
        List<List<Part>> elements = new ArrayList<>();
        if (!isAt('}')) {
            elements.add(element(depth));
            while (isAt(',')) {
                take(',');
                elements.add(element(depth));
            }
        }
        take('}');
        return elements;
    }

    private List<Part> element(int depth) throws X501Exception {
        List<Part> parts = new ArrayList<>();
        while (at < text.length() && !isAt(',') && !isAt('}')) {
            if (isAt('{')) {
                parts.add(new Part(null, null, block(depth + 1)));
            } else if (isAt('"')) {
                parts.add(new Part(null, quoted(), null));
            } else if (isAt('(')) {
                parts.add(new Part(filter(), null, null));
            } else if (isAt(':') && !parts.isEmpty()) {
                take(':');
            } else {
                parts.add(new Part(word(), null, null));
            }
        }
        if (parts.isEmpty()) {
            throw expected("a component");
        }
        return parts;
    }

    private String quoted() throws X501Exception {
        int end = text.indexOf('"', at + 1);
        if (end < 0) {
            throw expected("a quotation mark at the end of what begins here");
        }
        String value = text.substring(at + 1, end);
        at = end + 1;
        skipSpaces();
        return value;
    }

    private String filter() throws X501Exception {
        int from = at;
        int open = 0;
        do {
            if (at >= text.length()) {
                throw expected("a closing parenthesis");
            }
            open += text.charAt(at) == '(' ? 1 : text.charAt(at) == ')' ? -1 : 0;
            at++;
        } while (open > 0);
        String filter = text.substring(from, at);
        skipSpaces();
        return filter;
    }

    private String word() throws X501Exception {
        int from = at;
        while (at < text.length() && ENDS_OF_WORDS.indexOf(text.charAt(at)) < 0 && !Character.isWhitespace(text.charAt(at))) {
            at++;
        }
        if (at == from) {
            throw expected("a word");
        }
        String word = text.substring(from, at);
        skipSpaces();
        return word;
    }

    private boolean isAt(char c) {
        return at < text.length() && text.charAt(at) == c;
    }

    private void take(char c) throws X501Exception {
        if (!isAt(c)) {
            throw expected(Character.toString(c));
        }
        at++;
        skipSpaces();
    }

    private void skipSpaces() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private X501Exception expected(String what) {
        return new X501Exception("not readable, column " + (at + 1) + ": expected " + what);
    }
}
