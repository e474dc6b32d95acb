package org.alder.perf.process;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The entries of a server's configuration in LDIF, as its maker ships them, with what a benchmark wants otherwise. Immutable. */
record ConfigurationText(String text) {
    /** Without the entries that are told, from the beginning of their first line on. @param expression of what begins such an entry, up to its end */
    ConfigurationText without(String expression) {
        return new ConfigurationText(Pattern.compile("(?msi)^dn: " + expression + ".*?(?:\\n\\n|\\z)").matcher(text).replaceAll(""));
    }

    /**
     * With other values of some attributes of an entry, before those it has: 389 DS reads some by what it has read before.
     *
     * @param dn as it is spelt there
     * @param lines attributes with their values
     * @throws IllegalArgumentException if there is no such entry
     */
    ConfigurationText with(String dn, String... lines) {
        Matcher entry = Pattern.compile("(?ms)^dn: " + Pattern.quote(dn) + "\\n.*?(?=\\n\\n|\\z)").matcher(text);
        if (!entry.find()) {
            throw new IllegalArgumentException("the configuration has no entry " + dn);
        }
        String others = entry.group().substring(entry.group().indexOf('\n') + 1);
        for (String line : lines) {
            String attribute = line.substring(0, line.indexOf(':') + 1);
            others = Pattern.compile("(?mi)^" + Pattern.quote(attribute) + ".*\\n?").matcher(others).replaceAll("");
        }
        return new ConfigurationText(text.substring(0, entry.start()) + "dn: " + dn + '\n' + String.join("\n", lines) + '\n' + others.strip()
                + text.substring(entry.end()));
    }

    /** With one more entry at the end. @param lines the first one is its DN */
    ConfigurationText and(List<String> lines) {
        return new ConfigurationText(text.strip() + "\n\n" + String.join("\n", lines) + '\n');
    }
}
