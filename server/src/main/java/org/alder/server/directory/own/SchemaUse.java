package org.alder.server.directory.own;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.alder.partition.Partition;
import org.alder.partition.check.DefinitionUse;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.ResultCode;
import org.alder.partition.error.StoreException;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.schema.SchemaRevision;
import org.alder.partition.store.Snapshot;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What of the partitions is in the way of a revision of the schema. Immutable, thread safe. */
record SchemaUse(Schema schema, Supplier<List<Partition>> partitions) {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaUse.class);

    /** Whether entries are to be looked at. */
    boolean concernsEntries(SchemaRevision revision) {
        return revision.concernsEntries() || !revision.otherwiseRead().isEmpty()
                && partitions.get().stream().anyMatch(partition -> !keyedByNames(partition).isEmpty());
    }

    void requireNoIndex(SchemaRevision revision) throws DirectoryException {
        for (Map.Entry<AttributeType, String> change : revision.unindexedTypes().entrySet()) {
            for (Partition partition : partitions.get()) {
                for (IndexDefinition index : partition.indexes()) {
                    if (covers(index, change.getKey(), change.getValue())) {
                        throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, "the attribute type " + change.getKey()
                                + " cannot be " + change.getValue() + ": the configuration has it in the index " + index.name()
                                + " of \"" + partition.suffix().text() + "\". Take the index out and restart first");
                    }
                }
            }
        }
    }

    /** A type below an indexed one has its values in the index: it may go, but not elsewhere. */
    private static boolean covers(IndexDefinition index, AttributeType type, String change) {
        boolean deleted = change.equals(SchemaRevision.DELETED);
        return covers(index.type(), type, deleted) || index.inline().stream().anyMatch(each -> covers(each, type, deleted));
    }

    private static boolean covers(AttributeType indexed, AttributeType type, boolean deleted) {
        return deleted ? type == indexed : type.isSubtypeOf(indexed);
    }

    private static Set<AttributeType> keyedByNames(Partition partition) {
        return partition.indexes().stream().filter(index -> index.has(IndexKind.EQUALITY))
                .flatMap(index -> index.typesReadByNames().stream()).collect(Collectors.toSet());
    }

    void requireNoUse(SchemaRevision revision) throws DirectoryException {
        for (Partition partition : partitions.get()) {
            try (Snapshot snapshot = partition.snapshot()) {
                DefinitionUse use = new DefinitionUse(schema, revision, keyedByNames(partition));
                DefinitionUse.Found found = use.first(snapshot);
                if (found != null) {
                    String entry = "the entry \"" + partition.dnOf(snapshot, found.entryId()) + "\"";
                    throw new DirectoryException(ResultCode.UNWILLING_TO_PERFORM, found.where() == null
                            ? entry + " depends on what is taken away: " + found.definition()
                            : found.definition() + ": " + entry + " has it in " + found.where());
                }
            }
        }
    }

    /** Keys of deleted types could not be derived from the log after a crash. */
    void flush() {
        partitions.get().forEach(partition -> partition.store().maintenance().flush());
    }

    /** No key of what is stored has become another. Where this cannot be written down, the next start derives all keys anew. */
    void keepFingerprints() {
        partitions.get().forEach(SchemaUse::keepFingerprint);
    }

    private static void keepFingerprint(Partition partition) {
        try {
            partition.store().maintenance().keepFingerprint();
        } catch (StoreException e) {
            LOG.warn("The changed schema is not noted with the indexes of {}: they may be built anew at the next start",
                    partition.suffix().text(), e);
        }
    }
}
