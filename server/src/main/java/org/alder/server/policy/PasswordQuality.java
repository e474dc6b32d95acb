package org.alder.server.policy;

import java.util.Collection;
import org.alder.partition.text.Counted;
import org.alder.server.auth.scheme.SaslPrep;

/**
 * What a new password has to be like. Its characters are those of its UTF-8 after SASLprep (RFC 4013), so that one that is typed in
 * another way counts the same. Immutable, thread safe.
 *
 * @param minLength characters; 0 and 1 are no limit
 * @param maxLength characters; 0 is no limit
 * @param minClasses how many of small letters, capital letters, digits and all else it has; 0 and 1 are no demand
 * @param notOfEntry whether it may not have in it what the entry tells of its user
 * @param words that it may not be; null for none
 */
public record PasswordQuality(int minLength, int maxLength, int minClasses, boolean notOfEntry, WordList words) {
    /** What all passwords are. */
    public static final PasswordQuality NONE = new PasswordQuality(0, 0, 0, false, null);
    /** Nothing that is in a list of common ones, or in the entry. Lengths are the policy's. */
    public static final PasswordQuality STANDARD = new PasswordQuality(0, 0, 0, true, WordList.builtIn());
    /** Shorter words are in many a good password. */
    static final int LEAST_WORD = 4;

    public PasswordQuality withLengths(int least, int most) {
        return new PasswordQuality(least, most, minClasses, notOfEntry, words);
    }

    /** Why a password will not do. @param text for whoever chose it; says nothing of the password itself */
    public record Shortcoming(PolicyError error, String text) {
    }

    /**
     * What is wrong with a password.
     *
     * @param ownWords what the entry tells of its user, as {@link OwnWords} has it
     * @return null if nothing is
     */
    public Shortcoming judge(byte[] password, Collection<String> ownWords) {
        String text = SaslPrep.text(password);
        int length = text.codePointCount(0, text.length());
        String folded = WordList.folded(text);
        if (length < minLength) {
            return new Shortcoming(PolicyError.PASSWORD_TOO_SHORT, "the password has " + characters(length) + ", at least "
                    + minLength + " are needed");
        } else if (maxLength > 0 && length > maxLength) {
            return new Shortcoming(PolicyError.PASSWORD_TOO_LONG, "the password has " + characters(length) + ", at most " + maxLength
                    + " are allowed");
        } else if (classes(text) < minClasses) {
            return insufficient("the password needs characters of " + minClasses
                    + " kinds: of small letters, capital letters, digits, and others");
        } else if (words != null && isWord(folded, length)) {
            return insufficient("the password is a word that is tried first by whoever guesses passwords, or such a word with a"
                    + " few signs around it");
        } else if (notOfEntry && ownWords.stream().anyMatch(folded::contains)) {
            return insufficient("the password has the user's name or mail address in it");
        }
        return null;
    }

    private static Shortcoming insufficient(String text) {
        return new Shortcoming(PolicyError.INSUFFICIENT_PASSWORD_QUALITY, text);
    }

    private static String characters(int count) {
        return Counted.of(count, "character");
    }

    private static int classes(String text) {
        int found = 0;
        for (int i = 0; i < text.length(); i = text.offsetByCodePoints(i, 1)) {
            int c = text.codePointAt(i);
            found |= Character.isLowerCase(c) ? 1 : Character.isUpperCase(c) ? 2 : Character.isDigit(c) ? 4 : 8;
        }
        return Integer.bitCount(found);
    }

    /** The whole, or its letters without what stands before and behind them, if they are half of it at least. */
    private boolean isWord(String folded, int length) {
        if (words.has(folded)) {
            return true;
        }
        int from = 0;
        int to = folded.length();
        while (from < to && !Character.isLetter(folded.codePointAt(from))) {
            from = folded.offsetByCodePoints(from, 1);
        }
        while (to > from && !Character.isLetter(folded.codePointBefore(to))) {
            to = folded.offsetByCodePoints(to, -1);
        }
        int letters = folded.codePointCount(from, to);
        return letters >= LEAST_WORD && 2 * letters >= length && words.has(folded.substring(from, to));
    }
}
