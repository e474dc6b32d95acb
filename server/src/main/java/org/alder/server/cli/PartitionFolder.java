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
import org.alder.partition.error.StoreException;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.jdbm.store.Durability;
import org.alder.partition.jdbm.store.EntryCodec;
import org.alder.partition.jdbm.store.JdbmStore;
import org.alder.partition.jdbm.store.StoreRepair;
import org.alder.partition.jdbm.store.StoreSettings;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.update.UniqueKeys;
import org.alder.partition.update.UpdateOrigin;
import org.alder.server.config.PartitionConfiguration;

/** The store of one configured partition: where it is, and the ways to open it. Thread safe. */
public final class PartitionFolder {
    private static final int DN_CACHE_SHARE = 64;
    private static final int DISK_CHECK_MILLIS = 1000;

    private final Schema schema;
    private final PartitionConfiguration configuration;
    private final Path path;
    private final Dn suffix;
    private final List<IndexDefinition> definitions;
    private final Set<AttributeType> ignored;
    private final EntryRules rules;

    /** @throws CommandException if the configuration names an attribute or an index that cannot be */
    public PartitionFolder(Schema schema, PartitionConfiguration configuration, Path path) throws DirectoryException,
            CommandException {
        this.schema = schema;
        this.configuration = configuration;
        this.path = path;
        this.suffix = suffix(schema, configuration);
        this.definitions = definitions();
        this.ignored = attributes("ignoreIndex", configuration.ignoredIndexes());
        this.rules = new RuleSettings(schema, configuration, definitions).rules();
    }

    private static Dn suffix(Schema schema, PartitionConfiguration configuration) throws CommandException {
        try {
            return Dn.parse(schema, configuration.suffix());
        } catch (DirectoryException e) {
            throw new CommandException("partition " + configuration.name() + ", suffix: " + e.getMessage());
        }
    }

    private List<IndexDefinition> definitions() throws CommandException {
        List<IndexDefinition> result = new ArrayList<>();
        Set<AttributeType> primaryKeys = attributes("primaryKey", configuration.primaryKeys());
        for (PartitionConfiguration.Index index : configuration.indexes()) {
            Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
            for (PartitionConfiguration.Kind kind : index.kinds()) {
                kinds.add(switch (kind) {
                    case EQ -> IndexKind.EQUALITY;
                    case SUB -> IndexKind.SUBSTRING;
                    case PRES -> IndexKind.PRESENCE;
                });
            }
            AttributeType type = attribute("index", index.attribute());
            List<AttributeType> inline = new ArrayList<>();
            for (String name : index.inline()) {
                inline.add(attribute("index " + index.attribute() + ", inline", name));
            }
            try {
                result.add(new IndexDefinition(type, kinds, index.duplicateThreshold(), inline, primaryKeys.contains(type)));
            } catch (IllegalArgumentException e) {
                throw new CommandException("partition " + configuration.name() + ": " + e.getMessage(), e);
            }
        }
        return List.copyOf(result);
    }

    private Set<AttributeType> attributes(String key, Set<String> names) throws CommandException {
        Set<AttributeType> types = new HashSet<>();
        for (String name : names) {
            types.add(attribute(key, name));
        }
        return Set.copyOf(types);
    }

    private AttributeType attribute(String key, String name) throws CommandException {
        AttributeType type = schema.attributeType(name);
        if (type == null) {
            throw new CommandException("partition " + configuration.name() + ", " + key + ": the schema has no attribute "
                    + name);
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

    /** What a load tells unique values by. */
    UniqueKeys uniqueKeys() {
        return new UniqueKeys(schema, rules.unique());
    }

    private boolean hasStore() {
        return Files.exists(path.resolve("MANIFEST"));
    }

    /** Whether there is no store, or one without entries, such as a load leaves that did not get to its end. */
    boolean isEmpty() {
        if (!hasStore()) {
            return true;
        }
        try (Store store = JdbmStore.openReadOnly(path, settings(), indexer())) {
            return store.maintenance().status().entries() == 0;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.REFUSED) {
                return false;
            }
            throw e;
        }
    }

    AttributeIndexer indexer() {
        return new AttributeIndexer(schema, definitions, configuration.largeAttributeThreshold());
    }

    /**
     * Holds the folder until the partition is closed.
     *
     * @throws CommandException if its entries are those of another suffix
     */
    public Partition open() throws CommandException {
        return partition(JdbmStore.open(path, settings(), indexer()));
    }

    /** As it is on disk now, also while a server holds it; refuses changes. */
    public Partition openReadOnly() throws CommandException {
        if (!hasStore()) {
            throw new CommandException(path + " holds no partition: start the server or import into it first");
        }
        return partition(JdbmStore.openReadOnly(path, settings(), indexer()));
    }

    private Partition partition(Store store) throws CommandException {
        Partition partition = new Partition(schema, suffix, definitions, store, rules, ignored);
        try (Snapshot snapshot = partition.snapshot()) {
            if (store.maintenance().status().entries() > 0 && partition.resolve(snapshot, suffix) == HierarchyKeys.NO_PARENT) {
                throw new CommandException(path + " holds entries, but not \"" + suffix.text()
                        + "\": the configuration names another suffix than the one they were stored under");
            }
            return partition;
        } catch (CommandException | RuntimeException e) {
            partition.close();
            throw e;
        }
    }

    /** Builds all indexes anew from the entries. */
    StoreRepair.Report repair() {
        return StoreRepair.run(path, settings(), indexer());
    }

    /** @param memoryBytes the heap it may take, about */
    BulkLoad bulkLoad(long memoryBytes) {
        return JdbmStore.bulkLoad(path, settings(), indexer(), memoryBytes);
    }

    private StoreSettings settings() {
        long caches = configuration.entryCacheBytes() + configuration.indexCacheBytes();
        long dnCacheBytes = caches == 0 ? 0 : Runtime.getRuntime().maxMemory() / DN_CACHE_SHARE;
        return StoreSettings.defaults()
                .withDurability(Durability.valueOf(configuration.durability().name()), configuration.durabilityIntervalMillis())
                .withMemoryLayerBytes(configuration.memoryLayerBytes())
                .withCacheBytes(configuration.entryCacheBytes(), configuration.indexCacheBytes(), dnCacheBytes)
                .withEntryCodec(EntryCodec.valueOf(configuration.compression().name()))
                .withSnapshotTimeLimitMillis(configuration.snapshotTimeLimitSeconds() * 1000L)
                .withKeyTables(configuration.keyTables())
                .withChangeHistory(configuration.changeHistoryBytes())
                .withDiskLow(configuration.diskLowBytes(), DISK_CHECK_MILLIS)
                .withMerging(configuration.mergeBytesPerSecond(), configuration.warmSegments());
    }
}
