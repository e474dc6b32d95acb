package org.alder.partition.rule;

import java.util.regex.Pattern;

/**
 * A text that a pattern may look at only so often: an administrator's pattern can need time exponential in the length of a
 * client's value. One object, one search, one thread.
 */
final class MeteredText implements CharSequence {
    private static final int LOOKS = 10_000_000;
    /** For each character, so that a plain search of a long value comes to its end. */
    private static final int LOOKS_PER_CHARACTER = 16;

    private final String text;
    private long looksLeft;

    /** An expected outcome, so it carries no stack trace. */
    private static final class Exhausted extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Exhausted() {
            super(null, null, false, false);
        }
    }

    private MeteredText(String text) {
        this.text = text;
        this.looksLeft = LOOKS + (long) LOOKS_PER_CHARACTER * text.length();
    }

    /** Whether the pattern is found in the text; null if it takes too long to tell, or too much of the stack. */
    static Boolean find(Pattern pattern, String text) {
        try {
            return pattern.matcher(new MeteredText(text)).find();
        } catch (Exhausted | StackOverflowError e) {
            return null;
        }
    }

    @Override
    public int length() {
        return text.length();
    }

    @Override
    public char charAt(int index) {
        if (--looksLeft < 0) {
            throw new Exhausted();
        }
        return text.charAt(index);
    }

    @Override
    public CharSequence subSequence(int from, int to) {
        return text.subSequence(from, to);
    }

    @Override
    public String toString() {
        return text;
    }
}
