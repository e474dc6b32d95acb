package org.alder.partition.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.check.CheckProgress;
import org.alder.partition.check.CheckReport;
import org.alder.partition.check.Checker;
import org.alder.partition.dn.Dn;
import org.alder.partition.dn.Rdn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.Modification;
import org.alder.partition.request.SearchScope;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.EntryIndexer;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.tree.EntryView;
import org.alder.partition.update.UpdateOrigin;
import org.alder.partition.update.Updates;

/**
 * A small directory {@code dc=example,dc=com} on any engine, driven by text: attributes as LDIF lines, modifications as
 * {@code "add description: x"}. What an operation throws comes out as it is.
 */
public final class TextDirectory {
    public static final Schema SCHEMA = Schema.load(schemaFiles());
    public static final Instant TIME = Instant.parse("2026-11-21T07:43:00Z");
    public static final UpdateOrigin ORIGIN = new UpdateOrigin("cn=Directory Manager", TIME);

    /** Small, so that sets of a few hundred entries grow past it and shrink again. */
    private static final int DUPLICATE_THRESHOLD = 20;
    /** So small that random updates move attributes out of records and back. */
    private static final int LARGE_ATTRIBUTE_THRESHOLD = 4;
    /** Numbered from 2: index 0 is the hierarchy, 1 the value table. */
    public static final List<IndexDefinition> DEFINITIONS = List.of(
            index("objectClass", IndexKind.EQUALITY), index("cn", IndexKind.EQUALITY, IndexKind.SUBSTRING, IndexKind.PRESENCE),
            inline(index("sn", IndexKind.EQUALITY), "description", "title"), index("entryUUID", IndexKind.EQUALITY),
            index("modifyTimestamp", IndexKind.EQUALITY), index("employeeType", IndexKind.EQUALITY, IndexKind.PRESENCE));
    /** What the engine is to be opened with. */
    public static final EntryIndexer INDEXER = indexer(DEFINITIONS);

    private Partition partition;
    private Updates updates;

    /** On a {@link MemoryStore} that runs each transaction twice, as engines may. */
    public TextDirectory() {
        this(new MemoryStore(INDEXER, 2));
    }

    /** @param store an engine opened with {@link #INDEXER} */
    public TextDirectory(Store store) {
        reopen(store);
    }

    /** Goes on with the same data in another store object, after a restart of the engine. */
    public void reopen(Store store) {
        reopen(store, EntryRules.standard(SCHEMA));
    }

    /** The same under other rules. */
    public void reopen(Store store, EntryRules rules) {
        partition = new Partition(SCHEMA, dn("dc=example,dc=com"), DEFINITIONS, store, rules, Set.of());
        updates = new Updates(partition);
    }

    private static List<Path> schemaFiles() {
        Path folder = Path.of("..", "conf", "schema");
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(".ldif")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** For an engine that is to have other indexes. */
    public static AttributeIndexer indexer(List<IndexDefinition> definitions) {
        return new AttributeIndexer(SCHEMA, definitions, LARGE_ATTRIBUTE_THRESHOLD);
    }

    public static IndexDefinition index(String type, IndexKind... kinds) {
        return new IndexDefinition(SCHEMA.attributeType(type), Set.of(kinds), DUPLICATE_THRESHOLD);
    }

    private static IndexDefinition inline(IndexDefinition index, String... attributes) {
        return new IndexDefinition(index.type(), index.kinds(), index.duplicateThreshold(),
                Stream.of(attributes).map(SCHEMA::attributeType).toList());
    }

    public static Dn dn(String text) {
        try {
            return Dn.parse(SCHEMA, text);
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public Partition partition() {
        return partition;
    }

    /** The suffix entry. */
    public TextDirectory withSuffix() throws DirectoryException {
        add("dc=example,dc=com", "objectClass: top", "objectClass: domain", "dc: example");
        return this;
    }

    public EntryView add(String dn, String... lines) throws DirectoryException {
        return await(updates.add(dn(dn), attributes(lines), ORIGIN));
    }

    /** An inetOrgPerson with these lines beside objectClass and sn. */
    public EntryView addPerson(String dn, String... lines) throws DirectoryException {
        List<String> all = new ArrayList<>(List.of("objectClass: top", "objectClass: person", "objectClass: organizationalPerson",
                "objectClass: inetOrgPerson", "sn: Surname"));
        all.addAll(List.of(lines));
        return add(dn, all.toArray(String[]::new));
    }

    public EntryView delete(String dn) throws DirectoryException {
        return await(updates.delete(dn(dn), ORIGIN));
    }

    /** @param lines such as {@code "add description: x"}, {@code "delete description"}, {@code "replace sn: a|b"} */
    public EntryView modify(String dn, String... lines) throws DirectoryException {
        return modify(ORIGIN, dn, lines);
    }

    public EntryView modify(UpdateOrigin origin, String dn, String... lines) throws DirectoryException {
        List<Modification> modifications = Stream.of(lines).map(TextDirectory::modification).toList();
        return await(updates.modify(dn(dn), modifications, origin));
    }

    private static Modification modification(String line) {
        int space = line.indexOf(' ');
        int colon = line.indexOf(": ");
        Modification.Kind kind = Modification.Kind.valueOf(line.substring(0, space).toUpperCase(Locale.ROOT));
        return new Modification(kind, line.substring(space + 1, colon < 0 ? line.length() : colon),
                colon < 0 ? List.of() : Stream.of(line.substring(colon + 2).split("\\|", -1)).map(TextDirectory::utf8).toList());
    }

    public EntryView rename(String dn, String newRdn, boolean deleteOldRdn, String newSuperior) throws DirectoryException {
        Dn superior = newSuperior == null ? null : dn(newSuperior);
        return await(updates.rename(dn(dn), Rdn.parse(SCHEMA, newRdn), deleteOldRdn, superior, ORIGIN));
    }

    public static List<Attribute> attributes(String... lines) {
        Map<String, List<byte[]>> values = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(": ");
            values.computeIfAbsent(line.substring(0, colon), any -> new ArrayList<>()).add(utf8(line.substring(colon + 2)));
        }
        return values.entrySet().stream().map(entry -> new Attribute(entry.getKey(), entry.getValue())).toList();
    }

    /** The values of an attribute as it is spelt in the record, in order. */
    public static List<String> values(EntryRecord record, String description) {
        return Stream.concat(record.userAttributes().stream(), record.operationalAttributes().stream())
                .filter(attribute -> attribute.description().equals(description))
                .flatMap(attribute -> attribute.values().stream())
                .map(value -> new String(value, StandardCharsets.UTF_8)).toList();
    }

    /** @return null if there is no such entry */
    public EntryView read(String dn) {
        try (Snapshot snapshot = partition.snapshot()) {
            return partition.read(snapshot, dn(dn));
        }
    }

    /** How many entries the indexes leave for a search of the whole partition. */
    public long candidates(String filter) {
        try (Snapshot snapshot = partition.snapshot();
                SearchCursor cursor = partition.search(snapshot, new SearchQuery(partition.suffix(), SearchScope.SUBTREE,
                FilterParser.parse(filter), 0, 0))) {
            return cursor.plan().candidateCount();
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(filter, e);
        }
    }

    public CheckReport check() {
        try (Snapshot snapshot = partition.snapshot()) {
            return check(snapshot);
        }
    }

    public CheckReport check(Snapshot snapshot) {
        EntryIndexer indexer = snapshot.indexer() == null ? INDEXER : snapshot.indexer();
        return new Checker(SCHEMA, partition.suffix(), indexer.building().isEmpty() ? indexer : indexer.without(indexer.building()))
                .check(snapshot, CheckProgress.NONE);
    }

    private static <T> T await(CompletableFuture<T> future) throws DirectoryException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof DirectoryException result) {
                throw result;
            }
            if (e.getCause() instanceof StoreException refusal) {
                throw refusal;
            }
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
