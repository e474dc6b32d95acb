package org.alder.server.login;

import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Whom a name means: a pattern of names, and what they mean, with {@code $1} to {@code $9} for the pattern's groups. Immutable.
 *
 * @param target a DN, or {@code ldap:///BASE??SCOPE?FILTER}, which must find one entry
 */
public record IdentityRule(Pattern pattern, String target) {
    private static final String URL = "ldap:///";

    /** @param text the pattern, blanks, and the target  @throws IllegalArgumentException if it is not that */
    public static IdentityRule parse(String text) {
        String[] parts = text.strip().split("\\s+", 2);
        if (parts.length != 2) {
            throw new IllegalArgumentException(text);
        }
        IdentityRule rule = new IdentityRule(Pattern.compile(parts[0]), parts[1]);
        if (rule.isSearch() && rule.target.split("\\?", -1).length != 4) {
            throw new IllegalArgumentException(text);
        }
        return rule;
    }

    boolean isSearch() {
        return target.startsWith(URL);
    }

    /** @return null if the rule is not about such a name */
    Matcher matcher(String name) {
        Matcher matcher = pattern.matcher(name);
        return matcher.matches() ? matcher : null;
    }

    /** The parts of the URL: base, attributes, scope, filter. */
    String[] url() {
        return target.substring(URL.length()).split("\\?", -1);
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
