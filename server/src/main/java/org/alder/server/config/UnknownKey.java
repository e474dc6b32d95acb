package org.alder.server.config;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What is said of a key that there is not: the one that was probably meant, or where all of them are. */
final class UnknownKey {
    /** A key that is cut off or has a letter wrong here and there; more is another word. */
    private static final int MOST_DIFFERENCES = 3;
    /** Names come from clients, and the time grows with their length; the longest key has 40 characters. */
    private static final int MAX_LENGTH = 64;

    private UnknownKey() {
    }

    /** @param table the keys that may stand there: the server's or a partition's */
    static String message(String name, List<Key<?>> table) {
        String problem = "unknown key " + name;
        boolean ofServer = table.contains(ServerKeys.LISTEN_PORT);
        if (Key.named(name, ofServer ? PartitionKeys.all() : ServerKeys.all()) != null) {
            return problem + (ofServer ? ": it is a key of partitions, expected one of the server" : ": it is a key of the server, expected one of a partition");
        }
        String nearest = name.length() > MAX_LENGTH ? null : table.stream().map(Key::name)
                .filter(each -> differences(name, each) <= Math.min(MOST_DIFFERENCES, name.length() / 2))
                .min(Comparator.comparingInt(each -> differences(name, each))).orElse(null);
        return problem + (nearest == null ? ": docs/settings.md has all keys" : ": did you mean " + nearest + "? docs/settings.md has all keys");
    }

    /** Letters to be put in, taken out or changed to make the one of the other (Levenshtein's distance), in upper or lower case. */
    private static int differences(String given, String key) {
        String a = given.toLowerCase(Locale.ROOT);
        String b = key.toLowerCase(Locale.ROOT);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int above = row[j];
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(changed, Math.min(above, row[j - 1]) + 1);
                diagonal = above;
            }
        }
        return row[b.length()];
    }
}
