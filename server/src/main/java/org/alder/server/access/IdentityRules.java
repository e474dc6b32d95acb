package org.alder.server.access;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.zip.CRC32C;
import org.alder.partition.dn.Dn;
import org.alder.partition.filter.AttributeAccess;
import org.alder.partition.filter.CandidateEntry;
import org.alder.partition.filter.Truth;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;

/**
 * The rules that speak to somebody, compiled to a tree of decisions: each node asks an entry whether one rule means it, and each
 * leaf is what the rules say that do. Only what can still change the answer is asked. Those to whom the same rules speak share
 * it. Thread safe.
 */
final class IdentityRules {
    /** Nodes for each list of rules: but for entries that many filters mean in many ways, there are few. */
    private static final int MOST_NODES = 4000;
    private static final int NODES_OF_RULE = 4;
    private static final int MOST_FAMILIES = 256;
    private static final int MOST_WAYS = 32;
    private static final Set<Right> READING = Set.of(Right.READ, Right.SEARCH);

    private final Schema schema;
    private final List<AccessRule> rules;
    private final AttributeAccess everywhere;
    private final Map<List<AccessRule>, EntryRights> rights = new HashMap<>();
    private final Map<List<AccessRule>, AttributeAccess> readings = new HashMap<>();
    private final ConcurrentMap<String, Siblings> families = new ConcurrentHashMap<>();
    /** Those of the entry before: a search often comes to the next one's sibling. */
    private volatile Siblings last;
    private final int mostNodes;
    private int nodes;
    private volatile Node root;

    /**
     * Asks about one rule, or knows the answer.
     *
     * <p>Its children are made when somebody gets there.
     */
    private final class Node {
        /** Null at a leaf. */
        private final AccessRule asked;
        private final int next;
        private final List<AccessRule> matched;
        /** Null but at a leaf. */
        private final EntryRights answer;
        private volatile Node yes;
        private volatile Node no;

        Node(AccessRule asked, int next, List<AccessRule> matched, EntryRights answer) {
            this.asked = asked;
            this.next = next;
            this.matched = matched;
            this.answer = answer;
        }

        Node child(boolean meant) {
            Node known = meant ? yes : no;
            if (known != null) {
                return known;
            }
            List<AccessRule> now = new ArrayList<>(matched);
            if (meant) {
                now.add(asked);
            }
            Node made = node(now, next);
            if (meant) {
                yes = made;
            } else {
                no = made;
            }
            return made;
        }
    }

    /**
     * @param rules in their order, each speaking to whoever these rules are for, as far as no entry says otherwise
     * @param suffixes of all partitions
     */
    IdentityRules(Schema schema, List<AccessRule> rules, List<Dn> suffixes) {
        this.schema = schema;
        this.rules = List.copyOf(rules);
        this.mostNodes = Math.max(MOST_NODES, NODES_OF_RULE * this.rules.size());
        this.everywhere = everywhere(suffixes);
        this.root = node(List.of(), 0);
    }

    /** The node at which all rules before one are decided about. */
    private synchronized Node node(List<AccessRule> matched, int first) {
        List<AccessRule> now = new ArrayList<>(matched);
        for (int i = first; i < rules.size(); i++) {
            AccessRule rule = rules.get(i);
            if (matters(rule, now) && isPossible(rule, now)) {
                if (rule.place() != null || rule.filter() != null || !rule.subject().equals(Subject.ANYONE)) {
                    nodes++;
                    return new Node(rule, i + 1, List.copyOf(now), null);
                }
                now.add(rule);
            }
        }
        nodes++;
        return new Node(null, rules.size(), List.of(), rights.computeIfAbsent(List.copyOf(now), this::rightsOf));
    }

    private EntryRights rightsOf(List<AccessRule> meant) {
        AttributeAccess reading = readings.computeIfAbsent(meant.stream().filter(rule -> READING.stream().anyMatch(rule::isAbout))
                .toList(), list -> ReadingRights.of(schema, list));
        return new EntryRights(meant, reading);
    }

    /** Whether the rule can say anything that those before it have not. */
    private static boolean matters(AccessRule rule, List<AccessRule> before) {
        for (Right right : Right.values()) {
            if (rule.isAbout(right) && !isSettled(right, rule, before)) {
                return true;
            }
        }
        return false;
    }

    /** Whether the rule can mean an entry that those before it mean: rules of entries mostly mean others. */
    private static boolean isPossible(AccessRule rule, List<AccessRule> before) {
        return rule.place() == null || before.stream().allMatch(earlier -> earlier.place() == null || rule.place().meets(earlier.place()));
    }

    private static boolean isSettled(Right right, AccessRule rule, List<AccessRule> before) {
        boolean secrets = right.isOfAttributes() && (rule.denied().contains(right) || rule.attributes().namesSecrets());
        for (AccessRule earlier : before) {
            boolean denies = earlier.denied().contains(right);
            if ((denies || earlier.granted().contains(right))
                    && (!right.isOfAttributes() || earlier.attributes().isEverything() && (denies || !secrets))) {
                return true;
            }
        }
        return false;
    }

    /** A checksum of what the rules say. */
    String name() {
        CRC32C checksum = new CRC32C();
        for (AccessRule rule : rules) {
            checksum.update((rule.text() + rule.place() + rule.subject() + '\n').getBytes(StandardCharsets.UTF_8));
        }
        return Long.toHexString(checksum.getValue());
    }

    /** What may be known of all entries of the partitions alike; null if it depends on the entry. */
    AttributeAccess everywhere() {
        return everywhere;
    }

    private AttributeAccess everywhere(List<Dn> suffixes) {
        List<AccessRule> always = new ArrayList<>();
        Map<Right, Set<AttributeType>> open = new HashMap<>();
        Map<Right, Map<AttributeType, Boolean>> sometimes = new HashMap<>();
        for (Right right : READING) {
            open.put(right, new HashSet<>(schema.attributeTypes()));
            sometimes.put(right, new HashMap<>());
        }
        for (AccessRule rule : rules) {
            boolean none = rule.place() != null && suffixes.stream().noneMatch(rule.place()::touchesSubtree);
            if (none || READING.stream().noneMatch(rule::isAbout)) {
                continue;
            }
            boolean all = rule.filter() == null && rule.subject().equals(Subject.ANYONE)
                    && (rule.place() == null || suffixes.stream().allMatch(rule.place()::containsSubtree));
            for (Right right : READING) {
                if (!decide(right, rule, all, open.get(right), sometimes.get(right))) {
                    return null;
                }
            }
            if (all) {
                always.add(rule);
            }
        }
        boolean denied = sometimes.values().stream().allMatch(each -> each.values().stream().noneMatch(granted -> granted));
        return denied ? readings.computeIfAbsent(always, list -> ReadingRights.of(schema, list)) : null;
    }

    /**
     * Takes account of a rule about all entries, or some.
     *
     * @param open the attributes that no rule about all entries has decided about
     * @param sometimes what rules about some entries said of these
     * @return false if it depends on the entry what may be known of an attribute
     */
    private static boolean decide(Right right, AccessRule rule, boolean all, Set<AttributeType> open,
            Map<AttributeType, Boolean> sometimes) {
        for (var each = open.iterator(); each.hasNext();) {
            AttributeType type = each.next();
            Boolean granted = rule.says(right, type);
            if (granted == null) {
                continue;
            }
            boolean values = rule.values(type) != null;
            Boolean other = sometimes.get(type);
            if (other != null && other != granted.booleanValue() || values && !all) {
                return false;
            } else if (!all) {
                sometimes.put(type, granted);
            } else if (!values) {
                sometimes.remove(type);
                each.remove();
            }
        }
        return true;
    }

    /**
     * What may be done with an entry.
     *
     * @return null if only its name is known, and they depend on what is in the entry
     */
    EntryRights of(Asker who, EntryName name) {
        Node node = root;
        while (node.answer == null) {
            Boolean meant = isMeant(node.asked, node.next - 1, who, name);
            if (meant == null) {
                return null;
            }
            node = node.child(meant);
        }
        if (nodes > mostNodes) {
            forget();
        }
        return node.answer;
    }

    /** Whether an entry of this name may be found, whatever is in it; null if that depends on it. */
    Boolean mayFind(Asker who, EntryName name) {
        return mayFind(root, who, name, new int[] {MOST_WAYS});
    }

    /** @param left how many rules may still be taken both ways */
    private static Boolean mayFind(Node from, Asker who, EntryName name, int[] left) {
        Node node = from;
        while (node.answer == null) {
            Boolean meant = isMeant(node.asked, node.next - 1, who, name);
            if (meant == null) {
                Boolean yes = --left[0] < 0 ? null : mayFind(node.child(true), who, name, left);
                return yes != null && yes.equals(mayFind(node.child(false), who, name, left)) ? yes : null;
            }
            node = node.child(meant);
        }
        return node.answer.mayFind();
    }

    /** There are more kinds of entries than are worth remembering. */
    private synchronized void forget() {
        if (nodes > mostNodes) {
            nodes = 0;
            rights.clear();
            readings.clear();
            root = node(List.of(), 0);
        }
    }

    private static Boolean isMeant(AccessRule rule, int number, Asker who, EntryName name) {
        if (rule.place() != null && !name.isIn(rule.place(), number)) {
            return false;
        }
        Boolean speaks = rule.subject().holds(who, name);
        if (rule.filter() == null || Boolean.FALSE.equals(speaks)) {
            return speaks;
        } else if (name.entry() == null) {
            return null;
        }
        return speaks && rule.filter().evaluate(name.entry()) == Truth.TRUE;
    }

    /** @param dn null if it is not known yet */
    EntryName name(CandidateEntry entry, Dn dn) {
        String tail = dn == null ? entry.dnTail() : null;
        return new EntryName(schema, entry, dn, tail == null ? null : siblings(tail));
    }

    private Siblings siblings(String tail) {
        Siblings known = last;
        if (known == null || !known.tail().equals(tail)) {
            known = families.get(tail);
            if (known == null) {
                if (families.size() >= MOST_FAMILIES) {
                    families.clear();
                }
                known = new Siblings(tail, Dn.stored(schema, tail.isEmpty() ? "" : tail.substring(1)), rules.size());
                families.put(tail, known);
            }
            last = known;
        }
        return known;
    }
}
