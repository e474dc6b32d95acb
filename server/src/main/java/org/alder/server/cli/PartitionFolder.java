package org.alder.server.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.alder.partition.Partition;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.store.Durability;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreSettings;
import org.alder.partition.jdbm.table.BlockCodec;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.Store;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.config.PartitionConfiguration;

/** The store of one configured partition: where it is, and the ways to open it. Thread safe. */
final class PartitionFolder {
    private static final int DN_CACHE_SHARE = 64;

    private final Schema schema;
    private final PartitionConfiguration configuration;
    private final Path path;
    private final Dn suffix;
    private final List<IndexDefinition> definitions;

    /** @throws CommandException if the configuration names an attribute or an index that cannot be */
    PartitionFolder(Schema schema, PartitionConfiguration configuration, Path path) throws DirectoryException, CommandException {
        this.schema = schema;
        this.configuration = configuration;
        this.path = path;
        this.suffix = Dn.parse(schema, configuration.suffix());
        this.definitions = definitions();
    }

    private List<IndexDefinition> definitions() throws CommandException {
        List<IndexDefinition> result = new ArrayList<>();
        for (PartitionConfiguration.Index index : configuration.indexes()) {
            Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
            for (PartitionConfiguration.Kind kind : index.kinds()) {
                kinds.add(switch (kind) {
                    case EQ -> IndexKind.EQUALITY;
                    case SUB -> IndexKind.SUBSTRING;
                    case PRES -> IndexKind.PRESENCE;
                });
            }
            try {
                result.add(new IndexDefinition(attribute("index", index.attribute()), kinds, index.duplicateThreshold()));
            } catch (IllegalArgumentException e) {
                throw new CommandException("partition " + configuration.name() + ": " + e.getMessage(), e);
            }
        }
        return List.copyOf(result);
    }

    private AttributeType attribute(String key, String name) throws CommandException {
        AttributeType type = schema.attributeType(name);
        if (type == null) {
            throw new CommandException("partition " + configuration.name() + ", " + key + ": the schema has no attribute " + name);
        }
        return type;
    }

    Path path() {
        return path;
    }

    Dn suffix() {
        return suffix;
    }

    /** Who made what a load brings in without saying so. */
    UpdateOrigin origin() {
        return new UpdateOrigin("cn=Directory Manager", Instant.now());
    }

    /** Whether there is no store here. */
    boolean isEmpty() {
        return !Files.exists(path.resolve("MANIFEST"));
    }

    AttributeIndexer indexer() {
        return new AttributeIndexer(schema, definitions);
    }

    Partition open() throws CommandException {
        return partition(JdbmStore.open(path, settings(), indexer()));
    }

    /** As it is on disk now, also while a server holds it; refuses changes. */
    Partition openReadOnly() throws CommandException {
        if (isEmpty()) {
            throw new CommandException(path + " holds no partition: start the server or import into it first");
        }
        return partition(JdbmStore.openReadOnly(path, settings(), indexer()));
    }

    private Partition partition(Store store) throws CommandException {
        Set<AttributeType> ignored = new HashSet<>();
        for (String name : configuration.ignoredIndexes()) {
            ignored.add(attribute("ignoreIndex", name));
        }
        return new Partition(schema, suffix, definitions, store, ignored);
    }

    BulkLoad bulkLoad() {
        return JdbmStore.bulkLoad(path, settings(), indexer());
    }

    private StoreSettings settings() {
        long caches = configuration.entryCacheBytes() + configuration.indexCacheBytes();
        long dnCacheBytes = caches == 0 ? 0 : Runtime.getRuntime().maxMemory() / DN_CACHE_SHARE;
        return StoreSettings.defaults()
                .withDurability(Durability.valueOf(configuration.durability().name()), configuration.durabilityIntervalMillis())
                .withMemoryLayerBytes(configuration.memoryLayerBytes())
                .withCacheBytes(configuration.entryCacheBytes(), configuration.indexCacheBytes(), dnCacheBytes)
                .withEntryCodec(BlockCodec.valueOf(configuration.compression().name()))
                .withSnapshotTimeLimitMillis(configuration.snapshotTimeLimitSeconds() * 1000L);
    }
}
