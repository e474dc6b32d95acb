package org.alder.server.assembly;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.alder.ldif.bulk.ShardedLoad;
import org.alder.partition.Partition;
import org.alder.partition.commit.UnfinishedTransactions;
import org.alder.partition.dn.Dn;
import org.alder.partition.error.DirectoryException;
import org.alder.partition.error.StoreException;
import org.alder.partition.file.Folders;
import org.alder.partition.index.AttributeIndexer;
import org.alder.partition.index.IndexDefinition;
import org.alder.partition.index.IndexKind;
import org.alder.partition.rule.EntryRules;
import org.alder.partition.schema.AttributeType;
import org.alder.partition.schema.Schema;
import org.alder.partition.store.BulkLoad;
import org.alder.partition.store.ClusterLoading;
import org.alder.partition.store.ClusterService;
import org.alder.partition.store.FeatureLevel;
import org.alder.partition.store.HierarchyKeys;
import org.alder.partition.store.RepairReport;
import org.alder.partition.store.Snapshot;
import org.alder.partition.store.Store;
import org.alder.partition.store.StoreEngine;
import org.alder.partition.tree.EntryTree;
import org.alder.partition.tree.Shard;
import org.alder.server.config.ConfigurationException;
import org.alder.server.config.IndexLine;
import org.alder.server.config.Key;
import org.alder.server.config.PartitionConfiguration;
import org.alder.server.config.PartitionKeys;
import org.alder.server.directory.own.ConfigurationTree;
import org.alder.server.directory.own.Monitor;
import org.alder.server.directory.own.Subschema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The store of one configured partition, or of a shard of it: where it is, and the ways to open it. Thread safe. */
public final class PartitionFolder {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionFolder.class);

    /** So long a server may need for a transaction that it is just making. */
    private static final long MOST_MILLIS = 5000;
    private static final long PAUSE_MILLIS = 20;
    /** To open large stores may take longer. */
    private static final int LEAST_ATTEMPTS = 5;
    /** While a server may be changing the schema, with a pause between any two that found the same. */
    private static final int SCHEMA_ATTEMPTS = 25;

    /** For each shard of a load. */
    private static final long LEAST_LOAD_BYTES = 8 << 20;

    private final Schema schema;
    private final PartitionConfiguration configuration;
    private final DataFolder data;
    private final Shard shard;
    private final Path path;
    private final StoreEngine engine;
    private final Dn suffix;
    private final List<IndexDefinition> definitions;
    private final Set<AttributeType> ignored;
    private final EntryRules rules;

    /** @throws ConfigurationException naming file, line and key, if the configuration names an attribute or an index that cannot be */
    public PartitionFolder(Schema schema, PartitionConfiguration configuration, DataFolder data) throws ConfigurationException {
        this(schema, configuration, data, Shard.WHOLE);
    }

    private PartitionFolder(Schema schema, PartitionConfiguration configuration, DataFolder data, Shard shard) throws ConfigurationException {
        this.schema = schema;
        this.configuration = configuration;
        this.data = data;
        this.shard = shard;
        this.path = data.partition(configuration, shard);
        this.engine = Engines.of(configuration);
        this.suffix = suffix(schema, configuration);
        this.definitions = definitions(schema, configuration);
        this.ignored = Set.copyOf(attributes(schema, configuration, PartitionKeys.IGNORE_INDEX));
        this.rules = new RuleSettings(schema, configuration, definitions).rules();
    }

    /**
     * The one folder of a partition, or those of its shards in their order.
     *
     * @throws ConfigurationException also if there are entries that are distributed in another way
     */
    public static List<PartitionFolder> all(Schema schema, PartitionConfiguration configuration, DataFolder data) throws ConfigurationException {
        data.requireDistributed(configuration);
        List<PartitionFolder> all = new ArrayList<>();
        for (int number = 0; number < configuration.shards(); number++) {
            all.add(new PartitionFolder(schema, configuration, data, new Shard(number, configuration.shards())));
        }
        return all;
    }

    /** @throws ConfigurationException naming file and line, if it is no DN, or that of an entry of the server's own */
    static Dn suffix(Schema schema, PartitionConfiguration configuration) throws ConfigurationException {
        Dn suffix;
        try {
            suffix = Dn.parse(schema, configuration.suffix());
        } catch (DirectoryException e) {
            throw configuration.settings().fault(PartitionKeys.SUFFIX, e.getMessage());
        }
        if (Subschema.isSubschema(suffix) || Monitor.contains(suffix) || ConfigurationTree.contains(suffix)) {
            throw configuration.settings().fault(PartitionKeys.SUFFIX, "\"" + suffix.text()
                    + "\" is the name of an entry of the server's own, expected another one");
        }
        return suffix;
    }

    /** The indexes of a partition, whatever rules there are. */
    static List<IndexDefinition> definitions(Schema schema, PartitionConfiguration configuration) throws ConfigurationException {
        List<IndexDefinition> result = new ArrayList<>();
        List<AttributeType> primaryKeys = attributes(schema, configuration, PartitionKeys.PRIMARY_KEY);
        for (IndexLine index : configuration.indexes()) {
            int number = result.size();
            Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
            for (IndexLine.Kind kind : index.kinds()) {
                kinds.add(switch (kind) {
                    case EQ -> IndexKind.EQUALITY;
                    case SUB -> IndexKind.SUBSTRING;
                    case PRES -> IndexKind.PRESENCE;
                });
            }
            AttributeType type = attribute(schema, configuration, PartitionKeys.INDEX, number, index.attribute());
            List<AttributeType> inline = new ArrayList<>();
            for (String name : index.inline()) {
                inline.add(attribute(schema, configuration, PartitionKeys.INDEX, number, name));
            }
            int threshold = index.duplicateThreshold() > 0 ? index.duplicateThreshold()
                    : configuration.get(PartitionKeys.DUPLICATE_THRESHOLD);
            if (result.stream().anyMatch(each -> each.type() == type)) {
                throw configuration.settings().fault(PartitionKeys.INDEX, number, "a second line for " + type.name()
                        + ", expected the only index line for an attribute");
            }
            try {
                result.add(new IndexDefinition(type, kinds, threshold, inline, primaryKeys.contains(type)));
            } catch (IllegalArgumentException e) {
                throw configuration.settings().fault(PartitionKeys.INDEX, number, e.getMessage());
            }
        }
        return List.copyOf(result);
    }

    private static List<AttributeType> attributes(Schema schema, PartitionConfiguration configuration, Key<List<String>> key)
            throws ConfigurationException {
        List<AttributeType> types = new ArrayList<>();
        for (String name : configuration.get(key)) {
            types.add(attribute(schema, configuration, key, types.size(), name));
        }
        return types;
    }

    private static AttributeType attribute(Schema schema, PartitionConfiguration configuration, Key<?> key, int number, String name)
            throws ConfigurationException {
        AttributeType type = schema.attributeType(name);
        if (type == null) {
            throw configuration.settings().fault(key, number, "the schema has no attribute " + name);
        }
        return type;
    }

    public PartitionConfiguration configuration() {
        return configuration;
    }

    /** Whether it has the suffix entry itself: of a partition that is distributed, one of them has. */
    public boolean isFirst() {
        return !shard.hasCopyOfSuffix();
    }

    /** Whether an entry of this name would be here, or the suffix entry, which all shards have. */
    public boolean holds(Dn dn) {
        return dn.isDescendantOrSelf(suffix) && (dn.equals(suffix) || shard.holds(suffix, dn));
    }

    /** That of the partition, and which shard it is if it is one: different for all stores of a data folder. */
    public String name() {
        return path.getFileName().toString();
    }

    /** What to call it in messages: {@link Partition#label}. */
    public String label() {
        return shard.isPart() ? configuration.suffix() + " (" + shard.text() + ")" : configuration.suffix();
    }

    public Path path() {
        return path;
    }

    public Dn suffix() {
        return suffix;
    }

    public EntryRules rules() {
        return rules;
    }

    /** Whether there is no store, or one without entries, such as a load leaves that did not get to its end. */
    public boolean isEmpty() {
        if (!engine.hasStore(path)) {
            return true;
        }
        try (Store store = engine.openReadOnly(path, indexer())) {
            return store.maintenance().status().entries() == 0;
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.REFUSED) {
                return false;
            }
            throw e;
        }
    }

    public AttributeIndexer indexer() {
        return indexer(definitions);
    }

    private AttributeIndexer indexer(List<IndexDefinition> indexes) {
        return new AttributeIndexer(schema, indexes, configuration.get(PartitionKeys.LARGE_ATTRIBUTE_THRESHOLD));
    }

    /**
     * Holds the folder until the partition is closed. Indexes that are missing are built before; those that were being built while the
     * partition was open the last time, and those whose keys are others by a changed schema, are built while it is open, unless nothing
     * can be written now: then it does without them.
     *
     * @throws ConfigurationException if its entries are those of another suffix
     */
    public Partition open() throws ConfigurationException {
        return open(engine);
    }

    /** As a member of a cluster, whose other members hold the same partition; null for a server that stands alone. */
    Partition open(ClusterService.Cluster cluster) throws ConfigurationException {
        requireKept(cluster, configuration);
        return open(cluster == null ? engine : cluster.sharing(DataFolder.storeName(configuration.name(), shard), configuration.suffix(), engine));
    }

    /**
     * Each shard is another member's, or may be in a moment: what others are about to write there nobody knows here who does not ask.
     *
     * @param cluster null for a server that stands alone
     * @throws ConfigurationException for what members of a cluster do not keep between shards
     */
    static void requireKept(ClusterService.Cluster cluster, PartitionConfiguration configuration) throws ConfigurationException {
        if (cluster == null || configuration.shards() == 1) {
            return;
        }
        String refusal = refusal(cluster);
        if (refusal != null && !configuration.get(PartitionKeys.UNIQUE).isEmpty()) {
            throw configuration.settings().fault(PartitionKeys.UNIQUE, 0, "unique is kept between shards, which different members write, " + refusal);
        } else if (refusal != null && configuration.get(PartitionKeys.FOLLOW_PROVIDER) != null) {
            throw configuration.settings().fault(PartitionKeys.FOLLOW_PROVIDER, "shards, which different members write, follow another server " + refusal);
        }
    }

    /** Why members do not ask each other who write shards; null where they do. */
    private static String refusal(ClusterService.Cluster cluster) {
        if (cluster.level() < FeatureLevel.ASKED_WRITERS) {
            return FeatureLevel.since(FeatureLevel.ASKED_WRITERS, cluster.level());
        }
        return cluster.asks() ? null : "by asking these: expected \"updates: forward\" in the cluster file (docs/sharding.md)";
    }

    private Partition open(StoreEngine opening) throws ConfigurationException {
        requireWhole();
        Set<String> unfinished = opening.unfinishedIndexes(path, indexer());
        Set<AttributeType> fixed = Partition.fixedIndexes(schema, rules);
        List<IndexDefinition> first = definitions.stream().filter(each -> !unfinished.contains(each.name()) || fixed.contains(each.type()))
                .toList();
        if (first.size() < definitions.size()) {
            Partition partition = partition(opening.open(path, indexer(first)), first);
            try {
                partition.changeIndexes(definitions, Set.of());
                return partition;
            } catch (DirectoryException e) {
                LOG.info("indexes of {} are built before it is open: {}", path, e.getMessage());
                partition.close();
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.READ_ONLY && e.kind() != StoreException.Kind.DISK_FULL) {
                    partition.close();
                    throw e;
                }
                LOG.warn("{} is without the indexes of {} until it is started again: {}", path, String.join(", ", unfinished), e.getMessage());
                return partition;
            } catch (RuntimeException e) {
                partition.close();
                throw e;
            }
        }
        return partition(opening.open(path, indexer()), definitions);
    }

    /**
     * Looks whether a partition could be opened here: what is there is read, or the folder is made and taken away again.
     *
     * @throws ConfigurationException if its entries are those of another suffix
     * @throws StoreException naming the folder, if it cannot be made, or what is in it cannot be read
     */
    void tryOut() throws IOException, ConfigurationException {
        if (engine.hasStore(path)) {
            requireWhole();
            openReadOnlyNow().close();
            return;
        }
        List<Path> made = new ArrayList<>();
        for (Path each = path; each != null && Files.notExists(each); each = each.getParent()) {
            made.add(each);
        }
        try {
            Folders.create(path);
            Files.delete(Files.createTempFile(path, "try", null));
        } catch (IOException e) {
            throw new StoreException(StoreException.Kind.IO, "a partition cannot be made in " + path + ": " + e, e);
        } finally {
            for (Path each : made) {
                Files.deleteIfExists(each);
            }
        }
    }

    /**
     * As it is on disk now, also while a server holds it; refuses changes. The server may have changed the schema since that was read
     * here: then it is read again, and is what the partition goes by.
     */
    public Partition openReadOnly() throws IOException, ConfigurationException {
        if (!engine.hasStore(path)) {
            throw new StoreException(StoreException.Kind.REFUSED,
                    path + " holds no partition: start the server or import into it first" + (Files.isDirectory(data.cluster())
                            ? ", or use the data of a member of its cluster that holds it (cluster status)" : ""));
        }
        requireWhole();
        for (int attempt = 1;; attempt++) {
            try {
                return openReadOnlyNow();
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.REFUSED || attempt == SCHEMA_ATTEMPTS) {
                    throw e;
                }
            }
            // A server writes the schema first, and a moment later what it means for the partitions.
            if (!schema.readAgain(data.onlineSchema())) {
                pause();
            }
        }
    }

    private Partition openReadOnlyNow() throws IOException, ConfigurationException {
        try {
            return partition(engine.openReadOnly(path, indexer()), definitions);
        } catch (StoreException e) {
            String last = data.lastConfiguration();
            throw e.kind() != StoreException.Kind.REFUSED || last == null ? e : new StoreException(e.kind(),
                    e.getMessage() + "; the data were last served or loaded with --conf " + last, e);
        }
    }

    /**
     * As {@link #openReadOnly()}, all of them as of one moment.
     *
     * @throws StoreException as there; REFUSED where a transaction of several shards was cut off when it was made and not in all of them yet
     */
    public static List<Partition> openReadOnly(List<PartitionFolder> folders) throws IOException, ConfigurationException {
        long beganNanos = System.nanoTime();
        for (int attempt = 1;; attempt++) {
            List<Partition> opened = new ArrayList<>();
            boolean complete = false;
            try {
                for (PartitionFolder folder : folders) {
                    opened.add(folder.openReadOnly());
                }
                String problem = goOn(folders, opened) ? UnfinishedTransactions.madeInPart(opened) : "the shards cannot be read as of one moment";
                complete = problem == null;
                if (complete) {
                    return opened;
                } else if (attempt >= LEAST_ATTEMPTS && TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beganNanos) > MOST_MILLIS) {
                    throw new StoreException(StoreException.Kind.REFUSED, problem + ". Where a server runs, try again; otherwise start it once, which"
                            + " finishes such transactions");
                }
            } finally {
                if (!complete) {
                    opened.forEach(Partition::close);
                }
            }
            pause();
        }
    }

    private static boolean goOn(List<PartitionFolder> folders, List<Partition> opened) {
        long millis = System.currentTimeMillis();
        boolean all = true;
        for (int i = 0; i < opened.size() && opened.size() > 1; i++) {
            all &= folders.get(i).engine.goOn(opened.get(i).store(), millis);
        }
        return all;
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(StoreException.Kind.IO, "interrupted while a server's change was waited for", e);
        }
    }

    private void requireWhole() {
        if (shard.isPart() && Files.exists(data.cutOffImport(configuration))) {
            throw new StoreException(StoreException.Kind.REFUSED, "an import into \"" + configuration.suffix() + "\" was cut off while its shards got"
                    + " their new entries: some have these, others those of before. Import again, with --replace");
        }
    }

    private Partition partition(Store store, List<IndexDefinition> indexes) throws ConfigurationException {
        Partition partition = new Partition(schema, new EntryTree(suffix, shard), indexes, store, rules, ignored);
        if (partition.isElsewhere()) {
            // Those who hold it have looked.
            return partition;
        }
        try (Snapshot snapshot = partition.snapshot()) {
            if (store.maintenance().status().entries() > 0 && partition.resolve(snapshot, suffix) == HierarchyKeys.NO_PARENT) {
                throw configuration.settings().fault(PartitionKeys.SUFFIX, path + " holds entries, but not \"" + suffix.text()
                        + "\": the configuration names another suffix than the one they were stored under");
            }
            return partition;
        } catch (ConfigurationException | RuntimeException e) {
            partition.close();
            throw e;
        }
    }

    /** What of the files is not as it was written, naming them; empty if all is. Also while a server holds the folder. */
    public List<String> check() {
        return engine.check(path);
    }

    /** Builds all indexes anew from the entries. */
    public RepairReport repair() {
        return engine.repair(path, indexer());
    }

    private BulkLoad bulkLoad(long memoryBytes, ClusterLoading cluster) throws IOException {
        return cluster == null ? engine.bulkLoad(path, indexer(), memoryBytes) : cluster.replace(name(), path, engine, indexer(), memoryBytes);
    }

    /**
     * Into the one folder of a partition, or those of its shards.
     *
     * @param memoryBytes the heap it may take, about
     * @param cluster     for all of whose members it is, one of which has the folders; null for a server that stands alone
     */
    public static BulkLoad bulkLoad(List<PartitionFolder> shards, long memoryBytes, ClusterLoading cluster) throws IOException {
        PartitionFolder first = shards.get(0);
        if (shards.size() == 1) {
            return first.bulkLoad(memoryBytes, cluster);
        }
        List<BulkLoad> loads = new ArrayList<>();
        boolean complete = false;
        try {
            for (PartitionFolder shard : shards) {
                loads.add(shard.bulkLoad(Math.max(LEAST_LOAD_BYTES, memoryBytes / shards.size()), cluster));
            }
            ShardedLoad load = new ShardedLoad(first.schema, first.suffix, loads, new Marked(first.data, first.configuration, cluster));
            complete = true;
            return load;
        } finally {
            if (!complete) {
                loads.forEach(BulkLoad::close);
            }
        }
    }

    /** Leaves a file while the shards do not fit together. @param cluster null for none */
    private record Marked(DataFolder data, PartitionConfiguration configuration, ClusterLoading cluster) implements ShardedLoad.Publishing {
        @Override
        public void begin() throws IOException {
            if (cluster != null) {
                cluster.takeOver();
            }
            data.files().replace(data.cutOffImport(configuration), new byte[0]);
        }

        @Override
        public void end() throws IOException {
            Files.delete(data.cutOffImport(configuration));
        }
    }
}
