package org.alder.server.config;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * One {@code index:} line. Names are not looked up yet.
 *
 * @param duplicateThreshold 0 = that of the partition
 * @param inline             the attributes whose values are kept beside those of this one
 */
public record IndexLine(String attribute, Set<Kind> kinds, int duplicateThreshold, List<String> inline) {
    static final String FORM = "ATTRIBUTE eq|sub|pres[,...] [threshold=N] [inline=ATTRIBUTE[,...]], N at least 1";
    private static final String THRESHOLD = "threshold=";
    private static final String INLINE = "inline=";

    /** The kinds an index line may name. */
    public enum Kind {
        EQ, SUB, PRES
    }

    /** @throws IllegalArgumentException if it is not of the form */
    static IndexLine parse(String line) {
        String[] words = line.split("\\s+");
        ValueType.require(words.length > 1);
        Set<Kind> kinds = EnumSet.noneOf(Kind.class);
        for (String kind : words[1].split(",")) {
            kinds.add(Kind.valueOf(kind.toUpperCase(Locale.ROOT)));
        }
        int threshold = 0;
        List<String> inline = List.of();
        for (String option : Arrays.asList(words).subList(2, words.length)) {
            if (option.startsWith(THRESHOLD)) {
                threshold = Integer.parseInt(option.substring(THRESHOLD.length()));
                ValueType.require(threshold > 0);
            } else {
                ValueType.require(option.startsWith(INLINE) && option.length() > INLINE.length());
                inline = List.of(option.substring(INLINE.length()).split(","));
            }
        }
        return new IndexLine(words[0], kinds, threshold, inline);
    }

    boolean isEquality() {
        return kinds.contains(Kind.EQ);
    }
}
