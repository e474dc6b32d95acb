package org.alder.partition.schema.value;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.alder.partition.error.DirectoryException;

/**
 * wordMatch and keywordMatch (RFC 4517 4.2.32, 4.2.21), for extensible matches: a value matches if one of its words, without
 * regard to case, is the asserted one. What a word is the RFC leaves open: a run of letters, digits and marks, with hyphens and
 * apostrophes inside. A keyword is a word, or the whole value.
 */
record WordMatch(boolean wholeToo) implements TestedRule.Match {
    /** That of the whole value: what an assertion is compared as. */
    static byte[] form(byte[] value) throws DirectoryException {
        return TextForms.compact(value, true);
    }

    @Override
    public boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        return words(value).stream().anyMatch(word -> Arrays.equals(word, assertion));
    }

    private List<byte[]> words(byte[] value) throws DirectoryException {
        byte[] whole = form(value);
        List<byte[]> parts = new ArrayList<>();
        if (wholeToo) {
            parts.add(whole);
        }
        String text = StringPreparation.decode(whole);
        int start = -1;
        for (int i = 0; i <= text.length(); i++) {
            boolean inWord = i < text.length() && (isLetter(text, i) || start >= 0 && joins(text, i));
            if (inWord && start < 0) {
                start = i;
            } else if (!inWord && start >= 0) {
                parts.add(text.substring(start, i).getBytes(StandardCharsets.UTF_8));
                start = -1;
            }
        }
        return parts;
    }

    private static boolean isLetter(String text, int at) {
        int type = Character.getType(text.charAt(at));
        return Character.isLetterOrDigit(text.charAt(at)) || Character.isSurrogate(text.charAt(at))
                || type == Character.NON_SPACING_MARK || type == Character.COMBINING_SPACING_MARK;
    }

    private static boolean joins(String text, int at) {
        return (text.charAt(at) == '-' || text.charAt(at) == '\'') && at + 1 < text.length() && isLetter(text, at + 1);
    }
}
