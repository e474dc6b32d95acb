package org.alder.partition.index;

import java.util.List;
import org.alder.partition.entry.EntryRecord;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.EntryIndexer;

/**
 * Derives the keys of the hierarchy (index 0) and of the configured attribute indexes (one index each, in the order of the
 * definitions). Immutable, thread safe.
 */
public final class AttributeIndexer implements EntryIndexer {
    /** @throws IllegalArgumentException if two definitions are for the same attribute type */
    public AttributeIndexer(Schema schema, List<IndexDefinition> definitions) {
        throw new UnsupportedOperationException();
    }

    @Override
    public List<IndexSpec> indexes() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void forEachKey(EntryRecord record, KeyConsumer consumer) {
        throw new UnsupportedOperationException();
    }
}
