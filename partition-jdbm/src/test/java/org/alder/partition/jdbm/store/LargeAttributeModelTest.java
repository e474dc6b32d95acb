package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.check.CheckProgress;
import org.alder.partition.check.Checker;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.Filter;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.settings.Durability;
import org.alder.partition.jdbm.settings.StoreSettings;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaEdit;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.schema.definition.DefinitionKind;
import org.alder.partition.store.LargeValues;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.Seed;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.Updates;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/**
 * Random schemas, some of whose types are added while the store is open, and entries whose attributes grow large and small again
 * and hand their values to each other: on this engine, with renames, flushes and restarts in between, against a plain oracle.
 * {@code -Dalder.test.seed} repeats a run, {@code -Dalder.test.rounds} makes it longer.
 */
public class LargeAttributeModelTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final int THRESHOLD = 4;
    private static final int STEPS_PER_SCHEMA = 120;
    private static final int MOST_TYPES = 9;
    private static final int WORDS = 12;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private final long seed = Seed.of(LargeAttributeModelTest.class);
    private final Random random = new Random(seed);
    /** Types by name, with their supertypes. */
    private final Map<String, Type> types = new LinkedHashMap<>();
    /** Entries by RDN value: attribute to values as they are spelt. */
    private final Map<String, Map<String, Set<String>>> entries = new TreeMap<>();
    private Path file;
    private Path online;
    private Path data;
    private Schema schema;
    private List<String> indexed;
    private List<IndexDefinition> definitions;
    private JdbmStore store;
    private Partition partition;
    private Updates updates;
    private int names;
    private int largeSeen;

    /** @param ignoresCase by its own rule or that of its supertype */
    private record Type(String name, Type superior, boolean ignoresCase, int number) {
        String definition() {
            String rule = superior != null && superior.ignoresCase == ignoresCase ? ""
                    : " EQUALITY " + (ignoresCase ? "caseIgnoreMatch" : "caseExactMatch");
            return "( 1.2.3.4." + number + " NAME '" + name + "'" + (superior == null ? "" : " SUP " + superior.name) + rule
                    + (superior == null ? " SYNTAX 1.3.6.1.4.1.1466.115.121.1.15" : "") + " )";
        }

        boolean isBelow(Type other) {
            return this == other || superior != null && superior.isBelow(other);
        }

        String form(String value) {
            return ignoresCase ? value.toLowerCase(Locale.ROOT) : value;
        }
    }

    @Before
    public void forget() {
        types.clear();
        entries.clear();
    }

    @After
    public void close() {
        if (store != null) {
            store.close();
        }
    }

    @Test
    public void searchesAndEntriesAreThoseOfThePlainOracle() throws Exception {
        try {
            for (int round = Integer.getInteger("alder.test.rounds", 6); round > 0; round--) {
                forget();
                begin();
                for (int step = 0; step < STEPS_PER_SCHEMA; step++) {
                    step();
                }
                verify(true);
                store.close();
            }
        } catch (Exception | AssertionError e) {
            throw new AssertionError("seed " + seed + ": " + e, e);
        }
        assertTrue("seed " + seed + ", large attributes seen " + largeSeen, largeSeen > 50);
        System.out.println("LargeAttributeModelTest seed " + seed + ": large attributes seen " + largeSeen);
    }

    private void begin() throws IOException, DirectoryException {
        Path folder = temporary.newFolder().toPath();
        file = folder.resolve("types.ldif");
        online = folder.resolve("schema.ldif");
        data = folder.resolve("data");
        List<String> lines = new ArrayList<>(List.of("dn: cn=schema"));
        for (int i = 0; i < 4; i++) {
            lines.add("attributeTypes: " + newType().definition());
        }
        Files.write(file, lines);
        indexed = types.keySet().stream().filter(name -> random.nextInt(4) > 0).toList();
        open();
        updates.add(dn(SUFFIX), List.of(attribute("objectClass", Set.of("domain")), attribute("dc", Set.of("example"))),
                TextDirectory.ORIGIN).join();
    }

    private Type newType() {
        List<Type> all = List.copyOf(types.values());
        Type superior = all.isEmpty() || random.nextInt(3) == 0 ? null : all.get(random.nextInt(all.size()));
        boolean ignoresCase = superior != null && random.nextInt(3) > 0 ? superior.ignoresCase : random.nextBoolean();
        Type type = new Type("model" + types.size(), superior, ignoresCase, types.size());
        types.put(type.name, type);
        return type;
    }

    private void open() throws DirectoryException {
        schema = Schema.load(List.of(file), online);
        definitions = indexed.stream().map(name -> new IndexDefinition(schema.attributeType(name),
                Set.of(IndexKind.EQUALITY, IndexKind.PRESENCE), 5)).toList();
        store = JdbmStore.open(data, StoreSettings.defaults().withDurability(Durability.NONE, 100),
                new AttributeIndexer(schema, definitions, THRESHOLD));
        partition = new Partition(schema, dn(SUFFIX), definitions, store);
        updates = new Updates(partition);
    }

    private Dn dn(String text) throws DirectoryException {
        return Dn.parse(schema, text);
    }

    private Dn entry(String name) throws DirectoryException {
        return dn("cn=" + name + "," + SUFFIX);
    }

    private static Attribute attribute(String description, Set<String> values) {
        return new Attribute(description, bytes(values));
    }

    private static List<byte[]> bytes(Set<String> values) {
        return values.stream().map(TextDirectory::utf8).toList();
    }

    private void step() throws Exception {
        int kind = random.nextInt(20);
        if (entries.size() < 3 || kind == 0) {
            add();
        } else if (kind == 1) {
            delete(any(entries.keySet()));
        } else if (kind < 4) {
            rename(any(entries.keySet()));
        } else if (kind == 4 && types.size() < MOST_TYPES) {
            addTypeOnline();
        } else if (kind == 5) {
            restart();
        } else if (kind == 6) {
            store.compact();
        } else {
            modify(any(entries.keySet()));
        }
        verify(random.nextInt(8) == 0);
    }

    private <T> T any(Iterable<T> from) {
        List<T> all = new ArrayList<>();
        from.forEach(all::add);
        return all.get(random.nextInt(all.size()));
    }

    /** Words that no two are equal of by the type's rule. */
    private Set<String> values(Type type, int most) {
        Map<String, String> byForm = new LinkedHashMap<>();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            String word = (random.nextBoolean() ? "Word " : "word ") + random.nextInt(WORDS);
            byForm.putIfAbsent(type.form(word), word);
        }
        return new LinkedHashSet<>(byForm.values());
    }

    private void add() throws DirectoryException {
        String name = "e" + names++;
        Map<String, Set<String>> attributes = new TreeMap<>();
        for (Type type : types.values()) {
            Set<String> values = random.nextBoolean() ? values(type, 2 * THRESHOLD) : Set.of();
            if (!values.isEmpty()) {
                attributes.put(type.name, new LinkedHashSet<>(values));
            }
        }
        List<Attribute> wanted = new ArrayList<>(List.of(new Attribute("objectClass",
                List.of(TextDirectory.utf8("device"), TextDirectory.utf8("extensibleObject"))), attribute("cn", Set.of(name))));
        attributes.forEach((type, values) -> wanted.add(attribute(type, values)));
        updates.add(entry(name), wanted, TextDirectory.ORIGIN).join();
        entries.put(name, attributes);
    }

    private void delete(String name) throws DirectoryException {
        updates.delete(entry(name), TextDirectory.ORIGIN).join();
        entries.remove(name);
    }

    private void rename(String name) throws DirectoryException {
        String renamed = "e" + names++;
        updates.rename(entry(name), Rdn.parse(schema, "cn=" + renamed), true, null, TextDirectory.ORIGIN).join();
        entries.put(renamed, entries.remove(name));
    }

    /** Up to three changes in one request, each of which the oracle says is right. */
    private void modify(String name) throws DirectoryException {
        Map<String, Set<String>> attributes = new TreeMap<>();
        entries.get(name).forEach((type, values) -> attributes.put(type, new LinkedHashSet<>(values)));
        List<Modification> changes = new ArrayList<>();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Type type = any(types.values());
            Set<String> there = attributes.getOrDefault(type.name, Set.of());
            int kind = random.nextInt(5);
            if (kind == 0) {
                change(Modification.Kind.REPLACE, type, values(type, 2 * THRESHOLD), attributes, changes);
            } else if (kind == 1 && !there.isEmpty()) {
                move(type, any(types.values()), attributes, changes);
            } else if (kind == 2 && !there.isEmpty()) {
                Set<String> some = there.stream().filter(value -> random.nextBoolean()).collect(Collectors.toSet());
                change(Modification.Kind.DELETE, type, some.isEmpty() ? Set.copyOf(there) : some, attributes, changes);
            } else {
                Set<String> forms = there.stream().map(type::form).collect(Collectors.toSet());
                Set<String> more = values(type, 2 * THRESHOLD);
                more.removeIf(value -> forms.contains(type.form(value)));
                change(Modification.Kind.ADD, type, more, attributes, changes);
            }
        }
        if (!changes.isEmpty()) {
            updates.modify(entry(name), changes, TextDirectory.ORIGIN).join();
            entries.put(name, attributes);
        }
    }

    /** The values of one attribute become those of another one. */
    private void move(Type from, Type to, Map<String, Set<String>> attributes, List<Modification> changes) {
        if (from != to) {
            Map<String, String> byForm = new LinkedHashMap<>();
            attributes.get(from.name).forEach(value -> byForm.putIfAbsent(to.form(value), value));
            change(Modification.Kind.REPLACE, from, Set.of(), attributes, changes);
            change(Modification.Kind.REPLACE, to, new LinkedHashSet<>(byForm.values()), attributes, changes);
        }
    }

    private static void change(Modification.Kind kind, Type type, Set<String> values, Map<String, Set<String>> attributes,
            List<Modification> changes) {
        if (values.isEmpty() && kind != Modification.Kind.REPLACE) {
            return;
        }
        changes.add(new Modification(kind, type.name, bytes(values)));
        Set<String> result = attributes.computeIfAbsent(type.name, none -> new LinkedHashSet<>());
        switch (kind) {
            case ADD -> result.addAll(values);
            case DELETE -> result.removeAll(values);
            default -> {
                result.clear();
                result.addAll(values);
            }
        }
        if (result.isEmpty()) {
            attributes.remove(type.name);
        }
    }

    private void addTypeOnline() throws Exception {
        SchemaEdit edit = schema.edit();
        edit.add(DefinitionKind.ATTRIBUTE_TYPE, newType().definition());
        SchemaRevision revision = edit.revise();
        Files.write(online, revision.onlineFile());
        revision.adopt();
    }

    private void restart() throws DirectoryException {
        if (random.nextBoolean()) {
            store.flush();
        }
        store.close();
        open();
    }

    private void verify(boolean thoroughly) throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot()) {
            Map<String, Long> ids = new TreeMap<>();
            for (Map.Entry<String, Map<String, Set<String>>> expected : entries.entrySet()) {
                EntryView view = partition.read(snapshot, entry(expected.getKey()));
                ids.put(expected.getKey(), view.id());
                largeSeen += view.record().largeAttributes().size();
                assertEquals(expected.getKey(), sorted(expected.getValue()),
                        modelAttributes(new LargeValues(snapshot, view.id()).whole(view.record())));
            }
            for (Type type : types.values()) {
                assertEquals("(" + type.name + "=*)", ids(ids, type, value -> true),
                        search(snapshot, new Filter.Present(type.name)));
                for (int word = 0; word < WORDS; word++) {
                    String asked = "Word " + word;
                    assertEquals("(" + type.name + "=" + asked + ")",
                            ids(ids, type, value -> type.form(value).equals(type.form(asked))),
                            search(snapshot, new Filter.Equality(type.name, TextDirectory.utf8(asked))));
                }
            }
            if (thoroughly) {
                assertEquals(List.of(), new Checker(schema, partition.suffix(),
                        new AttributeIndexer(schema, definitions, THRESHOLD)).check(snapshot, CheckProgress.NONE).problems());
            }
        }
    }

    private static Map<String, Set<String>> sorted(Map<String, Set<String>> attributes) {
        Map<String, Set<String>> sorted = new TreeMap<>();
        attributes.forEach((type, values) -> sorted.put(type, new TreeSet<>(values)));
        return sorted;
    }

    private static Map<String, Set<String>> modelAttributes(EntryRecord record) {
        Map<String, Set<String>> found = new TreeMap<>();
        for (Attribute attribute : record.userAttributes()) {
            if (attribute.description().startsWith("model")) {
                found.put(attribute.description(), attribute.values().stream()
                        .map(value -> new String(value, StandardCharsets.UTF_8)).collect(Collectors.toCollection(TreeSet::new)));
            }
        }
        return found;
    }

    private Set<Long> ids(Map<String, Long> idsByName, Type asked, Predicate<String> test) {
        return entries.entrySet().stream().filter(entry -> valuesOf(entry.getValue(), asked).anyMatch(test))
                .map(entry -> idsByName.get(entry.getKey())).collect(Collectors.toCollection(TreeSet::new));
    }

    private Stream<String> valuesOf(Map<String, Set<String>> attributes, Type asked) {
        return attributes.entrySet().stream().filter(attribute -> types.get(attribute.getKey()).isBelow(asked))
                .flatMap(attribute -> attribute.getValue().stream());
    }

    private Set<Long> search(Snapshot snapshot, Filter filter) throws DirectoryException {
        Set<Long> found = new TreeSet<>();
        try (SearchCursor cursor = partition.search(snapshot,
                new SearchQuery(partition.suffix(), SearchScope.SUBTREE, filter, 0, 0))) {
            while (cursor.step(1000) == SearchCursor.Step.MATCH) {
                found.add(cursor.id());
            }
        }
        return found;
    }
}
