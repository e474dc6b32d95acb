package org.alder.partition.testing;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.entry.Attribute;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.filter.FilterParser;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.memory.MemoryStore;
import org.alder.partition.query.SearchCursor;
import org.alder.partition.query.SearchQuery;
import org.alder.partition.request.SearchScope;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;

/**
 * A small partition in memory, filled without the checks that updates make. Entries get the IDs 1, 2, ... in the order they
 * are added.
 */
public final class TestDirectory implements AutoCloseable {
    /** The standard schemas and RFC 2307bis. */
    public static final Schema SCHEMA = Schema.load(List.of(Path.of("../conf/schema/rfc2307bis.ldif")));

    private final Partition partition;

    public TestDirectory(String suffix, IndexDefinition... indexes) {
        MemoryStore store = new MemoryStore(new AttributeIndexer(SCHEMA, List.of(indexes)));
        partition = new Partition(SCHEMA, dn(suffix), List.of(indexes), store);
    }

    public static IndexDefinition index(String attribute, IndexKind... kinds) {
        return new IndexDefinition(SCHEMA.attributeType(attribute), Set.of(kinds), IndexDefinition.DEFAULT_DUPLICATE_THRESHOLD);
    }

    /** The index with the values of these attributes inline. */
    public static IndexDefinition inline(IndexDefinition index, String... attributes) {
        return new IndexDefinition(index.type(), index.kinds(), index.duplicateThreshold(),
                Stream.of(attributes).map(SCHEMA::attributeType).toList());
    }

    public static Dn dn(String text) {
        try {
            return Dn.parse(SCHEMA, text);
        } catch (DirectoryException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    public Partition partition() {
        return partition;
    }

    /** @param lines {@code attribute: value} */
    public long add(String dnText, String... lines) {
        Map<String, List<byte[]>> values = new LinkedHashMap<>();
        for (String line : lines) {
            int colon = line.indexOf(": ");
            values.computeIfAbsent(line.substring(0, colon), none -> new ArrayList<>()).add(utf8(line.substring(colon + 2)));
        }
        Dn dn = dn(dnText);
        List<Attribute> attributes = values.entrySet().stream().map(e -> new Attribute(e.getKey(), e.getValue())).toList();
        return partition.store().submit(context -> {
            boolean top = dn.size() == partition.suffix().size();
            long parent = top ? HierarchyKeys.NO_PARENT : partition.resolve(context.state(), dn.parent());
            if (!top && parent == HierarchyKeys.NO_PARENT) {
                throw new IllegalArgumentException("no parent for " + dnText);
            }
            long id = context.allocateId();
            context.add(id, EntryRecord.of(parent, utf8(dn.rdn().text()), attributes, List.of()));
            return id;
        }).join();
    }

    /** The IDs that match, in the order they come. */
    public List<Long> search(String base, SearchScope scope, String filter) throws DirectoryException {
        try (Snapshot snapshot = partition.snapshot()) {
            return ids(snapshot, new SearchQuery(dn(base), scope, FilterParser.parse(filter), 0, 0));
        }
    }

    public List<Long> ids(Snapshot snapshot, SearchQuery query) throws DirectoryException {
        try (SearchCursor cursor = partition.search(snapshot, query)) {
            return ids(cursor);
        }
    }

    /** The IDs of all that are still to come. */
    public static List<Long> ids(SearchCursor cursor) throws DirectoryException {
        List<Long> ids = new ArrayList<>();
        for (SearchCursor.Step step = cursor.step(3); step != SearchCursor.Step.END; step = cursor.step(3)) {
            if (step == SearchCursor.Step.MATCH) {
                ids.add(cursor.id());
            }
        }
        return ids;
    }

    @Override
    public void close() {
        partition.close();
    }
}
