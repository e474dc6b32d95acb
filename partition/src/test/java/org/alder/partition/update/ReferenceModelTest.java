package org.alder.partition.update;

import static org.junit.Assert.assertEquals;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.EntryAccess;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.request.Modification;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.rule.ReferenceRule;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.junit.After;
import org.junit.Before;
import org.junit.Test;

/**
 * Random adds, deletes, renames, moves and changes of groups, against a model in which references are references: whatever
 * happens to an entry, who named it names it under its new name, and memberOf says so from the other side.
 */
public class ReferenceModelTest {
    private static final Schema SCHEMA = TextDirectory.SCHEMA;
    private static final String SUFFIX = "dc=example,dc=com";
    private static final int STEPS = 400;
    private static final int MOST_ENTRIES = 40;
    /** So small that groups move out of their records and back. */
    private static final int LARGE_ATTRIBUTE_THRESHOLD = 4;

    private final long seed = Seed.of(ReferenceModelTest.class);
    private final Random random = new Random(seed);
    private final Node root = new Node(null, SUFFIX);
    private final List<Node> nodes = new ArrayList<>(List.of(root));
    private Partition partition;
    private Updates updates;
    private int names;

    /** An entry of the model. */
    private static final class Node {
        private final Set<Node> members = new LinkedHashSet<>();
        private Node parent;
        private String rdn;

        Node(Node parent, String rdn) {
            this.parent = parent;
            this.rdn = rdn;
        }

        String dn() {
            return parent == null ? rdn : rdn + "," + parent.dn();
        }

        boolean isBelow(Node other) {
            return this == other || parent != null && parent.isBelow(other);
        }
    }

    @Before
    public void open() {
        List<IndexDefinition> indexes = List.of(new IndexDefinition(SCHEMA.attributeType("member"),
                Set.of(IndexKind.EQUALITY, IndexKind.PRESENCE), 20));
        EntryRules rules = EntryRules.standard(SCHEMA)
                .withReferences(new ReferenceRule(List.of(SCHEMA.attributeType("member")), "", false));
        partition = new Partition(SCHEMA, TextDirectory.dn(SUFFIX), indexes,
                new MemoryStore(new AttributeIndexer(SCHEMA, indexes, LARGE_ATTRIBUTE_THRESHOLD)), rules, Set.of());
        updates = new Updates(partition);
        add(root);
    }

    @After
    public void close() {
        partition.close();
    }

    private void add(Node node) {
        List<Attribute> attributes = new ArrayList<>(List.of(attribute("objectClass", "device", "extensibleObject"),
                attribute("cn", "x")));
        if (!node.members.isEmpty()) {
            attributes.add(attribute("member", node.members.stream().map(Node::dn).toArray(String[]::new)));
        }
        updates.add(TextDirectory.dn(node.dn()), attributes, TextDirectory.ORIGIN).join();
    }

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Stream.of(values).map(TextDirectory::utf8).toList());
    }

    @Test
    public void referencesFollowTheirEntries() throws DirectoryException {
        for (int step = 0; step < STEPS; step++) {
            change();
            check("seed " + seed + ", step " + step);
        }
    }

    private void change() throws DirectoryException {
        Node node = nodes.get(random.nextInt(nodes.size()));
        int kind = random.nextInt(10);
        if (nodes.size() < 3 || kind < 3 && nodes.size() < MOST_ENTRIES) {
            Node added = new Node(node, "cn=Entry " + names++);
            added.members.addAll(some());
            nodes.add(added);
            add(added);
        } else if (kind < 6) {
            changeMembers(node);
        } else if (node != root && kind < 8) {
            rename(node);
        } else if (node != root && nodes.stream().noneMatch(other -> other.parent == node)) {
            updates.delete(TextDirectory.dn(node.dn()), TextDirectory.ORIGIN).join();
            nodes.remove(node);
            nodes.forEach(other -> other.members.remove(node));
        }
    }

    private Set<Node> some() {
        return Stream.generate(() -> nodes.get(random.nextInt(nodes.size()))).limit(random.nextInt(8))
                .collect(Collectors.toSet());
    }

    private void changeMembers(Node node) {
        Set<Node> members = some();
        node.members.clear();
        node.members.addAll(members);
        updates.modify(TextDirectory.dn(node.dn()), List.of(new Modification(Modification.Kind.REPLACE, "member",
                members.stream().map(member -> TextDirectory.utf8(member.dn())).toList())), TextDirectory.ORIGIN).join();
    }

    private void rename(Node node) throws DirectoryException {
        Node superior = nodes.get(random.nextInt(nodes.size()));
        if (superior.isBelow(node)) {
            return;
        }
        String rdn = random.nextBoolean() ? node.rdn : "cn=Entry " + names++;
        updates.rename(TextDirectory.dn(node.dn()), Rdn.parse(SCHEMA, rdn), true, TextDirectory.dn(superior.dn()),
                TextDirectory.ORIGIN).join();
        node.rdn = rdn;
        node.parent = superior;
    }

    private void check(String when) {
        Map<String, Set<String>> members = new LinkedHashMap<>();
        Map<String, Set<String>> memberOf = new LinkedHashMap<>();
        for (Node node : nodes) {
            members.put(node.dn(), names(node.members.stream()));
            memberOf.put(node.dn(), names(nodes.stream().filter(group -> group.members.contains(node))));
        }
        Map<String, Set<String>> foundMembers = new LinkedHashMap<>();
        Map<String, Set<String>> foundMemberOf = new LinkedHashMap<>();
        try (Snapshot snapshot = partition.snapshot()) {
            for (Node node : nodes) {
                EntryView entry = partition.read(snapshot, TextDirectory.dn(node.dn()));
                EntryRecord whole = new LargeValues(snapshot, entry.id()).whole(entry.record());
                foundMembers.put(node.dn(), values(whole.userAttributes(), "member"));
                foundMemberOf.put(node.dn(), values(partition.virtualAttributes(snapshot).of(snapshot, entry, type -> true, EntryAccess.ALL,
                        bytes -> { }), "memberOf"));
            }
        }
        assertEquals(when, members, foundMembers);
        assertEquals(when, memberOf, foundMemberOf);
    }

    private static Set<String> names(Stream<Node> nodes) {
        return nodes.map(Node::dn).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> values(List<Attribute> attributes, String description) {
        return attributes.stream().filter(attribute -> attribute.description().equals(description))
                .flatMap(attribute -> attribute.values().stream()).map(value -> new String(value, StandardCharsets.UTF_8))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
