package org.alder.server.migration;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** How much OpenLDAP's {@code by} lets one do (slapd.access(5), "the access field"), in rights of access rules. */
final class SlapdLevel {
    /** Each includes those before it. */
    private static final List<String> LEVELS = List.of("none", "disclose", "auth", "compare", "search", "read", "write", "manage");
    private static final String LETTERS = "[=+-](?:[0mwazrscxdn]+)?";

    private final Set<Character> letters;
    private final boolean isOwnValue;

    private SlapdLevel(Set<Character> letters, boolean isOwnValue) {
        this.letters = letters;
        this.isOwnValue = isOwnValue;
    }

    static boolean isOne(String word) {
        String plain = word.startsWith("self") && word.length() > 4 ? word.substring(4) : word;
        return LEVELS.contains(plain) || plain.equals("add") || plain.equals("delete") || plain.matches(LETTERS);
    }

    /** @param word null for none @return null if it cannot be said */
    static SlapdLevel of(String word) {
        if (word == null) {
            return new SlapdLevel(Set.of(), false);
        }
        String lower = word.toLowerCase(Locale.ROOT);
        boolean own = lower.startsWith("self") && lower.length() > 4;
        String plain = own ? lower.substring(4) : lower;
        Set<Character> letters = new LinkedHashSet<>();
        if (plain.startsWith("=")) {
            for (char letter : plain.substring(1).toCharArray()) {
                letters.add(letter);
            }
        } else if (plain.startsWith("+") || plain.startsWith("-")) {
            return null;
        } else {
            int rank = plain.equals("add") || plain.equals("delete") ? LEVELS.indexOf("read") : LEVELS.indexOf(plain);
            for (int i = 1; i <= rank; i++) {
                letters.add("ndxcsrwm".charAt(i));
            }
            if (plain.equals("add") || plain.equals("delete")) {
                letters.add(plain.equals("add") ? 'a' : 'z');
            }
        }
        return new SlapdLevel(letters, own);
    }

    boolean mayAuthenticate() {
        return !isOwnValue && letters.stream().anyMatch(letter -> "xcsrwm".indexOf(letter) >= 0);
    }

    boolean isRead() {
        return !isOwnValue && letters.contains('r');
    }

    boolean isWrite() {
        return !isOwnValue && (letters.contains('w') || letters.contains('a') || letters.contains('z') || letters.contains('m'));
    }

    /** Empty for none. Who writes his own entry writes its attributes: to delete it, he would need more there, too. */
    String rights(boolean ofAttributes, boolean isSelf) {
        Set<String> rights = new LinkedHashSet<>();
        if (isOwnValue) {
            // Of reading, too, it means the value alone that is one's own DN, which cannot be said.
            return ofAttributes && (letters.contains('w') || letters.contains('m')) ? "selfWrite" : "";
        }
        boolean sees = letters.contains('r') && letters.contains('s') && letters.contains('c');
        if (sees) {
            rights.add("view");
        } else {
            add(rights, 'r', "read");
            add(rights, 's', "search");
            add(rights, 'c', "compare");
        }
        if (letters.contains('w') || letters.contains('m')) {
            rights.add("write");
            if (!isSelf) {
                rights.addAll(ofAttributes ? List.of("add") : List.of("add", "delete", "rename"));
            }
        }
        add(rights, 'a', "add");
        if (!ofAttributes) {
            add(rights, 'z', "delete");
        }
        return String.join(", ", rights);
    }

    private void add(Set<String> rights, char letter, String right) {
        if (letters.contains(letter)) {
            rights.add(right);
        }
    }
}
