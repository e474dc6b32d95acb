package org.alder.server.login;

import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.request.SearchScope;

/** Whom a name means: a pattern of names, and what they mean, with {@code $1} to {@code $9} for the pattern's groups. Immutable. */
public record IdentityRule(Pattern pattern, Target target) {
    private static final String URL = "ldap:///";

    /**
     * Who is meant.
     *
     * @param dn the entry, or the base of a search
     * @param scope of a search, which must find one entry; else null
     * @param filter of a search; else null
     */
    record Target(String dn, SearchScope scope, String filter) {
        private static Target parse(String text) {
            if (!text.startsWith(URL)) {
                return new Target(text, null, null);
            }
            String[] parts = text.substring(URL.length()).split("\\?", -1);
            if (parts.length != 4) {
                throw new IllegalArgumentException(text);
            }
            try {
                FilterParser.parse(parts[3].replaceAll("\\$[0-9]", "0"));
            } catch (DirectoryException e) {
                throw new IllegalArgumentException(text, e);
            }
            return new Target(parts[0], scope(parts[2]), parts[3]);
        }

        /** RFC 4516 2: without a word it is the entry itself. */
        private static SearchScope scope(String word) {
            return switch (word.toLowerCase(Locale.ROOT)) {
                case "", "base" -> SearchScope.BASE;
                case "one" -> SearchScope.ONE_LEVEL;
                case "sub" -> SearchScope.SUBTREE;
                default -> throw new IllegalArgumentException(word);
            };
        }

        boolean isSearch() {
            return filter != null;
        }
    }

    /**
     * @param text the pattern, blanks, and a DN or {@code ldap:///BASE??SCOPE?FILTER}
     * @throws IllegalArgumentException if it is not that
     */
    public static IdentityRule parse(String text) {
        String[] parts = text.strip().split("\\s+", 2);
        if (parts.length != 2) {
            throw new IllegalArgumentException(text);
        }
        return new IdentityRule(Pattern.compile(parts[0]), Target.parse(parts[1]));
    }

    /** @return null if the rule is not about such a name */
    Matcher matcher(String name) {
        Matcher matcher = pattern.matcher(name);
        return matcher.matches() ? matcher : null;
    }

    /** The groups of the name in a text: as parts of values, whatever they hold. */
    static String filled(String template, Matcher matcher, UnaryOperator<String> escape) {
        StringBuilder filled = new StringBuilder();
        for (int i = 0; i < template.length(); i++) {
            char c = template.charAt(i);
            int group = c == '$' && i + 1 < template.length() ? template.charAt(i + 1) - '0' : -1;
            if (group >= 0 && group <= Math.min(9, matcher.groupCount())) {
                String value = matcher.group(group);
                filled.append(value == null ? "" : escape.apply(value));
                i++;
            } else {
                filled.append(c);
            }
        }
        return filled.toString();
    }
}
