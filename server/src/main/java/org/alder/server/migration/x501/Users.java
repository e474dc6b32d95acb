package org.alder.server.migration.x501;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.Shortened;
import org.alder.partition.schema.Schema;
import org.alder.server.migration.x501.Notation.Part;

/**
 * User classes of an ACI item, as subjects of access rules. Immutable.
 *
 * @param isAll    whether allUsers is among them
 * @param subjects the others, each of which means who has authenticated
 * @param rank     how specific they are: 3 for a name or the entry itself, 2 for groups, 1 for subtrees, else 0. ApacheDS takes that of the
 *                 most specific one for all that stand together
 * @param open     classes without a counterpart
 */
record Users(boolean isAll, Set<String> subjects, int rank, List<String> open) {
    private static final int MOST_CHARACTERS = 8192;
    private static final int RANK_OF_NAMES = 3;
    private static final int RANK_OF_GROUPS = 2;
    private static final int RANK_OF_SUBTREES = 1;

    /** How one has to have authenticated. */
    enum Level {
        NONE, SIMPLE, STRONG
    }

    /** Whom a rule speaks to: whoever is meant by all of some subjects. @param isIdentity whether he has certainly authenticated */
    record Subject(Set<String> all, boolean isIdentity) {
        static final Subject ANYONE = new Subject(Set.of(), false);
        static final Subject USERS = new Subject(Set.of("users"), true);

        /** Whether it surely means whoever another one means. */
        boolean covers(Subject other) {
            return equals(USERS) ? other.isIdentity : other.all.containsAll(all);
        }

        Subject and(Subject other) {
            if (covers(other) || other.covers(this)) {
                return covers(other) ? other : this;
            }
            Set<String> both = new TreeSet<>(all);
            both.addAll(other.all);
            return new Subject(both, isIdentity || other.isIdentity);
        }

        String words() {
            return all.isEmpty() ? "anyone" : all.size() == 1 ? all.iterator().next() : "(" + String.join(") and (", all) + ")";
        }
    }

    static Users of(Schema schema, List<List<Part>> block) throws X501Exception {
        boolean isAll = false;
        int rank = 0;
        Set<String> subjects = new LinkedHashSet<>();
        List<String> open = new ArrayList<>();
        for (var field : Notation.fields(block).entrySet()) {
            List<Part> parts = field.getValue();
            switch (field.getKey()) {
                case "allusers" -> isAll = true;
                case "thisentry" -> {
                    subjects.add("self");
                    rank = RANK_OF_NAMES;
                }
                case "name" -> {
                    names(schema, "dn ", Notation.blockOf("name", parts), subjects);
                    rank = RANK_OF_NAMES;
                }
                case "usergroup" -> {
                    names(schema, "group ", Notation.blockOf("userGroup", parts), subjects);
                    rank = Math.max(rank, RANK_OF_GROUPS);
                }
                case "subtree" -> {
                    subtrees(schema, Notation.blockOf("subtree", parts), subjects, open);
                    rank = Math.max(rank, RANK_OF_SUBTREES);
                }
                case "parentofentry" -> open.add("parentOfEntry: there is no such subject");
                default -> throw new X501Exception(Shortened.of(field.getKey()) + " is no user class");
            }
        }
        if (subjects.stream().mapToInt(String::length).sum() > MOST_CHARACTERS) {
            open.add("user classes of more than " + MOST_CHARACTERS + " characters: make a group of them");
        }
        return new Users(isAll, subjects, rank, open);
    }

    private static void names(Schema schema, String kind, List<List<Part>> block, Set<String> subjects) throws X501Exception {
        for (List<Part> element : block) {
            if (element.size() != 1 || element.get(0).text() == null) {
                throw new X501Exception("expected names in quotation marks");
            }
            subjects.add(kind + '"' + Area.dn(schema, element.get(0).text()).text() + '"');
        }
    }

    private static void subtrees(Schema schema, List<List<Part>> block, Set<String> subjects, List<String> open) throws X501Exception {
        for (List<Part> element : block) {
            if (element.size() != 1 || element.get(0).block() == null) {
                throw new X501Exception("expected subtree specifications in braces");
            }
            Area area = Area.of(schema, Dn.ROOT, element.get(0).block());
            if (area.isEmpty()) {
                continue;
            } else if (!area.open().isEmpty() || !area.filter().isEmpty()) {
                open.add("subtree: subjects have no filter and no exclusions, make a group of them");
            } else if (area.base().isRoot()) {
                subjects.add("users");
            } else {
                String words = area.words().substring(" in ".length());
                subjects.add(words.startsWith("\"") ? "dn subtree " + words : "dn " + words.replaceFirst("^base ", ""));
            }
        }
    }

    /** Whom a grant speaks to; null if that is nobody. Only of one of which nothing is open. */
    Subject granted(Level level) throws X501Exception {
        if (level == Level.STRONG) {
            throw new X501Exception("authenticationLevel strong: name the mechanisms, as in: to users and mechanism EXTERNAL, GSSAPI");
        } else if (isAll) {
            return level == Level.NONE ? Subject.ANYONE : Subject.USERS;
        }
        return subjects.isEmpty() ? null : named();
    }

    /** Whom a denial speaks to, at least: also to who has not authenticated as is asked for. Null if that is nobody. */
    Subject denied(Level level) {
        if (isAll || !open.isEmpty() || level == Level.STRONG) {
            return Subject.ANYONE;
        } else if (subjects.isEmpty()) {
            return level == Level.NONE ? null : new Subject(Set.of("anonymous"), false);
        }
        return level == Level.NONE ? named() : new Subject(Set.of(named().words() + " or anonymous"), false);
    }

    private Subject named() {
        return subjects.contains("users") ? Subject.USERS : new Subject(Set.of(String.join(" or ", subjects)), true);
    }

    static Level level(List<Part> parts) throws X501Exception {
        String word = parts == null || parts.size() != 1 || parts.get(0).word() == null ? "" : parts.get(0).word();
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "none" -> Level.NONE;
            case "simple" -> Level.SIMPLE;
            case "strong" -> Level.STRONG;
            default -> throw new X501Exception("expected authenticationLevel and none, simple or strong");
        };
    }
}
