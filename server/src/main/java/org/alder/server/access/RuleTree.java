package org.alder.server.access;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.alder.partition.filter.Truth;

/**
 * What rules say of some rights, compiled to a tree of decisions: each node asks an entry whether one rule means it, and each leaf is
 * the answer of the rules that do. Only what can still change the answer is asked. Thread safe.
 *
 * @param <A> the answers; the same rules have the same object
 */
final class RuleTree<A> {
    /** But for entries that many filters mean in many ways, there are few. */
    private static final int MOST_NODES = 4000;
    private static final int NODES_OF_RULE = 4;
    private static final int MOST_WAYS = 32;

    private final List<AccessRule> rules;
    private final Set<Right> rights;
    private final Function<List<AccessRule>, A> answering;
    private final Map<List<AccessRule>, A> answers = new HashMap<>();
    private final int mostNodes;
    private int nodes;
    private volatile Node<A> root;

    /**
     * Asks about one rule, or knows the answer.
     *
     * <p>Its children are made when somebody gets there.
     */
    private static final class Node<A> {
        /** Null at a leaf. */
        private final AccessRule asked;
        private final int next;
        private final List<AccessRule> matched;
        /** Null but at a leaf. */
        private final A answer;
        private volatile Node<A> yes;
        private volatile Node<A> no;

        Node(AccessRule asked, int next, List<AccessRule> matched, A answer) {
            this.asked = asked;
            this.next = next;
            this.matched = matched;
            this.answer = answer;
        }
    }

    /**
     * @param rules in their order
     * @param rights which of them are asked for
     * @param answering what follows if an entry is meant by these rules, of those that say anything of the rights
     */
    RuleTree(List<AccessRule> rules, Set<Right> rights, Function<List<AccessRule>, A> answering) {
        this.rules = rules;
        this.rights = rights;
        this.answering = answering;
        this.mostNodes = Math.max(MOST_NODES, NODES_OF_RULE * rules.size());
        this.root = node(List.of(), 0);
    }

    /** The node at which all rules before one are decided about. */
    private synchronized Node<A> node(List<AccessRule> matched, int first) {
        List<AccessRule> now = new ArrayList<>(matched);
        for (int i = first; i < rules.size(); i++) {
            AccessRule rule = rules.get(i);
            if (matters(rule, now) && isPossible(rule, now)) {
                if (rule.place() != null || rule.filter() != null || !rule.subject().equals(Subject.ANYONE)) {
                    nodes++;
                    return new Node<>(rule, i + 1, List.copyOf(now), null);
                }
                now.add(rule);
            }
        }
        nodes++;
        return new Node<>(null, rules.size(), List.of(), answers.computeIfAbsent(List.copyOf(now), answering));
    }

    private Node<A> child(Node<A> parent, boolean meant) {
        Node<A> known = meant ? parent.yes : parent.no;
        if (known != null) {
            return known;
        }
        List<AccessRule> now = new ArrayList<>(parent.matched);
        if (meant) {
            now.add(parent.asked);
        }
        Node<A> made = node(now, parent.next);
        if (meant) {
            parent.yes = made;
        } else {
            parent.no = made;
        }
        return made;
    }

    /** Whether the rule can say anything that those before it have not. */
    private boolean matters(AccessRule rule, List<AccessRule> before) {
        for (Right right : rights) {
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

    /** The answer where these rules mean an entry, and no others do that say anything of the rights. */
    synchronized A answer(List<AccessRule> meant) {
        List<AccessRule> told = new ArrayList<>(meant.size());
        for (AccessRule rule : meant) {
            if (matters(rule, told)) {
                told.add(rule);
            }
        }
        return answers.computeIfAbsent(List.copyOf(told), answering);
    }

    /** @return null if only the entry's name is known, and the answer depends on what is in it */
    A of(Asker who, EntryName name) {
        Node<A> node = root;
        while (node.answer == null) {
            Boolean meant = isMeant(node.asked, node.next - 1, who, name);
            if (meant == null) {
                return null;
            }
            node = child(node, meant);
        }
        if (nodes > mostNodes) {
            forget();
        }
        return node.answer;
    }

    /** Whether the answer passes the test whatever is in an entry of this name; null if that depends on it. */
    Boolean always(Predicate<A> test, Asker who, EntryName name) {
        return always(test, root, who, name, new int[] {MOST_WAYS});
    }

    /** @param left how many rules may still be taken both ways */
    private Boolean always(Predicate<A> test, Node<A> from, Asker who, EntryName name, int[] left) {
        Node<A> node = from;
        while (node.answer == null) {
            Boolean meant = isMeant(node.asked, node.next - 1, who, name);
            if (meant == null) {
                Boolean yes = --left[0] < 0 ? null : always(test, child(node, true), who, name, left);
                return yes != null && yes.equals(always(test, child(node, false), who, name, left)) ? yes : null;
            }
            node = child(node, meant);
        }
        return test.test(node.answer);
    }

    /** There are more kinds of entries than are worth remembering. */
    private synchronized void forget() {
        if (nodes > mostNodes) {
            nodes = 0;
            answers.clear();
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
}
