package org.alder.partition.schema;

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
final class WordRule implements MatchingRule {
    private static final String DIRECTORY_STRING = "1.3.6.1.4.1.1466.115.121.1.15";

    private final String oid;
    private final String name;
    private final boolean wholeToo;

    WordRule(String oid, String name, boolean wholeToo) {
        this.oid = oid;
        this.name = name;
        this.wholeToo = wholeToo;
    }

    @Override
    public String oid() {
        return oid;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public String syntaxOid() {
        return DIRECTORY_STRING;
    }

    /** That of the whole value: what an assertion is compared as. */
    @Override
    public byte[] normalize(byte[] value) throws DirectoryException {
        return TextForms.compact(value, true);
    }

    @Override
    public boolean comparesForms() {
        return false;
    }

    @Override
    public boolean matches(byte[] value, byte[] assertion) throws DirectoryException {
        return words(value).stream().anyMatch(word -> Arrays.equals(word, assertion));
    }

    private List<byte[]> words(byte[] value) throws DirectoryException {
        byte[] whole = normalize(value);
        List<byte[]> parts = new ArrayList<>();
        if (wholeToo) {
            parts.add(whole);
        }
        String text = new String(whole, StandardCharsets.UTF_8);
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
