package org.alder.partition.schema.value;

import java.util.Locale;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;

/**
 * Reads the words of a value in GSER (RFC 3641), such as <code>{ minimum 1, base "ou=people" }</code>, one after another: braces,
 * commas and colons, strings in quotes, and whatever else stands between white space. One object, one value, one thread.
 */
public final class GserReader {
    private static final char QUOTE = '"';
    private static final String MARKS = "{},:";

    private final String kind;
    private final String text;
    private int start;
    private int end;

    /** @param kind what it is called in messages, such as {@code subtree specification} */
    public GserReader(String kind, String text) {
        this.kind = kind;
        this.text = text;
        advance();
    }

    /** A word is found when it is asked for, so that a long value of short ones takes no memory. */
    private void advance() {
        start = end;
        while (start < text.length() && isSpace(text.charAt(start))) {
            start++;
        }
        end = start;
        if (start == text.length()) {
            return;
        }
        char first = text.charAt(start);
        if (first == QUOTE) {
            end = afterString();
        } else if (MARKS.indexOf(first) >= 0) {
            end = start + 1;
        } else {
            while (end < text.length() && isInWord(text.charAt(end))) {
                end++;
            }
        }
    }

    /** Behind the quote that closes the string; where it begins if there is none. Two quotes are one within it. */
    private int afterString() {
        int at = start + 1;
        while (at < text.length()) {
            boolean doubled = text.charAt(at) == QUOTE && at + 1 < text.length() && text.charAt(at + 1) == QUOTE;
            if (text.charAt(at) == QUOTE && !doubled) {
                return at + 1;
            }
            at += doubled ? 2 : 1;
        }
        return start;
    }

    private static boolean isSpace(char c) {
        return c == ' ' || c >= '\t' && c <= '\r';
    }

    private static boolean isInWord(char c) {
        return c != QUOTE && MARKS.indexOf(c) < 0 && !isSpace(c);
    }

    public boolean isAtEnd() {
        return start == text.length();
    }

    /** Whether this mark comes next, which is left there. */
    public boolean isNext(char mark) {
        return end == start + 1 && text.charAt(start) == mark;
    }

    /** Takes this mark, if it comes next. */
    public boolean takes(char mark) {
        boolean found = isNext(mark);
        if (found) {
            advance();
        }
        return found;
    }

    /** @throws DirectoryException invalidAttributeSyntax if something else than this mark comes next */
    public void expect(char mark) throws DirectoryException {
        if (!takes(mark)) {
            throw malformed("\"" + mark + '"');
        }
    }

    /** @throws DirectoryException invalidAttributeSyntax if something follows */
    public void expectEnd() throws DirectoryException {
        if (!isAtEnd()) {
            throw malformed("the end");
        }
    }

    /**
     * The next word, in lower case, as the names of fields and kinds are compared.
     *
     * @throws DirectoryException invalidAttributeSyntax if a mark, a string or the end comes next
     */
    public String word() throws DirectoryException {
        if (end == start || !isInWord(text.charAt(start))) {
            throw malformed("a word");
        }
        return take().toLowerCase(Locale.ROOT);
    }

    /**
     * The contents of the string that comes next, or a word as it is spelt.
     *
     * @throws DirectoryException invalidAttributeSyntax if a mark or the end comes next
     */
    public String string() throws DirectoryException {
        if (end > start && text.charAt(start) == QUOTE) {
            String quoted = take();
            return quoted.substring(1, quoted.length() - 1).replace("\"\"", "\"");
        } else if (end == start || !isInWord(text.charAt(start))) {
            throw malformed("a string in quotes");
        }
        return take();
    }

    private String take() {
        String taken = text.substring(start, end);
        advance();
        return taken;
    }

    /** The refusal of what comes next, or came last. */
    public DirectoryException malformed(String expected) {
        return new DirectoryException(ResultCode.INVALID_ATTRIBUTE_SYNTAX,
                "the " + kind + ' ' + ValueText.of(text) + ": " + expected + " expected at offset " + start);
    }
}
