package org.alder.partition.jdbm.store;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
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
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
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
import org.alder.partition.testing.TextDirectory;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.Updates;

/** A directory on this engine whose schema has a file, and definitions that are added while it is open; it can be opened again. */
final class SchemaDirectory implements AutoCloseable {
    static final String SUFFIX = "dc=example,dc=com";

    private final Path folder;
    private final List<String> indexed;
    private final int threshold;
    private Schema schema;
    private List<IndexDefinition> definitions;
    private JdbmStore store;
    private Partition partition;
    private Updates updates;

    /** @param indexed with equality and presence */
    SchemaDirectory(Path folder, int threshold, String... indexed) {
        this.folder = folder;
        this.threshold = threshold;
        this.indexed = List.of(indexed);
    }

    Path data() {
        return folder.resolve("data");
    }

    JdbmStore store() {
        return store;
    }

    Partition partition() {
        return partition;
    }

    Schema schema() {
        return schema;
    }

    /** @param fileTypes the definitions of the attribute types in the schema file */
    SchemaDirectory open(String... fileTypes) throws DirectoryException, IOException {
        Path file = folder.resolve("types.ldif");
        Files.write(file, Stream.concat(Stream.of("dn: cn=schema"), Stream.of(fileTypes).map(type -> "attributeTypes: " + type))
                .toList());
        schema = Schema.load(List.of(file), folder.resolve("schema.ldif"));
        definitions = indexed.stream().map(name -> new IndexDefinition(schema.attributeType(name),
                Set.of(IndexKind.EQUALITY, IndexKind.PRESENCE), 1000)).toList();
        store = JdbmStore.open(data(), StoreSettings.defaults(), indexer());
        partition = new Partition(schema, dn(SUFFIX), definitions, store);
        updates = new Updates(partition);
        if (store.status().entries() == 0) {
            add(SUFFIX, attribute("objectClass", "domain"), attribute("dc", "example"));
        }
        return this;
    }

    AttributeIndexer indexer() {
        return new AttributeIndexer(schema, definitions, threshold);
    }

    SchemaDirectory reopen(String... fileTypes) throws DirectoryException, IOException {
        close();
        return open(fileTypes);
    }

    @Override
    public void close() {
        store.close();
    }

    Dn dn(String text) throws DirectoryException {
        return Dn.parse(schema, text);
    }

    void add(String dn, Attribute... attributes) throws DirectoryException {
        updates.add(dn(dn), List.of(attributes), TextDirectory.ORIGIN).join();
    }

    /** An entry that may have anything. */
    void addAnything(String dn, Attribute... attributes) throws DirectoryException {
        List<Attribute> all = new ArrayList<>(List.of(attributes));
        all.add(attribute("objectClass", "device", "extensibleObject"));
        add(dn, all.toArray(Attribute[]::new));
    }

    void modify(String dn, Modification... changes) throws DirectoryException {
        updates.modify(dn(dn), List.of(changes), TextDirectory.ORIGIN).join();
    }

    void rename(String dn, String rdn) throws DirectoryException {
        updates.rename(dn(dn), Rdn.parse(schema, rdn), true, null, TextDirectory.ORIGIN).join();
    }

    static Attribute attribute(String description, String... values) {
        return new Attribute(description, Stream.of(values).map(TextDirectory::utf8).toList());
    }

    static Modification change(Modification.Kind kind, String description, String... values) {
        return new Modification(kind, description, Stream.of(values).map(TextDirectory::utf8).toList());
    }

    static String[] people(int from, int to) {
        return IntStream.range(from, to).mapToObj(SchemaDirectory::person).toArray(String[]::new);
    }

    static String person(int number) {
        return "cn=Person " + number + "," + SUFFIX;
    }

    long found(String filter) throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot(); SearchCursor cursor = partition.search(snapshot,
                new SearchQuery(partition.suffix(), SearchScope.SUBTREE, FilterParser.parse(filter), 0, 0))) {
            long count = 0;
            while (cursor.step(1000) == SearchCursor.Step.MATCH) {
                count++;
            }
            return count;
        }
    }

    /** As it is stored; null if there is no such entry. */
    EntryRecord record(String dn) throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot()) {
            EntryView view = partition.read(snapshot, dn(dn));
            return view == null ? null : view.record();
        }
    }

    /** With all values in it. */
    EntryRecord whole(String dn) throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot()) {
            EntryView view = partition.read(snapshot, dn(dn));
            return new LargeValues(snapshot, view.id()).whole(view.record());
        }
    }

    void assertClean() {
        try (Snapshot snapshot = partition.snapshot()) {
            assertEquals(List.of(), new Checker(schema, partition.suffix(), indexer()).check(snapshot, CheckProgress.NONE)
                    .problems());
        }
    }

    /** Changes the schema as a server does that runs. */
    void defineOnline(String removedType, String addedType) throws DirectoryException, IOException {
        SchemaEdit edit = schema.edit();
        if (removedType != null) {
            edit.remove(DefinitionKind.ATTRIBUTE_TYPE, removedType);
        }
        if (addedType != null) {
            edit.add(DefinitionKind.ATTRIBUTE_TYPE, addedType);
        }
        SchemaRevision revision = edit.revise();
        store.flush();
        Files.write(folder.resolve("schema.ldif"), revision.onlineFile());
        revision.adopt();
        store.keepFingerprint();
    }
}
