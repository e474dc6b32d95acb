package org.alder.server.access;

import com.unboundid.ldap.sdk.LDAPConnection;
import com.unboundid.ldap.sdk.LDAPException;
import com.unboundid.ldap.sdk.Modification;
import com.unboundid.ldap.sdk.ModificationType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.alder.server.TestServer;

/** Random changes, made by an administrator and of a {@link RandomTree} alike. One thread. */
final class ChangingTree {
    /** How the DN of an entry begins that stays, and that changes which are told are known by. */
    static final String MARKER = "cn=marker,";

    /** What became of one entry, and the tree after it. @param before null if it is new  @param after null if it is gone */
    record Step(RandomTree.Node before, RandomTree.Node after, RandomTree tree) {
    }

    private final Random random;
    private final LDAPConnection admin;
    /** Neither it nor what is above it is renamed or deleted. */
    private final String kept;
    private RandomTree tree;
    private int made;

    ChangingTree(Random random, LDAPConnection admin, RandomTree tree, String kept) {
        this.random = random;
        this.admin = admin;
        this.tree = tree;
        this.kept = kept;
    }

    RandomTree tree() {
        return tree;
    }

    private <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** One more change of an entry, its place or its name. */
    Step step() throws LDAPException {
        RandomTree.Node node = pick(tree.nodes().stream().filter(each -> !each.dn().startsWith(MARKER)).toList());
        boolean fixed = ("," + kept).endsWith("," + node.dn());
        return switch (random.nextInt(8)) {
            case 0 -> add(node);
            case 1 -> fixed || !isLeaf(node) ? replaceText(node) : delete(node);
            case 2, 3 -> fixed ? replaceText(node) : rename(node);
            default -> replaceText(node);
        };
    }

    private boolean isLeaf(RandomTree.Node node) {
        return tree.nodes().stream().noneMatch(each -> each.parent().equals(node.dn()));
    }

    /** Of attributes that rules and filters ask for. */
    private Step replaceText(RandomTree.Node node) throws LDAPException {
        String type = node.dn().startsWith("uid=") ? pick(List.of("title", "l", "employeeType", "description", "sn")) : "description";
        return replace(node, type, random.nextInt(4) > 0 || type.equals("sn") ? List.of(RandomTree.word(random)) : List.of());
    }

    Step replace(RandomTree.Node node, String type, List<String> values) throws LDAPException {
        admin.modify(node.dn(), new Modification(ModificationType.REPLACE, type, values.toArray(String[]::new)));
        Map<String, List<String>> attributes = new LinkedHashMap<>(node.user());
        attributes.remove(type);
        if (!values.isEmpty()) {
            attributes.put(type, values);
        }
        RandomTree.Node after = new RandomTree.Node(node.dn(), attributes, node.operational());
        tree = new RandomTree(tree.nodes().stream().map(each -> each == node ? after : each).toList());
        return new Step(node, after, tree);
    }

    /** Takes somebody out of a group, or puts him into it. */
    Step toggle(RandomTree.Node group, String member) throws LDAPException {
        List<String> members = new ArrayList<>(group.values("member"));
        if (!members.remove(member)) {
            members.add(member);
        } else if (members.isEmpty()) {
            members.add(TestServer.SUFFIX);
        }
        return replace(group, "member", members);
    }

    private Step add(RandomTree.Node parent) throws LDAPException {
        String uid = "n" + ++made;
        RandomTree.Node added = RandomTree.person(random, uid, parent.dn(), tree.people().stream().map(RandomTree.Node::dn).toList());
        List<com.unboundid.ldap.sdk.Attribute> attributes = new ArrayList<>();
        added.user().forEach((name, values) -> attributes.add(new com.unboundid.ldap.sdk.Attribute(name, values)));
        admin.add(added.dn(), attributes);
        List<RandomTree.Node> nodes = new ArrayList<>(tree.nodes());
        nodes.add(added);
        tree = new RandomTree(List.copyOf(nodes));
        return new Step(null, added, tree);
    }

    private Step delete(RandomTree.Node node) throws LDAPException {
        admin.delete(node.dn());
        tree = new RandomTree(tree.nodes().stream().filter(each -> each != node).toList());
        return new Step(node, null, tree);
    }

    /** To another name, and half of the time to another place; all below goes with it. */
    private Step rename(RandomTree.Node node) throws LDAPException {
        RandomTree.Node superior = pick(tree.nodes());
        boolean moves = random.nextBoolean() && !superior.isBelow(node.dn());
        String type = node.dn().substring(0, node.dn().indexOf('='));
        String name = "r" + ++made;
        String parent = moves ? superior.dn() : node.parent();
        String dn = type + "=" + name + "," + parent;
        admin.modifyDN(node.dn(), type + "=" + name, true, moves ? parent : null);
        Map<String, List<String>> attributes = new LinkedHashMap<>(node.user());
        String old = node.dn().substring(type.length() + 1, node.dn().indexOf(','));
        List<String> names = new ArrayList<>(attributes.get(type));
        names.removeIf(old::equalsIgnoreCase);
        names.add(name);
        attributes.put(type, names);
        RandomTree.Node after = new RandomTree.Node(dn, attributes, node.operational());
        tree = tree.moved(node, after);
        return new Step(node, after, tree);
    }
}
