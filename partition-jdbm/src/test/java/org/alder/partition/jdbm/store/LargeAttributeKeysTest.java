package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.check.CheckProgress;
import org.alder.partition.check.Checker;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.query.SearchScope;
import org.alder.partition.schema.DefinitionKind;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaEdit;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.store.Snapshot;
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.update.Modification;
import org.alder.partition.update.Updates;
import org.junit.After;
import org.junit.Before;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

/** The index keys of large attributes stay right whatever happens to the attributes beside them, and to the schema. */
public class LargeAttributeKeysTest {
    private static final String SUFFIX = "dc=example,dc=com";
    private static final String GROUP = "cn=group," + SUFFIX;
    private static final int MANY = AttributeIndexer.DEFAULT_LARGE_ATTRIBUTE_THRESHOLD + 1;

    @Rule
    public final TemporaryFolder temporary = new TemporaryFolder();

    private Schema schema;
    private List<IndexDefinition> definitions;
    private JdbmStore store;
    private Partition partition;
    private Updates updates;

    @Before
    public void open() throws DirectoryException {
        Path online = temporary.getRoot().toPath().resolve("schema.ldif");
        schema = Schema.load(List.of(), online);
        definitions = Stream.of("member", "seeAlso", "roleOccupant").map(name -> new IndexDefinition(schema.attributeType(name),
                Set.of(IndexKind.EQUALITY, IndexKind.PRESENCE), 1000)).toList();
        store = JdbmStore.open(temporary.getRoot().toPath().resolve("data"), StoreSettings.defaults(),
                new AttributeIndexer(schema, definitions));
        partition = new Partition(schema, dn(SUFFIX), definitions, store);
        updates = new Updates(partition);
        if (partition.read(partition.snapshot(), dn(SUFFIX)) == null) {
            add(SUFFIX, attribute("objectClass", "domain"), attribute("dc", "example"));
        }
    }

    @After
    public void close() {
        store.close();
    }

    private Dn dn(String text) throws DirectoryException {
        return Dn.parse(schema, text);
    }

    private void add(String dn, Attribute... attributes) throws DirectoryException {
        updates.add(dn(dn), List.of(attributes), TextDirectory.ORIGIN).join();
    }

    /** An entry that may have anything. */
    private void addGroup(Attribute... attributes) throws DirectoryException {
        List<Attribute> all = new ArrayList<>(List.of(attributes));
        all.add(attribute("objectClass", "device", "extensibleObject"));
        add(GROUP, all.toArray(Attribute[]::new));
    }

    private static Attribute attribute(String description, String... values) {
        return new Attribute(description, Stream.of(values).map(TextDirectory::utf8).toList());
    }

    private static String[] people(int from, int to) {
        return IntStream.range(from, to).mapToObj(LargeAttributeKeysTest::person).toArray(String[]::new);
    }

    private static String person(int number) {
        return "cn=Person " + number + "," + SUFFIX;
    }

    private static Modification change(Modification.Kind kind, String description, String... values) {
        return new Modification(kind, description, Stream.of(values).map(TextDirectory::utf8).toList());
    }

    private void modify(Modification... changes) throws DirectoryException {
        updates.modify(dn(GROUP), List.of(changes), TextDirectory.ORIGIN).join();
    }

    private long found(String filter) throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot(); SearchCursor cursor = partition.search(snapshot,
                new SearchQuery(partition.suffix(), SearchScope.SUBTREE, FilterParser.parse(filter), 0, 0))) {
            long count = 0;
            while (cursor.step(1000) == SearchCursor.Step.MATCH) {
                count++;
            }
            return count;
        }
    }

    private EntryRecord group() throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot()) {
            return partition.read(snapshot, dn(GROUP)).record();
        }
    }

    private void assertClean() {
        try (Snapshot snapshot = partition.snapshot()) {
            assertEquals(List.of(), new Checker(schema, partition.suffix(), new AttributeIndexer(schema, definitions))
                    .check(snapshot, CheckProgress.NONE).problems());
        }
    }

    private void editSchema(boolean replace, String attributeType) throws Exception {
        SchemaEdit edit = schema.edit();
        if (replace) {
            edit.remove(DefinitionKind.ATTRIBUTE_TYPE, attributeType);
        }
        edit.add(DefinitionKind.ATTRIBUTE_TYPE, attributeType);
        SchemaRevision revision = edit.revise();
        Files.write(temporary.getRoot().toPath().resolve("schema.ldif"), revision.onlineFile());
        revision.adopt();
    }

    @Test
    public void valuesThatMoveToAnotherLargeAttributeAreFoundThereOnly() throws DirectoryException {
        addGroup(attribute("seeAlso", people(0, MANY)));
        modify(change(Modification.Kind.DELETE, "seeAlso"), change(Modification.Kind.ADD, "roleOccupant", people(0, MANY)));
        assertNotNull(group().largeAttribute("roleOccupant"));
        assertEquals(1, found("(roleOccupant=" + person(7) + ")"));
        assertEquals(0, found("(seeAlso=" + person(7) + ")"));
        assertClean();
    }

    @Test
    public void twoLargeAttributesThatSwapTheirValuesAreFoundAsTheyAre() throws DirectoryException {
        addGroup(attribute("seeAlso", people(0, MANY)), attribute("roleOccupant", people(MANY, 2 * MANY)));
        modify(change(Modification.Kind.REPLACE, "seeAlso", people(MANY, 2 * MANY)),
                change(Modification.Kind.REPLACE, "roleOccupant", people(0, MANY)));
        assertEquals(1, found("(&(roleOccupant=" + person(7) + ")(seeAlso=" + person(MANY + 7) + "))"));
        assertEquals(0, found("(|(seeAlso=" + person(7) + ")(roleOccupant=" + person(MANY + 7) + "))"));
        assertClean();
    }

    @Test
    public void aSubtypeAddedWhileTheServerRunsTakesNoKeyOfALargeAttributeAway() throws Exception {
        addGroup(attribute("member", people(0, MANY)));
        assertNotNull(group().largeAttribute("member"));
        editSchema(false, "( 1.2.3.1 NAME 'acmeMember' SUP member )");
        modify(change(Modification.Kind.ADD, "acmeMember", person(7)));
        modify(change(Modification.Kind.DELETE, "acmeMember", person(7)));
        assertEquals(1, found("(member=" + person(7) + ")"));
        assertNotNull(group().largeAttribute("member"));
        assertClean();
    }

    @Test
    public void aLargeAttributeIsInTheRecordBesideASubtypeOfIts() throws Exception {
        addGroup(attribute("member", people(0, MANY)));
        editSchema(false, "( 1.2.3.1 NAME 'acmeMember' SUP member )");
        modify(change(Modification.Kind.ADD, "acmeMember", person(7), person(MANY)));
        assertNull(group().largeAttribute("member"));
        modify(change(Modification.Kind.DELETE, "member", person(7)));
        assertEquals(1, found("(member=" + person(7) + ")"));
        assertEquals(1, found("(member=" + person(MANY) + ")"));
        close();
        open();
        assertEquals(1, found("(member=" + person(7) + ")"));
        assertClean();
    }

    @Test
    public void aTypePutBelowAnIndexedOneWhileTheServerRunsIsInItsIndex() throws Exception {
        editSchema(false, "( 1.2.3.1 NAME 'acmeMember' EQUALITY distinguishedNameMatch SYNTAX 1.3.6.1.4.1.1466.115.121.1.12 )");
        addGroup(attribute("acmeMember", person(1)));
        assertEquals(0, found("(member=" + person(1) + ")"));
        modify(change(Modification.Kind.DELETE, "acmeMember"));
        editSchema(true, "( 1.2.3.1 NAME 'acmeMember' SUP member )");
        modify(change(Modification.Kind.ADD, "acmeMember", person(2)));
        assertEquals(1, found("(member=" + person(2) + ")"));
        assertClean();
    }
}
