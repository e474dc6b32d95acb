package org.alder.server.migration;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes access rules of one {@code access to} of OpenLDAP (slapd.access(5)). There, the first one that means entry and attribute decides,
 * and in it the first {@code by}; so each {@code by} becomes a rule with {@code grant only}, and the end denies. What cannot be said here
 * denies all from there on: nobody gets more than he had. One thread.
 */
final class SlapdAccess {
    private static final int MOST_EXPRESSION_CHARACTERS = 4096;
    private static final String PLAIN_DN = "([A-Za-z][A-Za-z0-9-]*=[^\\[\\]()*+?.^$|\\\\]+)\\$?";
    /** Of a regular expression: one attribute of any value, and a DN behind it. Without the beginning it would mean what is below, too. */
    private static final Pattern ANY_CHILD = Pattern.compile("\\^([A-Za-z][A-Za-z0-9-]*)=\\(?\\[\\^,\\][+*]\\)?," + PLAIN_DN);
    /** The scopes that others mean. */
    private static final Map<Pattern, String> SCOPES = Map.of(Pattern.compile("\\^?\\((?:\\.[+*],\\)\\?|\\[\\^,\\]\\+,\\)\\*)" + PLAIN_DN), "",
            Pattern.compile("\\^?\\(?\\.[+*]\\)?," + PLAIN_DN), "children ", Pattern.compile("\\^\\(?\\[\\^,\\]\\+\\)?," + PLAIN_DN), "one ",
            Pattern.compile("\\^" + PLAIN_DN), "base ");
    private static final Pattern PLAIN_END = Pattern.compile("([A-Za-z][A-Za-z0-9-]*=[^\\[\\]()*+?^$|\\\\,]+(?:,[A-Za-z][A-Za-z0-9-]*=[^\\[\\]()*+?^$|\\\\,]+)*)\\$?$");

    private final List<String> words;
    private final String suffix;
    private final List<String> rules = new ArrayList<>();
    private final List<String> open = new ArrayList<>();
    /** Whom it lets read. */
    private final List<String> readers = new ArrayList<>();
    /** Whom it shows no entry, behind those before them: who may read one attribute of it would see its name. */
    private final List<String> hiding = new ArrayList<>();
    private String base;
    private String place;
    private String filter = "";
    private String attributes = "";
    private boolean isChildren;
    private boolean isEntry;
    private boolean namesEntry;
    private boolean coversPasswords = true;
    private boolean isPassedOn;
    private int at;

    /** @param suffix where it holds; null for everywhere */
    SlapdAccess(ForeignSetting setting, String suffix) {
        this.words = setting.words();
        this.suffix = suffix;
        this.base = suffix == null ? "" : suffix;
        this.place = suffix == null ? "" : " in " + SlapdSubject.quoted(suffix);
        boolean whatIsKnown = what();
        if (!whatIsKnown) {
            hiding.add("anyone");
            rules.add("deny all" + place + " to anyone");
        } else if (isEntry && !isChildren) {
            open.add("attrs=entry has no counterpart: an entry is there for whoever may read one of its attributes");
        } else {
            who();
        }
    }

    /** The rules, in order. */
    List<String> rules() {
        return rules;
    }

    /** What could not be said. */
    List<String> open() {
        return open;
    }

    /** What is denied if one of the rules is refused. */
    String closed() {
        return "deny all" + target() + " to anyone";
    }

    private String target() {
        return (attributes.isEmpty() ? "" : " of " + attributes) + place + filter;
    }

    /** What it is about. False if that cannot be said: then the place is one that has all of it in it. */
    private boolean what() {
        at = !words.isEmpty() && words.get(0).equalsIgnoreCase("to") ? 1 : 0;
        boolean known = true;
        for (; at < words.size() && !words.get(at).equalsIgnoreCase("by"); at++) {
            String word = words.get(at);
            int equals = word.indexOf('=');
            String kind = (equals < 0 ? word : word.substring(0, equals)).toLowerCase(Locale.ROOT);
            String value = equals < 0 ? "" : word.substring(equals + 1);
            if (kind.equals("filter")) {
                filter = " where " + value;
            } else if (kind.equals("attrs") || kind.equals("attr")) {
                known &= attributes(value);
            } else if (kind.startsWith("val")) {
                known &= (kind.equals("val") || kind.equals("val.exact")) && values(value);
            } else if (kind.startsWith("dn")) {
                known &= place(kind, value);
            } else if (!word.equals("*")) {
                known = false;
                open.add(word + " has no counterpart");
            }
        }
        return known;
    }

    private boolean place(String kind, String value) {
        String style = kind.contains(".") ? kind.substring(kind.indexOf('.') + 1) : "";
        switch (style) {
            case "", "exact", "base" -> {
                if (!value.equals("*")) {
                    set("base ", value);
                }
            }
            case "one", "onelevel" -> set("one ", value);
            case "sub", "subtree" -> set("", value);
            case "children" -> set("children ", value);
            case "regex" -> {
                return regex(value);
            }
            default -> {
                open.add(kind + " has no counterpart");
                return false;
            }
        }
        return true;
    }

    private void set(String scope, String dn) {
        base = dn;
        place = " in " + scope + SlapdSubject.quoted(dn);
    }

    private boolean regex(String value) {
        if (value.equals(".*") || value.equals("^.*$")) {
            return true;
        }
        if (value.length() > MOST_EXPRESSION_CHARACTERS) {
            open.add("dn.regex of " + value.length() + " characters");
            return false;
        }
        Matcher child = ANY_CHILD.matcher(value);
        if (child.matches() && isWhole(value, child.group(2))) {
            set("one ", child.group(2));
            filter = " where (" + child.group(1) + "=*)";
            return true;
        }
        for (Map.Entry<Pattern, String> scope : SCOPES.entrySet()) {
            Matcher matcher = scope.getKey().matcher(value);
            if (matcher.matches() && isWhole(value, matcher.group(1))) {
                set(scope.getValue(), matcher.group(1));
                return true;
            }
        }
        Matcher end = PLAIN_END.matcher(value);
        if (end.find() && isWhole(value, end.group(1))) {
            set("", end.group(1));
        }
        open.add("there are no regular expressions: write a filter instead of dn.regex=" + value);
        return false;
    }

    /** Whether nothing can stand behind the DN at the end of an expression. */
    private boolean isWhole(String expression, String dn) {
        return expression.endsWith("$") || suffix != null && plain(dn).endsWith(plain(suffix));
    }

    private static String plain(String dn) {
        return dn.toLowerCase(Locale.ROOT).replaceAll(" *([,=]) *", "$1");
    }

    private boolean attributes(String value) {
        List<String> names = new ArrayList<>();
        coversPasswords = false;
        for (String name : value.split(",")) {
            String lower = name.toLowerCase(Locale.ROOT);
            isChildren |= lower.equals("children");
            isEntry |= lower.equals("entry");
            namesEntry |= lower.equals("entry");
            coversPasswords |= lower.equals("userpassword");
            if (name.startsWith("!")) {
                open.add("attrs=" + name + ": name the attributes, as in: of *, + except cn, sn");
                return false;
            }
            if (!lower.equals("children") && !lower.equals("entry")) {
                names.add(name);
            }
        }
        if (!names.isEmpty()) {
            // With others beside them, who may do it to the entry is what they say.
            isChildren = false;
            isEntry = false;
        }
        attributes = String.join(", ", names);
        return true;
    }

    private boolean values(String value) {
        if (attributes.isEmpty() || attributes.contains(",") || value.matches(".*[()*\\\\].*")) {
            open.add("val=" + value + ": write it as values (ATTRIBUTE=VALUE)");
            return false;
        }
        attributes += " values (" + attributes + "=" + value + ")";
        return true;
    }

    private record Clause(List<String> who, String level, String control) {
    }

    private List<Clause> clauses() {
        List<Clause> clauses = new ArrayList<>();
        while (at < words.size()) {
            List<String> who = new ArrayList<>();
            String level = null;
            String control = "stop";
            for (at++; at < words.size() && !words.get(at).equalsIgnoreCase("by"); at++) {
                String word = words.get(at).toLowerCase(Locale.ROOT);
                if (List.of("stop", "continue", "break").contains(word)) {
                    control = word;
                } else if (SlapdLevel.isOne(word)) {
                    level = word;
                } else {
                    who.add(words.get(at));
                }
            }
            clauses.add(new Clause(who, level, control));
        }
        return clauses;
    }

    private void who() {
        List<Clause> clauses = clauses();
        authenticate(clauses);
        boolean goesOn = false;
        for (Clause clause : clauses) {
            String subject = SlapdSubject.of(clause.who());
            SlapdLevel level = SlapdLevel.of(clause.level());
            if (subject == null || level == null) {
                see(null, "anyone", "stop");
                open.add("by " + String.join(" ", clause.who()) + " " + clause.level() + " has no counterpart: from here on all is denied");
                rules.add(closed());
                return;
            }
            boolean isEverybody = subject.equals("anyone");
            see(level, subject, clause.control());
            rule(level, subject, clause.control());
            goesOn |= isEverybody && !clause.control().equals("stop");
            if (isEverybody && clause.control().equals("stop")) {
                return;
            }
        }
        if (!goesOn && !isChildren) {
            see(null, "anyone", "stop");
            rules.add(closed());
        }
    }

    /** @param level null for none */
    private void see(SlapdLevel level, String subject, String control) {
        if (isChildren) {
            return;
        } else if (level != null && level.isRead()) {
            readers.add(subject);
        } else if (control.equals("stop") && !readers.contains("anyone")) {
            String others = readers.isEmpty() ? "" : "not (" + String.join(" or ", readers) + ")";
            hiding.add(others.isEmpty() ? subject : subject.equals("anyone") ? others : subject + " and " + others);
        }
        isPassedOn |= !control.equals("stop");
    }

    /** Whether it says who is shown entries. */
    boolean isOfEntries() {
        return attributes.isEmpty() && !isChildren;
    }

    /** Whether it may say so of some, among other things. */
    boolean touchesEntries() {
        return isOfEntries() || namesEntry;
    }

    /** The name of the place, or of one that has it in it; empty for everywhere. */
    String base() {
        return base;
    }

    /** Whether it lets read attributes whom another one, which is of entries, shows none. */
    boolean showsMoreThan(SlapdAccess other) {
        return !attributes.isEmpty() && readers.stream().anyMatch(reader -> !reader.equals("self") && !other.readers.contains(reader)
                && !(other.readers.contains("users") && reader.matches("(dn|group|namedBy|users) ?.*")));
    }

    /** Rules that keep entries from those whom it shows none, to be put before all others; null if they cannot be said. */
    List<String> hiding() {
        return isPassedOn ? null : hiding.stream().map(subject -> "deny read of *, +" + place + filter + " to " + subject).toList();
    }

    private void rule(SlapdLevel level, String subject, String control) {
        boolean isSelf = subject.equals("self");
        if (isChildren) {
            if (level.isWrite()) {
                rules.add("grant add, delete, rename" + place.replaceFirst("^ in base ", " in one ").replaceFirst("^ in \"", " in children \"")
                        + filter + " to " + subject);
            }
            return;
        }
        String rights = level.rights(!attributes.isEmpty(), isSelf);
        if (rights.isEmpty()) {
            if (control.equals("stop")) {
                rules.add("deny all" + target() + " to " + subject);
            }
        } else {
            rules.add("grant " + (control.equals("stop") ? "only " : "") + rights + target() + " to " + subject);
        }
    }

    /** To bind, slapd wants the level auth to userPassword for who is anonymous; here it is a right to the entry. */
    private void authenticate(List<Clause> clauses) {
        if (!coversPasswords || attributes.contains(" values ")) {
            return;
        }
        for (Clause clause : clauses) {
            List<String> conditions = clause.who().stream().filter(word -> !word.equals("*") && !word.equalsIgnoreCase("anonymous")).toList();
            String subject = SlapdSubject.of(conditions);
            boolean meansIdentity = conditions.stream().anyMatch(word -> word.equalsIgnoreCase("self") || word.equalsIgnoreCase("users")
                    || word.matches("(?i)(dn|dnattr|group|set|aci).*"));
            SlapdLevel level = SlapdLevel.of(clause.level());
            if (meansIdentity || subject == null || level == null || clause.control().equals("break")) {
                continue;
            }
            rules.add((level.mayAuthenticate() ? "grant" : "deny") + " authenticate" + place + filter + " to " + subject);
            if (subject.equals("anyone")) {
                return;
            }
        }
        if (clauses.stream().noneMatch(clause -> clause.control().equals("break"))) {
            rules.add("deny authenticate" + place + filter + " to anyone");
        }
    }
}
