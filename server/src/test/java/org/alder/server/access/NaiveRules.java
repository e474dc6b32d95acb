package org.alder.server.access;

import com.unboundid.ldap.sdk.Filter;
import com.unboundid.ldap.sdk.LDAPException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Rules and what they mean, worked out from docs/access-rules.md the plain way for one entry and one attribute at a time: shares no
 * code with the server. Knows what {@link RandomTree} has. Immutable.
 */
record NaiveRules(List<Rule> rules) {
    private static final Set<String> OPERATIONAL = Set.of("entryuuid", "structuralobjectclass", "createtimestamp", "memberof",
            "hassubordinates", "numsubordinates", "entrydn", "subschemasubentry", "contextcsn", "entryusn", "ref");
    private static final Set<String> NAMES = Set.of("cn", "sn", "ou", "l", "title");
    private static final Set<String> SECRETS = Set.of("userpassword");
    /** One of those that no rule and no entry names stands for all others of its kind. */
    private static final List<String> TYPES = List.of("objectclass", "dc", "ou", "description", "cn", "member", "uid", "sn",
            "userpassword", "title", "l", "employeetype", "telephonenumber", "employeenumber", "manager", "street", "pager",
            "entryuuid", "structuralobjectclass", "createtimestamp", "memberof", "hassubordinates", "aliasedobjectname", "ref");
    private static final List<String> OF_ALL = List.of("search", "compare", "read", "add", "delete", "write", "selfWrite", "renameOut",
            "renameIn");
    private static final Set<String> OF_ENTRIES = Set.of("delete", "renameOut", "renameIn", "authenticate", "proxy");

    /**
     * A rule.
     *
     * @param attributes null for all  @param values that are meant of the one attribute, with a star for all that begin so; null for
     *     all  @param base null for everywhere  @param where null for all entries
     */
    record Rule(boolean grants, boolean only, List<String> rights, List<String> attributes, List<String> except,
                List<String> values, String scope, String base, Filter where, Subject subject) {
        boolean means(String value) {
            String lower = value.toLowerCase(Locale.ROOT);
            return values.stream().map(each -> each.toLowerCase(Locale.ROOT)).anyMatch(each -> each.endsWith("*")
                    ? lower.startsWith(each.substring(0, each.length() - 1)) : lower.equals(each));
        }

        private String valuesText() {
            String items = values.stream().map(value -> "(" + attributes.get(0) + "=" + value + ")").collect(Collectors.joining());
            return " values " + (values.size() == 1 ? items : "(|" + items + ")");
        }

        String text() {
            return (grants ? "grant " : "deny ") + (only ? "only " : "") + String.join(", ", rights)
                    + (attributes == null ? "" : " of " + String.join(", ", attributes))
                    + (except.isEmpty() ? "" : " except " + String.join(", ", except))
                    + (values == null ? "" : valuesText())
                    + (base == null ? "" : " in " + (scope.equals("subtree") ? "" : scope + " ") + '"' + base + '"')
                    + (where == null ? "" : " where " + where) + " to " + subject.text();
        }
    }

    /** To whom a rule speaks. */
    record Subject(String kind, String name, List<Subject> parts) {
        String text() {
            return switch (kind) {
                case "and", "or" -> "(" + parts.stream().map(Subject::text).collect(Collectors.joining(" " + kind + " ")) + ")";
                case "not" -> "not (" + parts.get(0).text() + ")";
                case "dn", "dn subtree", "group" -> kind + " \"" + name + '"';
                case "namedBy" -> kind + " " + name;
                default -> kind;
            };
        }

        Set<String> addGroups(Set<String> groups) {
            if (kind.equals("group")) {
                groups.add(name);
            }
            parts.forEach(part -> part.addGroups(groups));
            return groups;
        }
    }

    /** Behind others. */
    NaiveRules after(List<Rule> first) {
        List<Rule> all = new ArrayList<>(first);
        all.addAll(rules);
        return new NaiveRules(List.copyOf(all));
    }

    /** Whether it depends on other entries what a filter is of an entry. */
    static boolean asksOthers(Filter filter) {
        return filter.toString().contains("memberOf") || filter.toString().contains("Subordinates");
    }

    /** Without those that speak to groups. */
    NaiveRules withoutGroups() {
        return new NaiveRules(rules.stream().filter(rule -> rule.subject.addGroups(new HashSet<>()).isEmpty()).toList());
    }

    /** Without those that ask what other entries say of an entry. */
    NaiveRules ofEntriesAlone() {
        return new NaiveRules(rules.stream().filter(rule -> rule.where == null || !asksOthers(rule.where)).toList());
    }

    List<String> texts() {
        return rules.stream().map(Rule::text).toList();
    }

    /** Ends with a rule that shows something in most cases, so that most answers are not empty. */
    static NaiveRules of(Random random, RandomTree tree) throws LDAPException {
        List<Rule> rules = new ArrayList<>();
        for (int i = 1 + random.nextInt(7); i > 0; i--) {
            rules.add(rule(random, tree));
        }
        if (random.nextInt(4) > 0) {
            rules.add(new Rule(true, false, List.of("view"), random.nextBoolean() ? null : List.of("*", "+"),
                    List.of(), null, "subtree", null, null, new Subject("users", null, List.of())));
        }
        return new NaiveRules(List.copyOf(rules));
    }

    /** The same with rules about changes before the last one. */
    NaiveRules withChanges(Random random, RandomTree tree) throws LDAPException {
        List<Rule> all = new ArrayList<>(rules);
        for (int i = 4 + random.nextInt(6); i > 0; i--) {
            Rule like = rule(random, tree);
            List<String> rights = random.nextInt(4) == 0 ? List.of("all") : some(random, List.of("add", "write", "delete", "rename",
                    "renameOut", "renameIn", "selfWrite", "add", "write"));
            boolean ofEntries = rights.stream().anyMatch(right -> OF_ENTRIES.contains(right) || right.equals("rename"));
            all.add(random.nextInt(all.size() + 1), new Rule(random.nextInt(5) > 0, false, rights, ofEntries ? null : like.attributes,
                    ofEntries ? List.of() : like.except, null, like.scope, like.base, like.where, like.subject));
        }
        return new NaiveRules(List.copyOf(all));
    }

    /** With a last rule that lets users change most. */
    NaiveRules withWriter() {
        List<Rule> all = new ArrayList<>(rules);
        all.add(new Rule(true, false, List.of("write", "delete", "rename"), null, List.of(), null, "subtree", null, null,
                new Subject("users", null, List.of())));
        return new NaiveRules(List.copyOf(all));
    }

    private static Rule rule(Random random, RandomTree tree) throws LDAPException {
        boolean grants = random.nextInt(5) > 1;
        List<String> rights = switch (random.nextInt(8)) {
            case 0 -> List.of("read");
            case 1 -> List.of("search");
            case 2 -> List.of("compare", "search");
            case 3 -> List.of("all");
            default -> List.of("view");
        };
        List<String> attributes = random.nextInt(3) == 0 ? null : some(random, List.of("*", "+", "title", "name", "telephoneNumber",
                "cn", "uid", "member", "@person", "userPassword", "memberOf", "objectClass", "description"));
        boolean ofValues = random.nextInt(5) == 0;
        if (ofValues) {
            rights = rights.equals(List.of("all")) ? List.of("view") : rights;
            attributes = some(random, List.of("title", "name", "cn", "l", "description", "member", "memberOf", "manager", "objectClass",
                    "aliasedObjectName", "ref")).subList(0, 1);
        }
        List<String> except = !ofValues && attributes != null && random.nextInt(3) == 0 ? some(random, List.of("title", "sn", "memberOf", "l"))
                : List.of();
        List<String> dns = tree.dns();
        String base = random.nextBoolean() ? null : dns.get(random.nextInt(dns.size()));
        String scope = List.of("subtree", "subtree", "base", "one", "children").get(random.nextInt(5));
        Filter where = random.nextInt(3) > 0 ? null : RandomRequest.filter(random, dns, 1);
        boolean usable = where == null || !where.toString().contains("caseIgnoreMatch")
                && !where.toString().contains("(!(objectClass=*") && !where.toString().contains("userPassword");
        return new Rule(grants, grants && !ofValues && random.nextInt(8) == 0, rights, attributes, except,
                ofValues ? values(random, attributes.get(0), dns) : null, scope, base, usable ? where : null,
                subject(random, tree, 2));
    }

    private static List<String> values(Random random, String type, List<String> dns) {
        List<String> choices = switch (type) {
            case "member", "memberOf", "manager", "aliasedObjectName" -> dns;
            case "objectClass" -> List.of("inetOrgPerson", "organizationalUnit", "top", "groupOfNames");
            case "ref" -> RandomTree.URLS;
            default -> List.of("red", "gr*", "blue", "b*", "de*");
        };
        return IntStream.rangeClosed(0, random.nextInt(3)).mapToObj(i -> choices.get(random.nextInt(choices.size()))).distinct().toList();
    }

    private static List<String> some(Random random, List<String> choices) {
        return random.ints(1 + random.nextInt(3), 0, choices.size()).distinct().mapToObj(choices::get).toList();
    }

    private static Subject subject(Random random, RandomTree tree, int depth) {
        List<String> dns = tree.dns();
        String dn = dns.get(random.nextInt(dns.size()));
        List<String> groups = dns.stream().filter(each -> each.startsWith("cn=group") || each.startsWith("cn=dynamic")).toList();
        return switch (random.nextInt(depth == 0 ? 8 : 11)) {
            case 0 -> new Subject("anyone", null, List.of());
            case 1 -> new Subject("self", null, List.of());
            case 2 -> new Subject("dn", dn, List.of());
            case 3 -> new Subject("dn subtree", dn, List.of());
            case 4 -> groups.isEmpty() ? new Subject("users", null, List.of())
                    : new Subject("group", groups.get(random.nextInt(groups.size())), List.of());
            case 5 -> new Subject("namedBy", random.nextBoolean() ? "member" : "manager", List.of());
            case 6, 7 -> new Subject("users", null, List.of());
            case 8 -> new Subject("not", null, List.of(subject(random, tree, depth - 1)));
            default -> new Subject(random.nextBoolean() ? "and" : "or", null,
                    List.of(subject(random, tree, depth - 1), subject(random, tree, depth - 1)));
        };
    }

    /** What somebody sees of a tree. */
    SeenTree seenBy(String who, RandomTree tree) {
        return new SeenTree(tree, new Rights(who, tree, groups(who, tree)));
    }

    /** The groups of somebody that rules speak to. */
    Set<String> groupsThatCount(String who, RandomTree tree) {
        Set<String> named = new HashSet<>();
        rules.forEach(rule -> rule.subject.addGroups(named));
        named.retainAll(groups(who, tree));
        return named;
    }

    /** Those that name somebody, those that name these, and so on. */
    private static Set<String> groups(String who, RandomTree tree) {
        SeenTree all = new SeenTree(tree, SeenTree.EVERYTHING);
        Set<String> members = new HashSet<>(Set.of(who));
        boolean grown = true;
        while (grown) {
            grown = false;
            for (RandomTree.Node node : tree.nodes()) {
                if (all.members(node).anyMatch(members::contains)) {
                    grown |= members.add(node.dn());
                }
            }
        }
        members.remove(who);
        return members;
    }

    /** What one asker may do. */
    final class Rights implements SeenTree.Sight {
        private final String who;
        private final SeenTree all;
        private final Set<String> groups;
        private final Map<RandomTree.Node, Boolean> found = new IdentityHashMap<>();

        private Rights(String who, RandomTree tree, Set<String> groups) {
            this.who = who;
            this.all = new SeenTree(tree, SeenTree.EVERYTHING);
            this.groups = groups;
        }

        @Override
        public boolean finds(RandomTree.Node entry) {
            return found.computeIfAbsent(entry, this::isFound);
        }

        private boolean isFound(RandomTree.Node entry) {
            return TYPES.stream().anyMatch(type -> mayAny("read", entry, type));
        }

        /** Whether the name alone says that there is nothing, whatever is in the entry: as far as the entries of the tree tell. */
        boolean isHiddenByName(String dn) {
            return all.tree().nodes().stream().noneMatch(node -> isFound(new RandomTree.Node(dn, node.user(), node.operational())));
        }

        /** The same of a right to some values. */
        boolean isForbiddenByName(String right, String dn, String type) {
            return all.tree().nodes().stream().noneMatch(node -> mayAny(right, new RandomTree.Node(dn, node.user(), node.operational()), type));
        }

        @Override
        public boolean searches(RandomTree.Node entry, String type) {
            return may("search", entry, type);
        }

        @Override
        public boolean searches(RandomTree.Node entry, String type, String value) {
            return decides("search", entry, type, (rule, grants) -> rule.means(value));
        }

        @Override
        public boolean reads(RandomTree.Node entry, String type) {
            return may("read", entry, type);
        }

        @Override
        public boolean reads(RandomTree.Node entry, String type, String value) {
            return decides("read", entry, type, (rule, grants) -> rule.means(value));
        }

        @Override
        public boolean compares(RandomTree.Node entry, String type, String value) {
            return decides("compare", entry, type, (rule, grants) -> rule.means(value));
        }

        boolean hasRulesOfValues() {
            return rules.stream().anyMatch(rule -> rule.values != null);
        }

        /** For all values. @param type null for a right to the whole entry */
        boolean may(String right, RandomTree.Node entry, String type) {
            return decides(right, entry, type, (rule, grants) -> !grants);
        }

        /** Whether an entry may get a place: with what is below it. */
        boolean mayBecome(RandomTree.Node entry, RandomTree.Node placed) {
            return new Rights(who, all.tree().moved(entry, placed), groups).may("renameIn", placed, null);
        }

        /** For some value. */
        boolean mayAny(String right, RandomTree.Node entry, String type) {
            return decides(right, entry, type, (rule, grants) -> grants);
        }

        /** The first rule that says something decides. @param taken whether one about some values does */
        private boolean decides(String right, RandomTree.Node entry, String type, BiPredicate<Rule, Boolean> taken) {
            for (Rule rule : rules) {
                if (isAbout(rule, entry) && holds(rule.subject, entry)
                        && (rule.values == null || type != null && taken.test(rule, rule.grants))) {
                    boolean named = names(rule.rights, right, rule.attributes != null);
                    if (named && (type == null || includes(rule, type, rule.grants))) {
                        return rule.grants;
                    } else if (rule.only && names(List.of("all"), right, rule.attributes != null)
                            && (type == null || includes(rule, type, false))) {
                        return false;
                    }
                }
            }
            return false;
        }

        private boolean isAbout(Rule rule, RandomTree.Node entry) {
            boolean there = rule.base == null || switch (rule.scope) {
                case "base" -> entry.dn().equals(rule.base);
                case "one" -> entry.parent().equals(rule.base);
                case "children" -> entry.isBelow(rule.base) && !entry.dn().equals(rule.base);
                default -> entry.isBelow(rule.base);
            };
            return there && (rule.where == null || Boolean.TRUE.equals(all.truth(entry, rule.where)));
        }

        private boolean holds(Subject subject, RandomTree.Node entry) {
            return switch (subject.kind) {
                case "anyone", "users" -> true;
                case "self" -> entry.dn().equals(who);
                case "dn" -> who.equals(subject.name);
                case "dn subtree" -> who.equals(subject.name) || who.endsWith("," + subject.name);
                case "group" -> groups.contains(subject.name);
                case "namedBy" -> entry.values(subject.name).contains(who)
                        || subject.name.equals("member") && all.members(entry).anyMatch(who::equals);
                case "not" -> !holds(subject.parts.get(0), entry);
                case "and" -> subject.parts.stream().allMatch(part -> holds(part, entry));
                case "or" -> subject.parts.stream().anyMatch(part -> holds(part, entry));
                default -> throw new IllegalArgumentException(subject.kind);
            };
        }
    }

    private static boolean names(List<String> rights, String right, boolean ofAttributes) {
        return rights.contains(right) || rights.contains("view") && Set.of("search", "compare", "read").contains(right)
                || rights.contains("rename") && right.startsWith("rename")
                || rights.contains("all") && OF_ALL.contains(right) && !(ofAttributes && OF_ENTRIES.contains(right));
    }

    private static boolean includes(Rule rule, String type, boolean grants) {
        boolean secret = grants && SECRETS.contains(type);
        if (rule.attributes == null) {
            return !secret;
        } else if (rule.except.stream().anyMatch(each -> isOf(type, each))) {
            return false;
        }
        boolean person = Set.of("sn", "cn", "objectclass", "userpassword", "telephonenumber", "seealso", "description").contains(type);
        return rule.attributes.stream().anyMatch(each -> switch (each) {
            case "*" -> !OPERATIONAL.contains(type) && !secret;
            case "+" -> OPERATIONAL.contains(type);
            case "@person" -> person && !secret;
            default -> isOf(type, each);
        });
    }

    private static boolean isOf(String type, String named) {
        String lower = named.toLowerCase(Locale.ROOT);
        return type.equals(lower) || type.equals("c-" + lower) || lower.equals("name") && NAMES.contains(type);
    }
}
