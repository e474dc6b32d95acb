package org.alder.server.migration;

import java.util.List;
import java.util.Locale;
import org.alder.partition.error.Shortened;

/**
 * One setting of another server: a directive of slapd.conf, or an attribute of an entry of its configuration under the name of the
 * directive that says the same. Immutable.
 *
 * @param file  where it stands, as it was named
 * @param name  in lower case
 * @param words what follows, without quotation marks and escapes
 * @param text  what follows, as it stands there
 */
record ForeignSetting(String file, long line, String name, List<String> words, String text) {
    ForeignSetting {
        name = name.toLowerCase(Locale.ROOT);
        words = List.copyOf(words);
    }

    /** The word at a place; empty if there are fewer. */
    String word(int index) {
        return index < words.size() ? words.get(index) : "";
    }

    /** Whether it switches something on. */
    boolean isOn() {
        return words.isEmpty() || List.of("true", "on", "yes", "1").contains(word(0).toLowerCase(Locale.ROOT));
    }

    String place() {
        return file + ", line " + line;
    }

    @Override
    public String toString() {
        return place() + ": " + name + (name.endsWith("pw") ? "" : " " + Shortened.of(text));
    }
}
